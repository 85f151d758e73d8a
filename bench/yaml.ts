/** What any program needs at least to read a file of YAML: `yaml <file>`. */
import { readFileSync } from "node:fs";
import { parse } from "yaml";

parse(readFileSync(process.argv[2]!, "utf8"));

/** The flags of `batch`, and what can be said against them alone. */
import { resolve } from "node:path";
import { stdinBytes } from "../argv/text.ts";
import { Usage } from "../errors.ts";
import type { World } from "../world.ts";
import { Input } from "./input.ts";
import { type Format, formatOf, formats, Reader } from "./reader.ts";

export interface Options {
  format?: Format;
  skipInvalid?: boolean;
  merge?: boolean;
  /** Seconds. */
  settle?: number;
  journal?: string;
  resume?: string;
  retryUnknown?: boolean;
  failed?: string;
  onError?: "stop" | "continue";
  maxFailures?: number;
}

export interface Asked {
  /** What messages call the input. */
  name: string;
  input: Input;
  format: Format;
  reader: Reader;
}

/** Opens nothing yet. Throws `Usage`. */
export function askedFor(world: World, options: Options, file: string, words: readonly string[]): Asked {
  const { retryUnknown, resume, failed, journal } = options;
  const format = options.format ?? formatOf(file);
  if (format === undefined)
    throw new Usage(
      file === "-"
        ? "reading stdin requires --format"
        : `cannot tell the format of ${file} from its name: pass --format`,
      {
        hint: `One of ${formats.join(", ")}.`,
      },
    );
  if (format === "lines" && words.length)
    throw new Usage("--format lines takes no command after --", {
      hint: "The command after -- is for csv, tsv and ndjson.",
    });
  if (format !== "lines" && !words.length)
    throw new Usage("missing command: put the command for each row after --", {
      hint: `For example: zulipctl batch ${file} -- group members {group} --add {email}`,
    });
  if (retryUnknown && resume === undefined && failed === undefined)
    throw new Usage("--retry-unknown requires --resume");
  if (options.onError === "stop" && (options.maxFailures ?? 1) > 1)
    throw new Usage("--on-error stop cannot be combined with --max-failures");
  for (const [flag, path] of Object.entries({ "--journal": journal, "--resume": resume, "<file>": file }))
    if (failed !== undefined && path !== undefined && resolve(path) === resolve(failed))
      throw new Usage(`--failed and ${flag} are the same file`);
  const name = file === "-" ? "stdin" : file;
  const input =
    file === "-" ? new Input(name, () => stdinBytes(world, "<file>")) : new Input(name, () => world.files.stream(file));
  return { name, input, format, reader: new Reader(input, format, words) };
}

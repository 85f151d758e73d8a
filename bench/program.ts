/** The program in one file: the bench builds it as it is, and without the judgment of changes. */
import { start } from "../src/node/start.ts";

void start();

/** Lines for people on stderr. */
import type { World } from "../world/world.ts";
import { sanitizeLine } from "./sanitize.ts";

type Screen = Pick<World["stderr"], "isTerminal" | "columns">;

/** Returns a function that wraps a line at words, for a terminal. Piped output is never wrapped. */
export async function wrapping({ isTerminal, columns }: Screen): Promise<(line: string) => string> {
  if (!isTerminal) return (line) => line;
  // Loaded on demand: every start loads this file.
  const fold = (await import("./fold.ts")).folding(columns || 80);
  return (line) => fold(line, line.search(/[^ ]|$/));
}

export async function printLine(output: World["stderr"], line: string): Promise<void> {
  const wrap = await wrapping(output);
  await output.write(`${wrap(sanitizeLine(line))}\n`);
}

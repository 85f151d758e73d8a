/** Lines for people on stderr. */
import type { World } from "../world/world.ts";
import { sanitizeLine } from "./sanitize.ts";

/** Begins a line with the name of the program. */
export const programLine = (text: string): string => `zulipctl: ${text}`;

type Screen = Pick<World["stderr"], "isTerminal" | "columns">;

/**
 * Returns a function that wraps a line at words, for a terminal. Continuation lines are indented by `hanging`. Piped output
 * is never wrapped.
 */
export async function foldingFor({ isTerminal, columns }: Screen): Promise<(line: string, hanging: number) => string> {
  // Loaded on demand: every start loads this file.
  return isTerminal ? (await import("./fold.ts")).folding(columns || 80) : (line) => line;
}

/** The same, with continuation lines indented like the first. */
export async function wrapping(screen: Screen): Promise<(line: string) => string> {
  const fold = await foldingFor(screen);
  return (line) => fold(line, line.search(/[^ ]|$/));
}

export async function printLine(output: World["stderr"], line: string): Promise<void> {
  const wrap = await wrapping(output);
  await output.write(`${wrap(sanitizeLine(line))}\n`);
}

/** Whether this run's stdout or stderr is coloured, each for itself. */
import { Chalk, type ChalkInstance } from "chalk";
import type { World } from "../world.ts";
import type { Choice } from "./form.ts";

type Level = 0 | 1 | 2 | 3;

const forced = new Map<string, Level>([
  ["0", 0],
  ["false", 0],
  ["2", 2],
  ["3", 3],
]);

/**
 * The flag wins over `FORCE_COLOR`, which wins over `NO_COLOR`, as in Node; an empty variable says nothing. Without
 * any of them colours are for terminals.
 */
export function colorLevel(
  color: Choice["color"],
  output: Pick<World["stdout"], "isTerminal" | "colorLevel">,
  env: World["env"],
): Level {
  if (color === "never") return 0;
  const wanted = env.FORCE_COLOR ? (forced.get(env.FORCE_COLOR) ?? 1) : undefined;
  if (color === "always") return wanted || output.colorLevel || 1;
  return wanted ?? (env.NO_COLOR || !output.isTerminal ? 0 : output.colorLevel);
}

/** The same for a result: rows in a pipe are data, which colours would spoil, and a variable is made for terminals. */
export const resultColorLevel: typeof colorLevel = (color, output, env) =>
  output.isTerminal || color === "always" ? colorLevel(color, output, env) : 0;

/** A hand that draws for one stream; with level 0 it changes nothing. */
export const brush = (level: Level): ChalkInstance => new Chalk({ level });

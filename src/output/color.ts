/** Decides about colors, separately for stdout and stderr. */
import { Chalk, type ChalkInstance } from "chalk";
import type { World } from "../world/world.ts";
import type { OutputOptions } from "./form.ts";

type Level = 0 | 1 | 2 | 3;

/** The values of `FORCE_COLOR`. Others mean 1. */
const forced = new Map<string, Level>(Object.entries({ 0: 0, false: 0, 2: 2, 3: 3 }));

/**
 * `--color` comes before `FORCE_COLOR`, and that before `NO_COLOR`, as in Node. Empty variables do not count. By
 * default only terminals get colors.
 */
export function colorLevel(
  color: OutputOptions["color"],
  output: Pick<World["stdout"], "isTerminal" | "colorLevel">,
  env: World["env"],
): Level {
  if (color === "never") return 0;
  const forcedLevel = env.FORCE_COLOR ? (forced.get(env.FORCE_COLOR) ?? 1) : undefined;
  if (color === "always") return forcedLevel || output.colorLevel || 1;
  return forcedLevel ?? (env.NO_COLOR || !output.isTerminal ? 0 : output.colorLevel);
}

/** The same for results, but a variable does not color rows in a pipe: they are data. */
export const resultColorLevel: typeof colorLevel = (color, output, env) =>
  output.isTerminal || color === "always" ? colorLevel(color, output, env) : 0;

/** Returns a painter for a stream. Level 0 paints nothing. */
export const chalkFor = (level: Level): ChalkInstance => new Chalk({ level });

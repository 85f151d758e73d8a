/** Whether this run's stdout or stderr is coloured, each for itself. */
import { Chalk, type ChalkInstance } from "chalk";
import type { World } from "../world.ts";
import type { Choice } from "./form.ts";

type Level = 0 | 1 | 2 | 3;

const forced: Record<string, Level> = { "0": 0, false: 0, "2": 2, "3": 3 };

/**
 * The flag wins over `FORCE_COLOR`, which wins over `NO_COLOR`, as in Node; an empty variable says nothing. Without
 * any of them colours are for terminals.
 */
export function colorLevel(
  color: Choice["color"],
  output: Pick<World["stdout"], "isTerminal" | "colorLevel">,
  env: World["env"],
): Level {
  const some = Math.max(1, output.colorLevel) as Level;
  if (color !== "auto") return color === "always" ? some : 0;
  if (env.FORCE_COLOR) return forced[env.FORCE_COLOR] ?? some;
  return env.NO_COLOR || !output.isTerminal ? 0 : output.colorLevel;
}

/** A hand that draws for one stream; with level 0 it changes nothing. */
export const brush = (level: Level): ChalkInstance => new Chalk({ level });

import { expect, test } from "vitest";
import { colorLevel } from "../../src/output/color.ts";

const terminal = { isTerminal: true, colorLevel: 2 } as const;
const pipe = { isTerminal: false, colorLevel: 0 } as const;

test.each([
  ["auto", terminal, {}, 2],
  ["auto", pipe, {}, 0],
  ["auto", terminal, { NO_COLOR: "1" }, 0],
  ["auto", terminal, { NO_COLOR: "" }, 2],
  ["auto", pipe, { FORCE_COLOR: "1" }, 1],
  ["auto", pipe, { FORCE_COLOR: "3" }, 3],
  ["auto", pipe, { FORCE_COLOR: "" }, 0],
  ["auto", terminal, { FORCE_COLOR: "0" }, 0],
  ["auto", terminal, { FORCE_COLOR: "1", NO_COLOR: "1" }, 1],
  ["never", terminal, { FORCE_COLOR: "3" }, 0],
  ["always", pipe, { NO_COLOR: "1" }, 1],
  ["always", terminal, { NO_COLOR: "1" }, 2],
  ["always", pipe, { FORCE_COLOR: "3" }, 3],
] as const)("--color %s on %j with %j is %i", (color, output, env, level) => {
  expect(colorLevel(color, output, env)).toBe(level);
});

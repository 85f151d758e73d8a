/** What a command line asks of errors, also where it cannot be read to its end. */
import type { Telling } from "../output/error.ts";
import type { Output } from "../world.ts";
import type { GivenFlag } from "./reading.ts";

/** A filter shapes the result: with one alone, a person at a terminal reads words. */
export function telling(flags: readonly GivenFlag[], stderr: Pick<Output, "isTerminal">): Telling {
  const given = new Map(flags.map(({ option, value }) => [option.attributeName(), value]));
  const json = given.has("json") || flags.some(({ option, value }) => option.long === "--output" && value === "json");
  const color = given.get("color");
  return {
    form: json || (given.has("jq") && !stderr.isTerminal) ? "json" : "table",
    color: color === "always" || color === "never" ? color : "auto",
    verbose: given.has("verbose"),
  };
}

import { guardFlags } from "../../cli/guard-flags.ts";
import { type RawFlags, withDefault } from "../../cli/parameter.ts";
import { choice, number, offered, text } from "../../cli/value-parameters.ts";

export const eachFlags = {
  ...guardFlags,
  profiles: offered("profile", withDefault("all", text("profiles, or all: one for each organization", "a,b"))),
  parallel: withDefault("8", number("how many organizations at a time", "n", 1)),
  onError: withDefault(
    "continue",
    choice(["stop", "continue"], "what to do after an organization that failed", "what"),
  ),
};
export type EachOptions = RawFlags<typeof eachFlags>;

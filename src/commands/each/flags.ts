import { choice, number, offered, text } from "../../cli/kinds.ts";
import type { RawFlags } from "../../cli/word.ts";

export const flags = {
  profiles: offered("profile", text("profiles, or all: one for each organization (default: all)", "a,b")),
  parallel: number("how many organizations at a time (default: 8)", "n", 1),
  onError: choice(["stop", "continue"], "what to do after an organization that failed (default: continue)", "what"),
};
export type Options = RawFlags<typeof flags>;

import { emptyAllowed } from "../cli/parameter.ts";
import { texts } from "../cli/value-parameters.ts";
import { rawCustomVerb } from "../cli/verbs-with-code.ts";
import { eachFlags } from "./each/flags.ts";

export const eachVerb = rawCustomVerb({
  doc: "Run a command once for each of several organizations, side by side",
  operations: "any",
  asks: "sometimes",
  operands: { words: emptyAllowed(texts("after --, the command", "command")) },
  flags: eachFlags,
  note:
    "Of several profiles of one organization, the current one is used, else the first by name. -p chooses too. " +
    "Records get a member profile. zulipctl checks changes for all organizations first. Then one question names each " +
    "organization with its number of changes. The exit code is 0, or the most serious of: 70, 7, 5, 6, 3, 4, 1, 8, 2. " +
    "Then other organizations may be changed: the last line says how to run it again for the rest.",
  examples: [
    "zulipctl each -- channel list",
    "zulipctl each --profiles work --dry-run -- folder create Projects",
    "zulipctl each --profiles work --yes -- org apply organization.yaml",
  ],
  records: "run",
  run: async (shell, every) => (await import("./each/run-for-each.ts")).runForEach(shell, every),
});

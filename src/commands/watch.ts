import { emptyAllowed, optionalOperand } from "../cli/parameter.ts";
import { offered, texts } from "../cli/value-parameters.ts";
import { rawCustomVerb } from "../cli/verbs-with-code.ts";
import { snapshotReads } from "../organization/section-names.ts";
import { shownKinds, watchFlags } from "./watch/flags.ts";

export const watchVerb = rawCustomVerb({
  doc: "Print what changes in the organization, as it changes",
  operations: ["events.register", "events.list", ...snapshotReads],
  operands: {
    command: optionalOperand(
      emptyAllowed(offered(["zulipctl"], texts("after --, a program to run for each record", "command"))),
    ),
  },
  flags: watchFlags,
  note:
    `Kinds: ${shownKinds.join(", ")}.\n` +
    "In a pipe it prints a JSON object for each change.\n" +
    "A program gets one record after the other on stdin, and no credentials. It ends with watch.\n" +
    "Only administrators and owners can do this: others do not see every private channel.",
  examples: [
    "zulipctl watch",
    "zulipctl watch --only user,group -o ndjson >> changes.ndjson",
    "zulipctl watch --plan organization.yaml",
  ],
  run: async (shell) => (await import("./watch/print-changes.ts")).printChanges(shell),
});

import { guardFlags } from "../cli/guard-flags.ts";
import { optionalOperand, withDefault } from "../cli/parameter.ts";
import { names, offered, texts, toggle } from "../cli/value-parameters.ts";
import type { Verb } from "../cli/verb.ts";
import type { VerbDescription } from "../cli/verb-description.ts";
import { readingParameters } from "../cli/verb-parameters.ts";
import { everyKind } from "../model/kinds/index.ts";
import { applyOperations } from "../organization/section-names.ts";

/** What takes back the changes of a run. Values are set again with the operation that changed them. */
const undoOperations = [
  ...applyOperations,
  ...everyKind.flatMap(([, { section, read }]) => (section === undefined ? [] : read.operation)),
  ...["channel.topics", "drafts.add", "drafts.list", "drafts.rm", "invite.rm", "invite.link.rm"],
  ...["messages.edit", "messages.show", "settings.update-people"],
];

const spec = {
  doc: "Take back what a run changed: plan, confirm, send, and read again",
  operations: undoOperations,
  asks: "always",
  exits: [6],
  operands: {
    runs: optionalOperand(withDefault("last", offered("logged-run", texts("runs of zulipctl log, or last", "run")))),
  },
  flags: {
    only: names("only things with these exact names or ids; @file reads a file", "target"),
    includeLater: toggle("take away what the run made, with what others have put into it since"),
    ...guardFlags,
  },
  note: "zulipctl prints the plan and asks once; --yes answers. What was changed since is left alone. last is the last command of this account, if it changed something; --job takes all runs of a job. An undo is a run too: name it to bring its changes back.",
  examples: ["zulipctl undo --dry-run", "zulipctl undo last --only design --yes", "zulipctl undo --job nightly --yes"],
} satisfies VerbDescription;

export const undoNoun: Verb = {
  ...spec,
  action: (shell) =>
    shell.custom(async () => readingParameters(spec, (await import("./undo/undo-run.ts")).undoRuns(shell)), {
      many: true,
      records: "undo",
    }),
};

import { acts } from "../cli/conversation.ts";
import { filter, offered, text } from "../cli/kinds.ts";
import { optionalOperand, withDefault } from "../cli/word.ts";
import { applyOperations } from "../organization/words.ts";

/** What takes back the changes of a run. Values are set again with the operation that changed them. */
const undoOperations = [
  ...applyOperations,
  ...["channel.list", "channel.topics", "domain.list", "drafts.add", "drafts.list", "drafts.rm", "emoji.list"],
  ...["group.list", "invite.rm", "invite.link.rm", "linkifier.list", "messages.edit", "messages.show"],
  ...["settings.update-people", "users.list"],
];

export const undo = acts({
  doc: "Take back what a run changed: plan, confirm, send, and read again",
  operations: undoOperations,
  asks: "always",
  exits: [6],
  operands: {
    run: optionalOperand(withDefault("last", offered("logged-run", text("run of zulipctl log, or last", "run")))),
  },
  flags: { only: filter("only changes whose target has this text in its name or id", "target") },
  note: "zulipctl prints the plan and asks once; --yes answers. What somebody else has changed since is left alone. An undo is a run too: undo last after it brings the changes back.",
  examples: ["zulipctl undo --dry-run", "zulipctl undo last --only design --yes"],
  run: async (shell) => (await import("./undo/run.ts")).undoes(shell),
  many: true,
});

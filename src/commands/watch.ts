import { kinds } from "../audit/words.ts";
import { acts } from "../cli/conversation.ts";
import { duration, offered, oneOrMore, text, texts, toggle } from "../cli/kinds.ts";
import { emptyAllowed, optionalOperand, type RawFlags } from "../cli/word.ts";

const watchedKinds = [...kinds, "profile_field", "folder", "invitation", "message"] as const;

const flags = {
  only: oneOrMore(watchedKinds, "only changes of these kinds", "kind"),
  target: text("only changes of this thing: name, e-mail address or id", "name"),
  for: duration("stop after this long: 10m, 12h"),
  plan: offered("file", texts("print differences from these organization files instead", "file|folder")),
  exitCode: toggle("with --plan: exit with 8 at the first difference"),
  messages: toggle("also print messages that the account receives"),
  withCredentials: toggle("give the program the site, e-mail address and API key in its environment"),
};
export type Options = RawFlags<typeof flags>;

export const watch = acts({
  doc: "Print what changes in the organization, as it changes",
  operands: {
    command: optionalOperand(
      emptyAllowed(offered(["zulipctl"], texts("after --, a program to run for each record", "command"))),
    ),
  },
  flags,
  note:
    "In a pipe it prints a JSON object for each change.\n" +
    "A program gets one record after the other on stdin, and no credentials. It ends with watch.\n" +
    "Only administrators and owners can do this: others do not see every private channel.",
  examples: [
    "zulipctl watch",
    "zulipctl watch --only user,group -o ndjson >> changes.ndjson",
    "zulipctl watch --plan organization.yaml",
  ],
  run: async (shell) => (await import("./watch/run.ts")).watch(shell),
});

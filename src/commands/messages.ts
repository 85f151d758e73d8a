import { sendMessage, updateMessage } from "../api/messages.ts";
import type { RawOptions } from "../cli/flag-rules.ts";
import { noun } from "../cli/noun.ts";
import { requiredFlag } from "../cli/parameter.ts";
import { id, ids, markdown } from "../cli/value-parameters.ts";
import { bulkVerb, changingVerb, readingVerb } from "../cli/verbs-with-code.ts";
import { Usage } from "../errors.ts";
import { mostWithoutCopy } from "../model/removal-limit.ts";
import { bulkFlags, findFlags, moveFlags, narrowFlags, sendFlags } from "./messages/flags.ts";

const search = ["narrow", "narrowJson", "since", "until", "limit", "all"] as const;

const bulkConflicts = [
  ["narrow", "narrowJson", "all"],
  ["narrowJson", "all"],
  ["ids", ...search],
  ["resume", "ids", ...search, "keep"],
] as const;

/** Without a filter, all messages of the account would match. */
function checkFilter({ ids, narrow, narrowJson, since, until, all, resume }: RawOptions): void {
  if ([ids, narrow, narrowJson, since, until, all, resume].every((flag) => flag === undefined))
    throw new Usage("missing required flag: --ids, --narrow, --since, --until or --all");
}

const bulkNote =
  "zulipctl finds all messages first. Then it shows how many there are, from whom and where, and asks once. " +
  "Messages that match later are not touched. A message that is already gone counts as done.";

export const messagesNoun = noun("Messages: find, send, edit, move and delete them", {
  find: readingVerb({
    doc: "Find messages by a search or filter expression, newest first",
    operations: ["messages.list"],
    flags: findFlags,
    conflicts: [
      ["narrow", "narrowJson"],
      ["all", "limit"],
    ],
    examples: [
      "zulipctl messages find --narrow 'channel:design' --limit 10",
      "zulipctl messages find --narrow 'channel:general sender:8' --since 30d --all -o ndjson",
      "zulipctl messages find --narrow 'channel:design' -o ids | zulipctl messages match --ids - --narrow has:link",
    ],
    run: async () => (await import("./messages/find.ts")).findMessages,
  }),

  show: readingVerb({
    doc: "Show messages by id: sender, place, time, content",
    operations: ["messages.show"],
    operands: { ids: ids("free", "ids of messages; - reads them from stdin") },
    examples: ["zulipctl messages show 1", "zulipctl messages show 1 --jq '.[].content'"],
    run: async () => (await import("./messages/find.ts")).showMessages,
  }),

  send: changingVerb({
    operation: sendMessage,
    doc: "Send a message to a channel or to people",
    flags: sendFlags,
    conflicts: [["to", "channel", "topic"]],
    requires: [["channel", "topic"]],
    check({ channel, to }) {
      if (channel === undefined && to === undefined) throw new Usage("messages send requires --channel or --to");
    },
    examples: [
      "zulipctl messages send --channel design --topic logo --content 'The new logo is ready.'",
      "zulipctl messages send --to cora@sandbox.example,otis@sandbox.example --content 'Lunch at noon?'",
    ],
    run: async () => (await import("./messages/send.ts")).planMessage,
  }),

  edit: changingVerb({
    operation: updateMessage,
    doc: "Change the content of a message that the account sent",
    operands: { id: id("free", "the message's id") },
    flags: { content: requiredFlag(markdown()) },
    examples: ["zulipctl messages edit 4 --content 'We release on Monday; hello world'"],
    run: async () => (await import("./messages/send.ts")).planMessageEdit,
  }),

  delete: bulkVerb({
    doc: "Delete messages: those with these ids, or all that match",
    operations: ["messages.list", "messages.delete"],
    asks: "always",
    flags: bulkFlags,
    conflicts: bulkConflicts,
    check: checkFilter,
    note: `${bulkNote} Without a terminal, more than ${mostWithoutCopy} messages need --keep <file> or --no-keep.`,
    examples: [
      "zulipctl messages delete --ids 3 --yes",
      "zulipctl messages delete --narrow 'channels:public sender:12' --since 7d --keep spam.ndjson --yes",
      "zulipctl messages delete --narrow 'channel:general topic:\"release plan\"' --dry-run",
    ],
    run: async () => (await import("./messages/delete-and-move.ts")).deleteActions,
  }),

  move: bulkVerb({
    doc: "Move messages to another topic or channel: those with these ids, or all that match",
    operations: ["messages.list", "messages.edit"],
    asks: "always",
    flags: moveFlags,
    conflicts: [...bulkConflicts, ["resume", "toTopic", "toChannel"]],
    check(typed) {
      checkFilter(typed);
      const { resume, toTopic, toChannel } = typed;
      if ([resume, toTopic, toChannel].every((flag) => flag === undefined))
        throw new Usage("messages move requires --to-topic or --to-channel");
    },
    note: `${bulkNote} Without --notify, no notice is posted.`,
    examples: [
      "zulipctl messages move --ids 4,5 --to-topic 'release notes' --yes",
      "zulipctl messages move --narrow 'channel:general topic:\"release plan\"' --to-channel design --notify --yes",
    ],
    run: async () => (await import("./messages/delete-and-move.ts")).moveActions,
  }),

  match: readingVerb({
    doc: "Check which messages match a search or filter expression",
    operations: ["messages.match"],
    flags: {
      ids: requiredFlag(ids("free", "ids of messages; - reads them from stdin", "id,...")),
      ...narrowFlags,
    },
    conflicts: [["narrow", "narrowJson"]],
    examples: ["zulipctl messages match --ids 1,2,3 --narrow 'channel:design has:link'"],
    run: async () => (await import("./messages/find.ts")).matchMessages,
  }),
});

import { sendMessage, updateMessage } from "../api/messages.ts";
import { bulk, plansWith, readsWith } from "../cli/conversation.ts";
import { ids, number, offered, textOrFile } from "../cli/kinds.ts";
import { noun } from "../cli/noun.ts";
import { needed } from "../cli/word.ts";
import {
  bulkFlags,
  checkMeant,
  checkMove,
  checkSent,
  findFlags,
  moveFlags,
  narrowFlags,
  sendFlags,
} from "./messages/words.ts";

const bulkNote =
  "All messages are found first. Then zulipctl shows how many there are, of whom and where, and asks once. " +
  "Messages that match later are not touched, and a message that is gone already is done.";

export const messages = noun("Messages: find, send, edit, move and delete them", {
  find: readsWith({
    doc: "Find messages by a search or filter expression, newest first",
    flags: findFlags,
    examples: [
      "zulipctl messages find --narrow 'channel:design' --limit 10",
      "zulipctl messages find --narrow 'channel:general sender:8' --since 30d --all -o ndjson",
      "zulipctl messages find --narrow 'channel:design' -o ids | zulipctl messages match --ids - --narrow has:link",
    ],
    run: async () => (await import("./messages/find.ts")).find,
  }),

  show: readsWith({
    doc: "Show messages by id: sender, place, time, content",
    operands: { ids: ids("free", "ids of messages; - reads them from stdin") },
    examples: ["zulipctl messages show 1", "zulipctl messages show 1 --jq '.[].content'"],
    run: async () => (await import("./messages/find.ts")).show,
  }),

  send: plansWith({
    operation: sendMessage,
    doc: "Send a message to a channel or to people",
    flags: sendFlags,
    check: checkSent,
    examples: [
      "zulipctl messages send --channel design --topic logo --content 'The new logo is ready.'",
      "zulipctl messages send --to cora@sandbox.example,otis@sandbox.example --content 'Lunch at noon?'",
    ],
    run: async () => (await import("./messages/send.ts")).send,
  }),

  edit: plansWith({
    operation: updateMessage,
    doc: "Change the content of a message that the account sent",
    operands: { id: offered("free", number("the message's id", "id")) },
    flags: { content: needed(textOrFile("Markdown; @file reads a file, - reads stdin")) },
    examples: ["zulipctl messages edit 4 --content 'We release on Monday; hello world'"],
    run: async () => (await import("./messages/send.ts")).edit,
  }),

  delete: bulk({
    doc: "Delete messages: those with these ids, or all that match",
    flags: bulkFlags,
    check: checkMeant,
    note: bulkNote,
    examples: [
      "zulipctl messages delete --ids 3 --yes",
      "zulipctl messages delete --narrow 'channels:public sender:12' --since 7d --keep spam.ndjson --yes",
      "zulipctl messages delete --narrow 'channel:general topic:\"release plan\"' --dry-run",
    ],
    row: async () => (await import("./messages/change.ts")).deleteRow,
    run: async (shell) => (await import("./messages/change.ts")).deletes(shell),
  }),

  move: bulk({
    doc: "Move messages to another topic or channel: those with these ids, or all that match",
    flags: moveFlags,
    check: checkMove,
    note: `${bulkNote} Without --notify nobody is told.`,
    examples: [
      "zulipctl messages move --ids 4,5 --to-topic 'release notes' --yes",
      "zulipctl messages move --narrow 'channel:general topic:\"release plan\"' --to-channel design --notify --yes",
    ],
    row: async () => (await import("./messages/change.ts")).moveRow,
    run: async (shell) => (await import("./messages/change.ts")).moves(shell),
  }),

  match: readsWith({
    doc: "Check which messages match a search or filter expression",
    flags: {
      ids: needed(ids("free", "ids of messages; - reads them from stdin", "id,...")),
      ...narrowFlags,
    },
    examples: ["zulipctl messages match --ids 1,2,3 --narrow 'channel:design has:link'"],
    run: async () => (await import("./messages/match.ts")).match,
  }),
});

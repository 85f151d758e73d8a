import { reads } from "../cli/conversation.ts";
import { ids, number, text } from "../cli/kinds.ts";
import { noun } from "../cli/noun.ts";
import { needed } from "../cli/word.ts";

const narrowing = {
  narrow: text("as in the search box: channel:general topic:x -is:resolved has:link words", "expression"),
  narrowJson: text("the terms as the API has them", "json"),
};

export const messages = noun("Messages", {
  match: reads({
    doc: "Check which messages match a search or filter expression",
    flags: {
      ids: needed(ids("free", "ids of messages; - reads them from stdin", "id,...")),
      ...narrowing,
    },
    examples: ["zulipctl messages match --ids 1,2,3 --narrow 'channel:design has:link'"],
    run: async () => (await import("./messages/find.ts")).match,
  }),

  find: reads({
    doc: "Find messages by a search or filter expression, newest first",
    flags: {
      ...narrowing,
      limit: number("at most this many (default: 100)", "n", 1),
      before: number("older than this message", "id", 1),
      after: number("newer than this message", "id"),
    },
    examples: [
      "zulipctl messages find --narrow 'channel:design' --limit 10",
      "zulipctl messages find --narrow 'channel:design' -o ids | zulipctl messages match --ids - --narrow has:link",
    ],
    run: async () => (await import("./messages/find.ts")).find,
  }),
});

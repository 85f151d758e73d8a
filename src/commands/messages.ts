import { reads } from "../cli/conversation.ts";
import { ids, text } from "../cli/kinds.ts";
import { noun } from "../cli/noun.ts";
import { needed } from "../cli/word.ts";

export const messages = noun("Messages", {
  match: reads(
    {
      doc: "Tell which messages match a search or filter expression",
      flags: {
        ids: needed(ids("ids of messages; - reads them from stdin", "id,...")),
        narrow: text("as in the search box: channel:general topic:x -is:resolved has:link words", "expression"),
        narrowJson: text("the terms as the API has them", "json"),
      },
      examples: ["zulipctl messages match --ids 1,2,3 --narrow 'channel:design has:link'"],
    },
    async () => (await import("./messages/match.ts")).match,
  ),
});

import { getDrafts } from "../api/drafts.ts";
import { plans } from "../cli/conversation.ts";
import { text, textOrFile } from "../cli/kinds.ts";
import { noun } from "../cli/noun.ts";
import { lists } from "../cli/verb.ts";
import { when } from "../output/when.ts";

const kinds: Record<string, string> = { stream: "channel", private: "direct" };

export const drafts = noun("Drafts that the server keeps for the account", {
  add: plans(
    {
      doc: "Create drafts, all of them or none",
      flags: {
        channel: text("for this channel; with --topic", "channel"),
        topic: text("the topic in the channel"),
        to: textOrFile("for a direct conversation with these people", "user,..."),
        content: textOrFile("Markdown; @file reads a file, - reads stdin"),
        timestamp: text("when it was last edited: Unix seconds or ISO 8601", "time"),
        from: textOrFile("many: a JSON array, or a JSON draft a line; - reads stdin", "file"),
      },
      examples: [
        "zulipctl drafts add --channel design --topic logo --content 'What about blue?'",
        "zulipctl drafts add --to cora@sandbox.example --content 'See you tomorrow'",
      ],
    },
    async () => (await import("./drafts/add.ts")).add,
  ),

  list: lists(getDrafts, {
    doc: "Drafts of the account, the oldest edit first",
    records: "drafts",
    id: "id",
    columns: {
      ID: "id",
      TYPE: { value: ({ type }) => kinds[type] ?? type },
      TO: { names: ({ type }) => (type === "stream" ? "channel" : "user"), ids: ({ to }) => to },
      TOPIC: "topic",
      EDITED: { value: ({ timestamp }) => when(timestamp) },
      CONTENT: "content",
    },
    examples: ["zulipctl drafts list -o ndjson"],
  }),
});

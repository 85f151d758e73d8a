import { getDrafts, removeDraft } from "../api/drafts.ts";
import { plans } from "../cli/conversation.ts";
import { ids, number, offered, text, textOrFile } from "../cli/kinds.ts";
import { noun } from "../cli/noun.ts";
import { deletion } from "../cli/question.ts";
import { changesEach, lists } from "../cli/verb.ts";
import { when } from "../output/when.ts";

const kinds: Record<string, string> = { stream: "channel", private: "direct" };

/** Where a draft goes, and what it says. */
const one = {
  channel: offered("channel", text("for this channel; with --topic", "channel")),
  topic: text("the topic in the channel"),
  to: {
    ...textOrFile("for a direct conversation with these people", "user,..."),
    offers: { of: "user", list: true, at: true },
  } as const,
  content: textOrFile("Markdown; @file reads a file, - reads stdin"),
  timestamp: text("when it was last edited: Unix seconds or ISO 8601", "time"),
};

export const drafts = noun("Drafts that the server keeps for the account", {
  add: plans({
    doc: "Create drafts, all of them or none",
    flags: {
      ...one,
      from: offered("file", textOrFile("many: a JSON array, or a JSON draft a line; - reads stdin", "file")),
    },
    examples: [
      "zulipctl drafts add --channel design --topic logo --content 'What about blue?'",
      "zulipctl drafts add --to cora@sandbox.example --content 'See you tomorrow'",
    ],
    run: async () => (await import("./drafts/write.ts")).add,
  }),

  edit: plans({
    doc: "Change a draft; values you leave out stay",
    operands: { id: offered("draft", number("the draft's id", "id")) },
    flags: { ...one, from: offered("file", textOrFile("the whole draft as JSON; - reads stdin", "file")) },
    preview: true,
    examples: ["zulipctl drafts edit 1 --content 'What about green?'"],
    run: async () => (await import("./drafts/write.ts")).edit,
  }),

  rm: changesEach(removeDraft, {
    doc: "Delete drafts",
    things: ids("draft", "ids of drafts; - reads them from stdin"),
    args: (draft_id) => ({ draft_id }),
    done: "Deleted draft {target}.",
    see: "drafts list",
    ...deletion("draft", async (server) => {
      const { drafts } = await server.call(getDrafts, {});
      return new Map(drafts.map(({ id, content }) => [id, `"${content}"`]));
    }),
    examples: ["zulipctl drafts rm 1 --yes", "zulipctl drafts list -o ids | zulipctl drafts rm - --yes"],
  }),

  list: lists(getDrafts, {
    doc: "Drafts of the account, the oldest edit first",
    records: "drafts",
    id: "id",
    columns: {
      ID: "id",
      TYPE: { value: ({ type }) => kinds[type] ?? type },
      TO: { names: ({ type }) => (type === "stream" ? "channel" : "user"), ids: ({ to }) => to },
      TOPIC: "topic",
      EDITED: { value: ({ timestamp }) => when(timestamp), whole: true, importance: "low" },
      CONTENT: { value: ({ content }) => content, cut: true, importance: "high" },
    },
    examples: ["zulipctl drafts list -o ndjson"],
  }),
});

import { createDrafts, type Draft, getDrafts, removeDraft, updateDraft } from "../api/drafts.ts";
import type { Given } from "../argv/given.ts";
import { plansWith } from "../cli/conversation.ts";
import { channel, ids, number, offered, text, textOrFile, users } from "../cli/kinds.ts";
import { noun } from "../cli/noun.ts";
import { deletion } from "../cli/question.ts";
import { changesEach, lists, type RawOptions } from "../cli/verb.ts";
import type { Reading, Word } from "../cli/word.ts";
import { Usage } from "../errors.ts";
import { when } from "../output/when.ts";

const kinds: Record<string, string> = { stream: "channel", private: "direct" };

const writing = () => import("./drafts/write.ts");

const from = (doc: string): Word<Draft[], Given> => ({
  metavar: "file",
  doc,
  file: true,
  offers: { of: "file", at: true },
  read: async (raw: Given, at: Reading) => (await writing()).readFrom(raw, at),
});

/** Where a draft goes, and what it says. */
const one = {
  channel: channel("for this channel; with --topic"),
  topic: text("the topic in the channel"),
  to: users("for a direct conversation with these people"),
  content: textOrFile("Markdown; @file reads a file, - reads stdin"),
  timestamp: text("when it was last edited: Unix seconds or ISO 8601", "time"),
};

/** Throws `Usage` for flags that contradict each other. */
function check(typed: RawOptions): void {
  const alone = Object.keys(one).find((name) => typed[name] !== undefined);
  if (typed.from !== undefined && alone) throw new Usage(`--from cannot be combined with --${alone}`);
  for (const name of ["channel", "topic"])
    if (typed[name] !== undefined && typed.to !== undefined) throw new Usage(`--${name} cannot be combined with --to`);
}

function checkAdded(typed: RawOptions): void {
  check(typed);
  if (typed.from !== undefined) return;
  if (typed.channel !== undefined && typed.topic === undefined) throw new Usage("--channel requires --topic");
  if (typed.topic !== undefined && typed.channel === undefined) throw new Usage("--topic requires --channel");
  if (typed.content === undefined) throw new Usage("drafts add requires --content or --from");
}

const binds = { channel: "draft", topic: "draft", to: "draft", content: "draft", timestamp: "draft", from: "draft" };

export const drafts = noun("Drafts that the server keeps for the account", {
  add: plansWith({
    operation: createDrafts,
    doc: "Create drafts, all of them or none",
    flags: { ...one, from: from("many: a JSON array, or a JSON draft a line; - reads stdin") },
    check: checkAdded,
    examples: [
      "zulipctl drafts add --channel design --topic logo --content 'What about blue?'",
      "zulipctl drafts add --to cora@sandbox.example --content 'See you tomorrow'",
    ],
    run: async () => (await writing()).add,
  }),

  edit: plansWith({
    operation: updateDraft,
    doc: "Change a draft; values you leave out stay",
    operands: { id: offered("draft", number("the draft's id", "id")) },
    flags: { ...one, from: from("the whole draft as JSON; - reads stdin") },
    binds,
    someFlag: true,
    check,
    examples: ["zulipctl drafts edit 1 --content 'What about green?'"],
    run: async () => (await writing()).edit,
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

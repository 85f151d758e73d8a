import { createDrafts, type Draft, getDrafts, removeDraft, updateDraft } from "../api/drafts.ts";
import { readFile, readStdin } from "../argv/read-text.ts";
import type { TextInput } from "../argv/text-input.ts";
import { deletion, shortLine } from "../cli/destructive-question.ts";
import { noun } from "../cli/noun.ts";
import { type CommandParameter, type FlagValues, type ReadContext, withDefault } from "../cli/parameter.ts";
import { channelParameter, recipients } from "../cli/thing-parameters.ts";
import { id, ids, markdown, text } from "../cli/value-parameters.ts";
import { changesEach, lists } from "../cli/verb.ts";
import { changingVerb } from "../cli/verbs-with-code.ts";
import { change } from "../engine/change.ts";
import { Usage } from "../errors.ts";
import { draftProblems, isDraft, maxMessageLength, readDrafts } from "../notation/draft.ts";
import { readUnixSeconds } from "../notation/time.ts";
import { programLine } from "../output/line.ts";
import { timeCell } from "../output/when.ts";
import { currentValuesOf } from "../resolve/current-values.ts";
import type { Context, Planned } from "../run/context.ts";

const kinds: Record<string, string> = { stream: "channel", private: "direct" };

const from = (doc: string): CommandParameter<Draft[], TextInput> => ({
  metavar: "file",
  doc,
  file: true,
  offers: { of: "file", at: true },
  async read(from: TextInput, { context: { world } }: ReadContext) {
    if (from.isData)
      throw new Usage("--from cannot be a column value: it names a file", {
        hint: "Begin the name with a directory: --from ./{file}",
      });
    if (from.isStdin) return readDrafts(await readStdin(world, "--from"), "stdin");
    return readDrafts(await readFile(world, "--from", from.text), from.text);
  },
});

/** The flags for one draft. */
const draftFlags = {
  channel: channelParameter("for this channel; with --topic"),
  topic: text("the topic in the channel"),
  to: recipients("for a direct conversation with these people"),
  content: markdown(),
  timestamp: text("when it was last edited: Unix seconds or ISO 8601", "time"),
};

const conflicts = [
  ["from", "channel", "topic", "to", "content", "timestamp"],
  ["to", "channel", "topic"],
] as const;

const binds = { channel: "draft", topic: "draft", to: "draft", content: "draft", timestamp: "draft", from: "draft" };

/** The flags for a draft, or the drafts of a file. */
type Options = FlagValues<typeof draftFlags> & { from?: Draft[] | undefined };

/** The content and time of the flags, checked as far as this machine can. */
function typedParts({ content, timestamp }: Options) {
  const parts = {
    ...(content !== undefined && { content }),
    ...(timestamp !== undefined && { timestamp: readUnixSeconds(timestamp, "--timestamp") }),
  };
  const [problem] = draftProblems({ type: "", to: [], topic: "", content: "x", ...parts });
  if (problem) throw new Usage(`--${problem}`);
  return parts;
}

/** Servers cut long drafts silently. */
async function noteLong({ note }: Context, drafts: readonly Draft[]): Promise<void> {
  for (const [n, { content }] of drafts.entries()) {
    const { length } = [...content];
    if (length <= maxMessageLength) continue;
    const which = drafts.length === 1 ? "the draft" : `draft ${n + 1}`;
    await note(
      programLine(
        `${which} has ${length.toLocaleString("en")} characters: the server keeps the first ${maxMessageLength.toLocaleString("en")}`,
      ),
    );
  }
}

async function add(context: Context, options: Options): Promise<Planned> {
  const { channel, topic = "", to, from } = options;
  const type = channel ? "stream" : to ? "private" : "";
  const drafts = from ?? [
    { type, to: channel ? [channel.id] : (to ?? []), topic, content: "", ...typedParts(options) },
  ];
  await noteLong(context, drafts);
  return [
    change(
      createDrafts,
      { drafts },
      {
        target: channel?.typed ?? (drafts.length === 1 ? "draft" : `${drafts.length} drafts`),
        done: drafts.length === 1 ? "Added draft {ids}." : `Added ${drafts.length} drafts.`,
        flags: { drafts: from ? "--from" : "--content" },
        verifyWith: "zulipctl drafts list",
        ids: "ids",
      },
    ),
  ];
}

type Address = Pick<Draft, "type" | "to" | "topic">;

/** Where the draft goes. `current` reads the draft for a part without a flag. */
async function addressOf({ channel, topic, to }: Options, current: () => Promise<Draft>): Promise<Address> {
  if (to) return { type: "private", to, topic: "" };
  if (channel && topic !== undefined) return { type: "stream", to: [channel.id], topic };
  const draft = await current();
  if (!channel && topic === undefined) return { type: draft.type, to: draft.to, topic: draft.topic };
  if (draft.type !== "stream")
    throw new Usage(
      `the draft is for no channel yet: ${channel ? "--channel requires --topic" : "--topic requires --channel"}`,
    );
  return { type: "stream", to: channel ? [channel.id] : draft.to, topic: topic ?? draft.topic };
}

/** The call replaces the whole draft. Parts without a flag are sent unchanged, except for the time of the last edit. */
async function edit(context: Context, options: Options & { id: number }): Promise<Planned> {
  const { from, id: draft_id } = options;
  if (from && from.length !== 1) throw new Usage(`--from must contain one draft, not ${from.length}`);
  const parts = typedParts(options);
  const current = async (): Promise<Draft> => {
    const stored = await currentValuesOf(context).of(updateDraft, { draft_id });
    if (isDraft(stored?.values.draft)) return stored.values.draft;
    throw new Usage(`<id>: draft ${draft_id} not found`, { hint: "List them with: zulipctl drafts list" });
  };
  const draft: Draft = from?.[0] ?? {
    ...(await addressOf(options, current)),
    content: parts.content ?? (await current()).content,
    ...(parts.timestamp !== undefined && { timestamp: parts.timestamp }),
  };
  await noteLong(context, [draft]);
  return [
    change(
      updateDraft,
      { draft_id, draft },
      { target: String(draft_id), done: "Updated draft {target}.", flags: {}, verifyWith: "zulipctl drafts list" },
    ),
  ];
}

export const draftsNoun = noun("Drafts that the server keeps for the account", {
  add: changingVerb({
    operation: createDrafts,
    doc: "Create drafts, all or nothing",
    flags: {
      ...draftFlags,
      timestamp: withDefault("now", draftFlags.timestamp),
      from: from("several drafts: a JSON array, or one JSON draft a line; - reads stdin"),
    },
    conflicts,
    requires: [
      ["channel", "topic"],
      ["topic", "channel"],
    ],
    check({ content, from }) {
      if (content === undefined && from === undefined) throw new Usage("drafts add requires --content or --from");
    },
    examples: [
      "zulipctl drafts add --channel design --topic logo --content 'What about blue?'",
      "zulipctl drafts add --to cora@sandbox.example --content 'See you tomorrow'",
    ],
    run: async () => add,
  }),

  edit: changingVerb({
    operation: updateDraft,
    doc: "Change a draft; values you leave out stay",
    operands: { id: id("draft", "the draft's id") },
    flags: { ...draftFlags, from: from("the whole draft as JSON; - reads stdin") },
    binds,
    someFlag: true,
    conflicts,
    examples: ["zulipctl drafts edit 1 --content 'What about green?'"],
    run: async () => edit,
  }),

  rm: changesEach(removeDraft, {
    doc: "Delete drafts",
    things: ids("draft", "ids of drafts; - reads them from stdin"),
    args: (draft_id) => ({ draft_id }),
    done: "Deleted draft {target}.",
    checkCommand: "drafts list",
    confirm: deletion("draft", async (server) =>
      (await server.call(getDrafts, {})).drafts.map(({ id, content }) => [id, `${id} (${shortLine(`"${content}"`)})`]),
    ),
    examples: ["zulipctl drafts rm 1 --yes", "zulipctl drafts list -o ids | zulipctl drafts rm - --yes"],
  }),

  list: lists(getDrafts, {
    doc: "List the drafts of the account, the oldest edit first",
    operations: ["channel.list", "users.list"],
    records: ({ drafts }) => drafts,
    id: "id",
    columns: {
      ID: "id",
      TYPE: { value: ({ type }) => kinds[type] ?? type },
      TO: { names: ({ type }) => (type === "stream" ? "channel" : "user"), ids: ({ to }) => to },
      TOPIC: "topic",
      EDITED: { value: ({ timestamp }) => timeCell(timestamp), whole: true, importance: "low" },
      CONTENT: { value: ({ content }) => content, cut: true, importance: "high" },
    },
    examples: ["zulipctl drafts list -o ndjson"],
  }),
});

import { createDrafts, type Draft, updateDraft } from "../../api/drafts.ts";
import type { Given } from "../../argv/given.ts";
import { readFile, readStdin } from "../../argv/text.ts";
import type { Named } from "../../cli/kinds.ts";
import type { Reading } from "../../cli/word.ts";
import { change } from "../../engine/change.ts";
import { Usage } from "../../errors.ts";
import { draftProblems, longestMessage, readDrafts } from "../../notation/draft.ts";
import { unixSeconds } from "../../notation/time.ts";
import { presentOf } from "../../resolve/present.ts";
import type { Context, Planned } from "../../run/context.ts";

/** What the flags say of a draft, or the drafts of a file. */
interface Wanted {
  channel?: Named | undefined;
  topic?: string | undefined;
  to?: number[] | undefined;
  content?: string | undefined;
  timestamp?: string | undefined;
  from?: Draft[] | undefined;
}

/** The drafts of a file, or of stdin. */
export async function readFrom(from: Given, { context: { world } }: Reading): Promise<Draft[]> {
  if (from.isData)
    throw new Usage("--from names a file, and values of columns are data", {
      hint: "Type how the name begins, as in: --from ./{file}",
    });
  if (from.isStdin) return readDrafts(await readStdin(world, "--from"), "stdin");
  return readDrafts(await readFile(world, "--from", from.text), from.text);
}

/** Content and time as given, checked as far as this machine can. */
function ownParts({ content, timestamp }: Wanted) {
  const own = {
    ...(content !== undefined && { content }),
    ...(timestamp !== undefined && { timestamp: unixSeconds(timestamp, "--timestamp") }),
  };
  const [problem] = draftProblems({ type: "", to: [], topic: "", content: "x", ...own });
  if (problem) throw new Usage(`--${problem}`);
  return own;
}

/** Servers cut long drafts without a word. */
async function noteLong({ note }: Context, drafts: readonly Draft[]): Promise<void> {
  for (const [n, { content }] of drafts.entries()) {
    const { length } = [...content];
    if (length <= longestMessage) continue;
    const which = drafts.length === 1 ? "the draft" : `draft ${n + 1}`;
    await note(
      `zulipctl: ${which} has ${length.toLocaleString("en")} characters: the server keeps the first ${longestMessage.toLocaleString("en")}`,
    );
  }
}

export async function add(context: Context, wanted: Wanted): Promise<Planned> {
  const { channel, topic = "", to, from } = wanted;
  const type = channel ? "stream" : to ? "private" : "";
  const drafts = from ?? [{ type, to: channel ? [channel.id] : (to ?? []), topic, content: "", ...ownParts(wanted) }];
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

/** To whom it goes. `current` reads the draft as it is, for the part that was not given. */
async function addressOf({ channel, topic, to }: Wanted, current: () => Promise<Draft>): Promise<Address> {
  if (to) return { type: "private", to, topic: "" };
  if (channel && topic !== undefined) return { type: "stream", to: [channel.id], topic };
  const now = await current();
  if (!channel && topic === undefined) return { type: now.type, to: now.to, topic: now.topic };
  if (now.type !== "stream")
    throw new Usage(
      `the draft is for no channel yet: ${channel ? "--channel requires --topic" : "--topic requires --channel"}`,
    );
  return { type: "stream", to: channel ? [channel.id] : now.to, topic: topic ?? now.topic };
}

/** The call replaces the whole draft: what was not given is sent as it is now, but for the time of the last edit. */
export async function edit(context: Context, wanted: Wanted & { id: number }): Promise<Planned> {
  const { from, id: draft_id } = wanted;
  if (from && from.length !== 1) throw new Usage(`--from must hold one draft, and holds ${from.length}`);
  const own = ownParts(wanted);
  const current = async (): Promise<Draft> => {
    const found = await presentOf(context).of(updateDraft, { draft_id });
    if (found) return found.values.draft as Draft;
    throw new Usage(`<id>: draft ${draft_id} not found`, { hint: "List them with: zulipctl drafts list" });
  };
  const draft: Draft = from?.[0] ?? {
    ...(await addressOf(wanted, current)),
    content: own.content ?? (await current()).content,
    ...(own.timestamp !== undefined && { timestamp: own.timestamp }),
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

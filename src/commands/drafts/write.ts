import { createDrafts, type Draft, updateDraft } from "../../api/drafts.ts";
import type { Given } from "../../argv/given.ts";
import { namesOf, readFile, readStdin, textOf } from "../../argv/text.ts";
import { change } from "../../engine/change.ts";
import { NothingAsked, Usage } from "../../errors.ts";
import { draftProblems, longestMessage, readDrafts } from "../../notation/draft.ts";
import { unixSeconds } from "../../notation/time.ts";
import { presentOf } from "../../resolve/present.ts";
import type { Context, Planned } from "../../run/context.ts";

/** What flags say of a draft. */
interface Options {
  channel?: string;
  topic?: string;
  to?: Given;
  content?: Given;
  timestamp?: string;
  from?: Given;
}

const single = ["channel", "topic", "to", "content", "timestamp"] as const satisfies readonly (keyof Options)[];

function checkAdded(options: Options): void {
  const { channel, topic, to, content, from } = options;
  checkAlone(options);
  if (from !== undefined) return;
  if (channel !== undefined && to !== undefined) throw new Usage("--channel cannot be combined with --to");
  if (channel !== undefined && topic === undefined) throw new Usage("--channel requires --topic");
  if (topic !== undefined && channel === undefined) throw new Usage("--topic requires --channel");
  if (content === undefined) throw new Usage("drafts add requires --content or --from");
}

/** The flags of a single draft that were given. Throws `Usage` where `--from` is too. */
function checkAlone(options: Options): (typeof single)[number][] {
  const given = single.filter((name) => options[name] !== undefined);
  if (options.from !== undefined && given.length) throw new Usage(`--from cannot be combined with --${given[0]}`);
  return given;
}

async function one(context: Context, options: Options): Promise<Draft> {
  const { channel, topic = "", to } = options;
  const { content = "", ...time } = await ownParts(context, options);
  await context.checkSupported(createDrafts, []);
  if (channel !== undefined)
    return { type: "stream", to: [await context.find.channel(channel, "--channel")], topic, content, ...time };
  if (to === undefined) return { type: "", to: [], topic: "", content, ...time };
  return { type: "private", to: await peopleOf(context, to), topic: "", content, ...time };
}

/** The ids of people, each once. */
async function peopleOf({ find, world }: Context, to: Given): Promise<number[]> {
  const people = [];
  for (const name of await namesOf(world, "--to", [to])) people.push(await find.user(name, "--to"));
  return [...new Set(people)];
}

/** Content and time as given, checked as far as this machine can. */
async function ownParts({ world }: Context, { content, timestamp }: Options) {
  const own = {
    ...(content !== undefined && { content: await textOf(world, "--content", content) }),
    ...(timestamp !== undefined && { timestamp: unixSeconds(timestamp, "--timestamp") }),
  };
  const [problem] = draftProblems({ type: "", to: [], topic: "", content: "x", ...own });
  if (problem) throw new Usage(`--${problem}`);
  return own;
}

async function many({ world }: Context, from: Given): Promise<Draft[]> {
  if (from.isData)
    throw new Usage("--from names a file, and values of columns are data", {
      hint: "Type how the name begins, as in: --from ./{file}",
    });
  if (from.isStdin) return readDrafts(await readStdin(world, "--from"), "stdin");
  return readDrafts(await readFile(world, "--from", from.text), from.text);
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

export async function add(context: Context, options: Options) {
  checkAdded(options);
  const { channel, from, to } = options;
  const drafts = from === undefined ? [await one(context, options)] : await many(context, from);
  await noteLong(context, drafts);
  return [
    change(
      createDrafts,
      { drafts },
      {
        target: from?.text ?? channel ?? to?.text ?? "draft",
        done: drafts.length === 1 ? "Added draft {ids}." : `Added ${drafts.length} drafts.`,
        flags: { drafts: from === undefined ? "--content" : "--from" },
        verifyWith: "zulipctl drafts list",
        ids: "ids",
      },
    ),
  ];
}

type Address = Pick<Draft, "type" | "to" | "topic">;

function checkEdited(options: Options): void {
  const { channel, topic, to, from } = options;
  if (!checkAlone(options).length && from === undefined)
    throw new NothingAsked("drafts edit requires at least one flag that says what to change", {
      hint: 'Run "zulipctl drafts edit --help" for usage.',
    });
  for (const [name, value] of Object.entries({ channel, topic }))
    if (value !== undefined && to !== undefined) throw new Usage(`--${name} cannot be combined with --to`);
}

/** To whom it goes. `current` reads the draft as it is, for the part that was not given. */
async function addressOf(
  context: Context,
  { channel, topic, to }: Options,
  current: () => Promise<Draft>,
): Promise<Address> {
  if (to !== undefined) return { type: "private", to: await peopleOf(context, to), topic: "" };
  const id = channel === undefined ? undefined : await context.find.channel(channel, "--channel");
  if (id !== undefined && topic !== undefined) return { type: "stream", to: [id], topic };
  const now = await current();
  if (id === undefined && topic === undefined) return { type: now.type, to: now.to, topic: now.topic };
  if (now.type !== "stream")
    throw new Usage(
      `the draft is for no channel yet: ${id === undefined ? "--topic requires --channel" : "--channel requires --topic"}`,
    );
  return { type: "stream", to: id === undefined ? now.to : [id], topic: topic ?? now.topic };
}

/** The call replaces the whole draft: what was not given is sent as it is now, but for the time of the last edit. */
export async function edit(context: Context, options: Options, draft_id: number): Promise<Planned> {
  checkEdited(options);
  const { from } = options;
  const drafts = from === undefined ? undefined : await many(context, from);
  if (drafts && drafts.length !== 1) throw new Usage(`--from must hold one draft, and holds ${drafts.length}`);
  const own = await ownParts(context, options);
  const current = async (): Promise<Draft> => {
    const found = await presentOf(context).of(updateDraft, { draft_id });
    if (found) return found.values.draft as Draft;
    throw new Usage(`<id>: draft ${draft_id} not found`, { hint: "List them with: zulipctl drafts list" });
  };
  const draft: Draft = drafts?.[0] ?? {
    ...(await addressOf(context, options, current)),
    content: own.content ?? (await current()).content,
    ...(own.timestamp !== undefined && { timestamp: own.timestamp }),
  };
  await noteLong(context, [draft]);
  return [
    change(
      updateDraft,
      { draft_id, draft },
      { target: String(draft_id), done: "Updated draft {target}.", verifyWith: "zulipctl drafts list" },
    ),
  ];
}

import { createDrafts, type Draft } from "../../api/drafts.ts";
import type { Given } from "../../argv/given.ts";
import { namesOf, readFile, readStdin, textOf } from "../../argv/text.ts";
import { change } from "../../engine/change.ts";
import { Usage } from "../../errors.ts";
import { draftProblems, longestMessage, readDrafts } from "../../notation/draft.ts";
import { unixSeconds } from "../../notation/time.ts";
import type { Context } from "../../run/context.ts";

/** What flags say of a draft. */
export interface Options {
  channel?: string;
  topic?: string;
  to?: Given;
  content?: Given;
  timestamp?: string;
  from?: Given;
}

export const single = ["channel", "topic", "to", "content", "timestamp"] as const satisfies readonly (keyof Options)[];

function checkOptions(options: Options): void {
  const { channel, topic, to, content, from } = options;
  const given = single.filter((name) => options[name] !== undefined);
  if (from !== undefined) {
    if (given.length) throw new Usage(`--from cannot be combined with --${given[0]}`);
    return;
  }
  if (channel !== undefined && to !== undefined) throw new Usage("--channel cannot be combined with --to");
  if (channel !== undefined && topic === undefined) throw new Usage("--channel requires --topic");
  if (topic !== undefined && channel === undefined) throw new Usage("--topic requires --channel");
  if (content === undefined) throw new Usage("drafts add requires --content or --from");
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
export async function peopleOf({ find, world }: Context, to: Given): Promise<number[]> {
  const people = [];
  for (const name of await namesOf(world, "--to", [to])) people.push(await find.user(name, "--to"));
  return [...new Set(people)];
}

/** Content and time as given, checked as far as this machine can. */
export async function ownParts({ world }: Context, { content, timestamp }: Options) {
  const own = {
    ...(content !== undefined && { content: await textOf(world, "--content", content) }),
    ...(timestamp !== undefined && { timestamp: unixSeconds(timestamp, "--timestamp") }),
  };
  const [problem] = draftProblems({ type: "", to: [], topic: "", content: "x", ...own });
  if (problem) throw new Usage(`--${problem}`);
  return own;
}

export async function many({ world }: Context, from: Given): Promise<Draft[]> {
  if (from.isData)
    throw new Usage("--from names a file, and values of columns are data", {
      hint: "Type how the name begins, as in: --from ./{file}",
    });
  if (from.isStdin) return readDrafts(await readStdin(world, "--from"), "stdin");
  return readDrafts(await readFile(world, "--from", from.text), from.text);
}

/** Servers cut long drafts without a word. */
export async function noteLong({ note }: Context, drafts: readonly Draft[]): Promise<void> {
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
  checkOptions(options);
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

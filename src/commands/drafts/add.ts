import { createDrafts, type Draft } from "../../api/drafts.ts";
import type { Given } from "../../argv/given.ts";
import { namesOf, readFile, readStdin, textOf } from "../../argv/text.ts";
import { change } from "../../engine/change.ts";
import { Usage } from "../../errors.ts";
import { draftProblems, readDrafts } from "../../notation/draft.ts";
import { unixSeconds } from "../../notation/time.ts";
import type { Context } from "../../run/context.ts";

interface Options {
  channel?: string;
  topic?: string;
  to?: Given;
  content?: Given;
  timestamp?: string;
  from?: Given;
}

const single = ["channel", "topic", "to", "content", "timestamp"] as const satisfies readonly (keyof Options)[];

function examine(options: Options): void {
  const { channel, topic, to, content, from } = options;
  const given = single.filter((name) => options[name] !== undefined);
  if (from !== undefined) {
    if (given.length) throw new Usage(`--from and --${given[0]} contradict each other`);
    return;
  }
  if (channel !== undefined && to !== undefined) throw new Usage("--channel and --to contradict each other");
  if (channel !== undefined && topic === undefined) throw new Usage("--channel needs --topic");
  if (topic !== undefined && channel === undefined) throw new Usage("--topic needs --channel");
  if (content === undefined) throw new Usage("drafts add needs --content, or --from");
}

async function one({ find, foresee, world }: Context, options: Options): Promise<Draft> {
  const { channel, topic = "", to, timestamp } = options;
  const time = timestamp === undefined ? {} : { timestamp: unixSeconds(timestamp, "--timestamp") };
  const content = await textOf(world, "--content", options.content!);
  const [problem] = draftProblems({ type: "", to: [], topic, content, ...time });
  if (problem) throw new Usage(`--${problem}`);
  await foresee(createDrafts, []);
  if (channel !== undefined)
    return { type: "stream", to: [await find.channel(channel, "--channel")], topic, content, ...time };
  if (to === undefined) return { type: "", to: [], topic: "", content, ...time };
  const people = [];
  for (const name of await namesOf(world, "--to", [to])) people.push(await find.user(name, "--to"));
  return { type: "private", to: [...new Set(people)], topic: "", content, ...time };
}

async function many({ world }: Context, from: Given): Promise<Draft[]> {
  if (from.isData)
    throw new Usage("--from names a file, and what a column gives is data", {
      hint: "Type how the name begins, as in: --from ./{file}",
    });
  if (from.isStdin) return readDrafts(await readStdin(world, "--from"), "stdin");
  return readDrafts(await readFile(world, "--from", from.text), from.text);
}

export async function add(context: Context, options: Options) {
  examine(options);
  const { channel, from, to } = options;
  const drafts = from === undefined ? [await one(context, options)] : await many(context, from);
  return [
    change(
      createDrafts,
      { drafts },
      {
        target: from?.text ?? channel ?? to?.text ?? "draft",
        done: drafts.length === 1 ? "Draft {ids} added." : `${drafts.length} drafts added.`,
        flags: { drafts: from === undefined ? "--content" : "--from" },
        verifyWith: "zulipctl drafts list",
        ids: "ids",
      },
    ),
  ];
}

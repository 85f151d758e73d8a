import { type Draft, updateDraft } from "../../api/drafts.ts";
import { change } from "../../engine/change.ts";
import { NothingAsked, Usage } from "../../errors.ts";
import { presentOf } from "../../resolve/present.ts";
import type { Context, Planned } from "../../run/context.ts";
import { many, noteLong, type Options, ownParts, peopleOf, single } from "./add.ts";

type Address = Pick<Draft, "type" | "to" | "topic">;

function checkOptions(options: Options): void {
  const { channel, topic, to, from } = options;
  const given = single.filter((name) => options[name] !== undefined);
  if (!given.length && from === undefined)
    throw new NothingAsked("drafts edit requires at least one flag that says what to change", {
      hint: 'Run "zulipctl drafts edit --help" for usage.',
    });
  if (from !== undefined && given.length) throw new Usage(`--from cannot be combined with --${given[0]}`);
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
  checkOptions(options);
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

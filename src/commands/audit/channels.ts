import { type ChannelActivity, channelsOf } from "../../audit/activity.ts";
import { counted } from "../../counted.ts";
import type { Column, Listing } from "../../output/form.ts";
import type { Context } from "../../run/context.ts";
import { dateOf } from "./people.ts";
import { sourceOf } from "./source.ts";

interface Options {
  from?: string;
  inactiveFor?: number;
  archived?: boolean;
}

const lastOf = ({ privacy, last_message }: ChannelActivity): string =>
  dateOf(last_message, privacy === "private" ? "unknown" : "never");

const columns: Column<ChannelActivity>[] = [
  { head: "ID", value: ({ id }) => id, align: "right" },
  { head: "NAME", value: ({ name }) => name, importance: "high" },
  { head: "PRIVACY", value: ({ privacy }) => privacy },
  { head: "SUBSCRIBERS", value: ({ subscribers }) => subscribers, align: "right" },
  { head: "LAST MESSAGE", value: lastOf, importance: "high" },
  { head: "MESSAGES", value: ({ messages }) => messages ?? "unknown", align: "right" },
];

/** Lists channels, the longest without messages first. */
export async function channels(context: Context, options: Options): Promise<Listing<ChannelActivity>> {
  const { world } = context;
  const { archived = false, inactiveFor } = options;
  const all = await channelsOf(world.files, await sourceOf(context, options.from));
  const before = inactiveFor === undefined ? undefined : world.clock.now() - inactiveFor;
  const last = ({ last_message, created }: ChannelActivity) => Date.parse(last_message ?? created);
  const listed = all.filter((channel) => channel.archived === archived);
  const records = listed
    .filter((channel) => before === undefined || (channel.privacy !== "private" && last(channel) < before))
    .sort((a, b) => last(a) - last(b) || a.id - b.id);
  const unknown = listed.filter(({ privacy }) => privacy === "private").length;
  if (before !== undefined && unknown > 0)
    await context.warn(
      `zulipctl: left out ${counted(unknown, "private channel")}: a public export does not hold their messages`,
    );
  return { kind: "listing", records, columns, id: "id" };
}

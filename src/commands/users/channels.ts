import { type Channel, getChannels } from "../../api/channels.ts";
import { register } from "../../api/events.ts";
import { getUserChannels } from "../../api/people.ts";
import type { Named } from "../../cli/kinds.ts";
import type { Server } from "../../client/server.ts";
import type { Listing } from "../../output/form.ts";
import type { Context } from "../../run/context.ts";
import { call } from "../../wire/call.ts";
import { listing, read } from "../channel/list.ts";

/** The first level that tells the channels of one account alone. */
const since = getUserChannels.since!;

/** What older servers tell only of the whole organization. */
const whole = {
  event_types: [],
  fetch_event_types: ["subscription"],
  include_subscribers: "true",
  client_capabilities: { notification_settings_null: false },
};

async function subscribedTo(server: Server, user_id: number, command: string): Promise<ReadonlySet<number>> {
  if ((await server.level()) >= since)
    return new Set((await server.call(getUserChannels, { user_id }, { command })).subscribed_channel_ids);
  const { subscriptions, unsubscribed, never_subscribed } = await server.call(register, whole, { command });
  const all = [subscriptions, unsubscribed, never_subscribed].flatMap((some) => some ?? []);
  return new Set(all.filter(({ subscribers }) => subscribers?.includes(user_id)).map(({ stream_id }) => stream_id));
}

export async function channels(context: Context, { user }: { user: Named }): Promise<Listing<Channel>> {
  const { command, find } = context;
  const server = await context.server();
  await context.showInstead([
    (await server.level()) >= since ? call(getUserChannels, { user_id: user.id }) : call(register, whole),
    call(getChannels, { include_all: true, include_default: true }),
  ]);
  const there = await subscribedTo(server, user.id, command);
  // Throws where nobody has the id.
  if (!there.size) await find.person(user.id);
  const all = await read(context, false);
  return listing(
    context,
    all.filter(({ stream_id }: Channel) => there.has(stream_id)),
  );
}

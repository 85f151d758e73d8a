import { createChannel } from "../../api/channels.ts";
import { channelPermissions } from "../../api/permission-settings.ts";
import { subscribe } from "../../api/subscriptions.ts";
import type { Values } from "../../cli/word.ts";
import { change } from "../../engine/change.ts";
import type { Context, Planned } from "../../run/context.ts";
import { permissionValues } from "./settings.ts";
import type { creationFlags } from "./words.ts";

const noted = new WeakSet<Context["find"]>();

/** Said once for all rows of a batch. */
async function noteSubscriber({ find, note, server }: Context, level: number): Promise<void> {
  if (noted.has(find)) return;
  noted.add(find);
  const { host } = await server();
  await note(
    `zulipctl: without --subscribe ${host} (feature level ${level}) subscribes you to the channel that you create`,
  );
}

type Wanted = { name: string } & Values<Record<never, never>, typeof creationFlags>;

export async function create(context: Context, values: Wanted): Promise<Planned> {
  const { name, description, folder, subscribe: people = [] } = values;
  const settings = {
    announce: values.announce,
    invite_only: values.private,
    is_web_public: values.webPublic,
    is_default_stream: values.default,
    history_public_to_subscribers: values.historyPublicToSubscribers,
    message_retention_days: values.messageRetentionDays,
    // There is no word for none here, and none is what a channel that is made is in.
    folder_id: folder ? folder.id : undefined,
    topics_policy: values.topicsPolicy,
    ...permissionValues(values, channelPermissions),
  };
  const level = await (await context.server()).level();
  const words = {
    target: name,
    done: "Created channel {id}.",
    verifyWith: "zulipctl channel list --archived",
    confirm: values.webPublic
      ? { question: `Create web-public channel "${name}"`, consequence: "Anybody can read it without an account." }
      : undefined,
  };
  if (level >= createChannel.since!) {
    const args = { name, subscribers: people, description, ...settings };
    return [change(createChannel, args, { ...words, ids: "id" })];
  }
  if (!people.length) await noteSubscriber(context, level);
  const subscriptions = [{ name, ...(description !== undefined && { description }) }];
  const args = { subscriptions, ...(people.length && { principals: people }), ...settings };
  // The id is no part of this call's answer: it is read afterwards.
  return [change(subscribe, args, { ...words, ids: "id" as never, newChannel: name })];
}

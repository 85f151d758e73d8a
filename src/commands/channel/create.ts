import { createChannel } from "../../api/channel-create.ts";
import type { ChannelPermission } from "../../api/channel-settings.ts";
import { subscribe } from "../../api/subscriptions.ts";
import { bound } from "../../cli/binding.ts";
import { newName } from "../../cli/kinds.ts";
import { type RawFlags, valuesOf } from "../../cli/word.ts";
import { change } from "../../engine/change.ts";
import { Refused } from "../../errors.ts";
import type { Context } from "../../run/context.ts";
import { checkPrivacy, flagOf, permissionsIn, permissionValues, typedFor } from "./wish.ts";
import { creationBinds, creationFlags } from "./words.ts";

type Options = RawFlags<typeof creationFlags>;

/** Servers check these when a channel is made, and keep what is their default. */
const unstored: readonly ChannelPermission[] = [
  "can_create_topic_group",
  "can_delete_any_message_group",
  "can_delete_own_message_group",
];

function refuseUnstored(options: Options): void {
  const flags = permissionsIn(options).flatMap(([setting]) => (unstored.includes(setting) ? [flagOf(setting)] : []));
  if (flags.length)
    throw new Refused(`a server that creates a channel does not store ${flags.join(" and ")}, and says nothing of it`, {
      outcome: "not_sent",
      hint: `Create it without; then: zulipctl channel update <id> ${flags.map((flag) => `${flag} …`).join(" ")}`,
    });
}

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

export async function create(context: Context, options: Options, name: string) {
  checkPrivacy(options);
  const words = { operands: { name: newName("its name") }, flags: creationFlags };
  const stated = { words: creationFlags, binds: creationBinds };
  const values = await valuesOf(context, words, { operands: [name], flags: options }, async () => {
    refuseUnstored(options);
    // What both calls take, they take from the same levels on.
    await context.foresee(subscribe, typedFor(subscribe, stated, options));
  });
  const { description, announce, folder, subscribe: people = [] } = values;
  const settings = {
    announce,
    invite_only: values.private,
    is_web_public: values.webPublic,
    is_default_stream: values.default,
    history_public_to_subscribers: values.historyPublicToSubscribers,
    message_retention_days: values.messageRetentionDays,
    // There is no word for none here, and none is what a channel that is made is in.
    folder_id: folder ? folder.id : undefined,
    topics_policy: values.topicsPolicy,
    ...permissionValues(values),
  };
  const told = {
    target: name,
    done: "Created channel {id}.",
    verifyWith: "zulipctl channel list --archived",
    confirm: options.webPublic
      ? { question: `Create web-public channel "${name}"`, consequence: "Anybody can read it without an account." }
      : undefined,
  };
  const level = await (await context.server()).level();
  const flagsOf = (operation: typeof subscribe | typeof createChannel) =>
    Object.fromEntries(bound(operation, creationFlags, creationBinds, options).map(({ param, flag }) => [param, flag]));
  if (level >= createChannel.since!)
    return [
      change(
        createChannel,
        { name, subscribers: people, description, ...settings },
        { ...told, ids: "id", flags: flagsOf(createChannel) },
      ),
    ];
  if (!people.length) await noteSubscriber(context, level);
  const subscriptions = [{ name, ...(description !== undefined && { description }) }];
  return [
    change(
      subscribe,
      { subscriptions, ...(people.length && { principals: people }), ...settings },
      // The id is no part of this call's answer: it is read afterwards.
      { ...told, ids: "id" as never, newChannel: name, flags: flagsOf(subscribe) },
    ),
  ];
}

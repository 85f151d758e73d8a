import { createChannel } from "../../api/channel-creation.ts";
import { updateChannel } from "../../api/channels.ts";
import { subscribe } from "../../api/subscriptions.ts";
import type { FlagValues } from "../../cli/parameter.ts";
import { permissionUpdates, permissionValues } from "../../cli/permission-flags.ts";
import { renderSettings } from "../../cli/render-settings.ts";
import { change } from "../../engine/change.ts";
import { Usage } from "../../errors.ts";
import { channelPermissions, needsEveryone, privateMember } from "../../model/channel.ts";
import { programLine } from "../../output/line.ts";
import type { Context, Plan, Planned } from "../../run/context.ts";
import type { NamedThing } from "../../run/named-thing.ts";
import { oncePerRun } from "../../run/once-per-run.ts";
import { type channelCreationFlags, type channelUpdateFlags, fieldsIn } from "./flags.ts";
import { subscribers } from "./subscribers.ts";

const noteSubscriber = oncePerRun(async ({ note, server }: Context, level: number): Promise<void> => {
  const { host } = await server();
  await note(
    programLine(`without --subscribe ${host} (feature level ${level}) subscribes you to the channel that you create`),
  );
});

/** Returns a warning: nobody can get into a private channel without subscribers, unless a permission lets somebody. */
function warningOfClosed(
  { note }: Context,
  values: { name: string } & FlagValues<typeof channelCreationFlags>,
  people: readonly number[],
): (() => Promise<void>) | undefined {
  const opens = [values.canSubscribeGroup, values.canAddSubscribersGroup, values.canAdministerChannelGroup];
  if (!values.private || people.length || opens.some((who) => who !== undefined)) return undefined;
  return () =>
    note(
      programLine(
        `channel "${values.name}" is private and gets no subscribers: nobody can get in later. To be in it yourself, add: --subscribe me`,
      ),
    );
}

export async function planChannelCreation(
  context: Context,
  values: { name: string } & FlagValues<typeof channelCreationFlags>,
): Promise<Planned> {
  const { name, announce, subscribe: people = [] } = values;
  const { new_name: _, is_archived: __, description, is_private, folder_id: folder, ...fields } = fieldsIn(values);
  const settings = {
    announce,
    [privateMember]: is_private,
    ...fields,
    // The call cannot say `none`, which is the default.
    folder_id: folder ? folder.id : undefined,
    ...permissionValues(values, channelPermissions),
  };
  const level = await (await context.server()).level();
  const words = {
    target: name,
    done: "Created channel {id}.",
    already: "Channel {target} exists already.",
    verifyWith: "zulipctl channel list --archived",
  };
  const existing: Plan["existing"] = {
    update: async (channel, isArchived) => {
      const archived = isArchived ? false : undefined;
      return changesIn(
        await planChannelUpdate(context, { ...values, channel, archived, newName: undefined, expect: undefined }),
      );
    },
    addMembers: async (channel) => {
      const { additions } = await import("../../run/members/additions.ts");
      return additions(context, subscribers, [channel], [people], ["--subscribe"]);
    },
  };
  if (level >= createChannel.since!) {
    const args = { name, subscribers: people, description, ...settings };
    const warn = warningOfClosed(context, values, people);
    return {
      changes: [change(createChannel, args, { ...words, ids: "id" })],
      existing: { ...existing, ...(warn && { warn }) },
    };
  }
  if (!people.length) await noteSubscriber(context, level);
  const subscriptions = [{ name, ...(description !== undefined && { description }) }];
  const args = { subscriptions, ...(people.length && { principals: people }), ...settings };
  // The answer has no id, so it is read afterwards.
  return { changes: [{ ...change(subscribe, args, { ...words, newChannel: name }), ids: "id" }], existing };
}

const changesIn = (planned: Planned) => (Array.isArray(planned) ? planned : planned.changes);

type UpdateOptions = { channel: NamedThing } & FlagValues<typeof channelUpdateFlags>;

/** Throws `Usage` if only some may begin topics in a channel that hides its history. No server supports that. */
async function checkTopics({ names }: Context, values: UpdateOptions): Promise<void> {
  const { historyPublicToSubscribers: showsHistory = !values.private, canCreateTopicGroup: creators } = values;
  if (creators === undefined || showsHistory) return;
  const flag = "--can-create-topic-group";
  if (creators === (await names.who("role:everyone", flag))) return;
  throw new Usage(`${flag} ${needsEveryone}`, {
    hint: "To show them the history, add: --history-public-to-subscribers",
  });
}

export async function planChannelUpdate(context: Context, values: UpdateOptions): Promise<Planned> {
  const { channel } = values;
  await checkTopics(context, values);
  const { updates, ...expecting } = await permissionUpdates(context.names, values, channelPermissions);
  const fields = fieldsIn(values);
  const folder = fields.folder_id;
  const args = { ...fields, folder_id: folder === false ? null : folder?.id, ...updates };
  const settings = await renderSettings(context.names, updateChannel, args);
  return [
    change(
      updateChannel,
      { stream_id: channel.id, ...args },
      {
        target: channel.typed,
        done: settings.every(({ parameter }) => parameter === "is_archived")
          ? "Unarchived channel {target}."
          : "Updated channel {target}: {settings}.",
        settings,
        verifyWith: `zulipctl channel show ${channel.id}`,
        ...expecting,
      },
    ),
  ];
}

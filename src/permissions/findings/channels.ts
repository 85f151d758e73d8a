/** Findings about channels. */
import { whoIn } from "../../model/permission.ts";
import type { SnapshotChannel } from "../../organization/snapshot.ts";
import type { Bits } from "../bits.ts";
import type { Evaluation } from "../evaluation.ts";
import { channelsByName } from "../page-order.ts";
import { channelItem, type Finder, idsOf, peopleDetail, settingCommand, settingValue } from "./finding-items.ts";

const liveChannels = ({ snapshot }: Evaluation): SnapshotChannel[] =>
  channelsByName(snapshot).filter(({ is_archived }) => !is_archived);

const privateChannels = (evaluation: Evaluation): SnapshotChannel[] =>
  liveChannels(evaluation).filter(({ invite_only, is_web_public }) => invite_only && !is_web_public);

const subscribersOf = ({ facts }: Evaluation, channel: SnapshotChannel): Bits =>
  facts.subscribers(channel) ?? facts.nobody;

const archive = ({ stream_id }: SnapshotChannel) => `zulipctl channel archive ${stream_id}`;

const cellOf = (evaluation: Evaluation, { stream_id }: SnapshotChannel, permission: string) =>
  evaluation.cell("channel", stream_id, permission);

const isHeldByNobody = (evaluation: Evaluation, permission: string) => (channel: SnapshotChannel) =>
  evaluation.holderSets(cellOf(evaluation, channel, permission)).possible.count === 0;

/** Returns the highest role of at least two people. */
const highestSharedRole = ({ facts }: Evaluation): string | undefined =>
  ["role:administrators", "role:moderators", "role:members"].find((role) => {
    const group = facts.systemGroup(role);
    return group && facts.members(group.id).without(facts.bots).count > 1;
  });

export const channelFinders = {
  channel_without_administrator: ({ evaluation }) =>
    liveChannels(evaluation)
      .filter(isHeldByNobody(evaluation, "administer"))
      .map((channel) => channelItem(channel, null)),

  web_public_channel: ({ evaluation }) =>
    liveChannels(evaluation)
      .filter(({ is_web_public }) => is_web_public)
      .map((channel) => channelItem(channel, `zulipctl channel update ${channel.stream_id} --no-web-public`)),

  guests_in_private_channel: ({ evaluation, evaluation: { facts } }) =>
    privateChannels(evaluation).flatMap((channel) => {
      const guests = facts.people(subscribersOf(evaluation, channel).and(facts.guests));
      const fix = `zulipctl channel subscribers ${channel.stream_id} --delete ${idsOf(guests).join(",")}`;
      return guests.length ? [channelItem(channel, fix, peopleDetail(guests))] : [];
    }),

  closed_private_channel: ({ evaluation, evaluation: { facts } }) =>
    privateChannels(evaluation)
      .filter(isHeldByNobody(evaluation, "can_add_subscribers_group"))
      .map((channel) => {
        const cell = cellOf(evaluation, channel, "administer");
        // An administrator who reads the channel can add others. Nobody else can get that right.
        const [reader] = facts.people(subscribersOf(evaluation, channel).without(facts.bots).without(facts.guests));
        const { direct_members, direct_subgroups } = whoIn(cell.granted_to ?? 0);
        if (!reader) return channelItem(channel, archive(channel));
        return channelItem(
          channel,
          settingCommand(cell, settingValue([...direct_members, reader.user_id], direct_subgroups)),
        );
      }),

  nearly_empty_private_channel: ({ evaluation, evaluation: { facts } }) =>
    privateChannels(evaluation).flatMap((channel) => {
      const people = facts.people(subscribersOf(evaluation, channel).without(facts.bots));
      return people.length <= 1 ? [channelItem(channel, archive(channel), peopleDetail(people))] : [];
    }),

  channel_with_one_administrator({ evaluation }) {
    const role = highestSharedRole(evaluation);
    return liveChannels(evaluation).flatMap((channel) => {
      const cell = cellOf(evaluation, channel, "administer");
      const people = evaluation.holders(cell).filter(({ is_bot }) => !is_bot);
      const fix = role === undefined ? null : settingCommand(cell, role);
      return people.length === 1 ? [channelItem(channel, fix, peopleDetail(people))] : [];
    });
  },
} satisfies Readonly<Record<string, Finder>>;

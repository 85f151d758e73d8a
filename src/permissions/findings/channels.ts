/** Findings about channels. */
import { type Channel, channelsOf } from "../../organization/snapshot.ts";
import type { Bits } from "../bits.ts";
import type { Evaluation } from "../evaluation.ts";
import { partsOf } from "../facts.ts";
import { byName } from "../report/head.ts";
import { about, channelFound, type Finder, ids, setting, whoText } from "./found.ts";

const live = ({ snapshot }: Evaluation): Channel[] =>
  byName(channelsOf(snapshot), ({ name, stream_id }) => [name, stream_id]).filter(({ is_archived }) => !is_archived);

const privateOf = (evaluation: Evaluation): Channel[] =>
  live(evaluation).filter(({ invite_only, is_web_public }) => invite_only && !is_web_public);

const subscribersOf = ({ facts }: Evaluation, channel: Channel): Bits => facts.subscribers(channel) ?? facts.nobody;

const archive = ({ stream_id }: Channel) => `zulipctl channel archive ${stream_id}`;

const cellOf = (evaluation: Evaluation, { stream_id }: Channel, permission: string) =>
  evaluation.cell("channel", stream_id, permission);

const nobodyMay = (evaluation: Evaluation, permission: string) => (channel: Channel) =>
  evaluation.verdict(cellOf(evaluation, channel, permission)).possible.count === 0;

/** Returns the highest role of at least two people. */
const roleOfTwo = ({ facts }: Evaluation): string | undefined =>
  ["role:administrators", "role:moderators", "role:members"].find((role) => {
    const group = facts.systemGroup(role);
    return group && facts.members(group.id).without(facts.bots).count > 1;
  });

export const channelFinders = {
  channel_without_administrator: ({ evaluation }) =>
    live(evaluation)
      .filter(nobodyMay(evaluation, "administer"))
      .map((channel) => channelFound(channel, null)),

  web_public_channel: ({ evaluation }) =>
    live(evaluation)
      .filter(({ is_web_public }) => is_web_public)
      .map((channel) => channelFound(channel, `zulipctl channel update ${channel.stream_id} --no-web-public`)),

  guests_in_private_channel: ({ evaluation, evaluation: { facts } }) =>
    privateOf(evaluation).flatMap((channel) => {
      const guests = facts.people(subscribersOf(evaluation, channel).and(facts.guests));
      const fix = `zulipctl channel subscribers ${channel.stream_id} --delete ${ids(guests).join(",")}`;
      return guests.length ? [channelFound(channel, fix, about(guests))] : [];
    }),

  closed_private_channel: ({ evaluation, evaluation: { facts } }) =>
    privateOf(evaluation)
      .filter(nobodyMay(evaluation, "can_add_subscribers_group"))
      .map((channel) => {
        const cell = cellOf(evaluation, channel, "administer");
        // An administrator who reads the channel can add others. Nobody else can get that right.
        const [reader] = facts.people(subscribersOf(evaluation, channel).without(facts.bots).without(facts.guests));
        const { direct_members, direct_subgroups } = partsOf(cell.granted_to ?? 0);
        if (!reader) return channelFound(channel, archive(channel));
        return channelFound(channel, setting(cell, whoText([...direct_members, reader.user_id], direct_subgroups)));
      }),

  nearly_empty_private_channel: ({ evaluation, evaluation: { facts } }) =>
    privateOf(evaluation).flatMap((channel) => {
      const people = facts.people(subscribersOf(evaluation, channel).without(facts.bots));
      return people.length <= 1 ? [channelFound(channel, archive(channel), about(people))] : [];
    }),

  channel_with_one_administrator({ evaluation }) {
    const role = roleOfTwo(evaluation);
    return live(evaluation).flatMap((channel) => {
      const cell = cellOf(evaluation, channel, "administer");
      const people = evaluation.who(cell).filter(({ is_bot }) => !is_bot);
      const fix = role === undefined ? null : setting(cell, role);
      return people.length === 1 ? [channelFound(channel, fix, about(people))] : [];
    });
  },
} satisfies Readonly<Record<string, Finder>>;

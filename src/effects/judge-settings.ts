/** Judges new values of channels, groups, the organization and profile fields, as the rows of `src/model` state them. */
import { counted, peopleAndBots } from "../common/counted.ts";
import { type Fields, numbersIn } from "../common/object-members.ts";
import { undefinedOnFailure } from "../errors.ts";
import { channelFields, channelRisk, inherited } from "../model/channel.ts";
import type { ChangeEffect } from "../model/effect.ts";
import { settingRisk } from "../model/organization.ts";
import { isPermissionName, whoIn } from "../model/permission.ts";
import { isActivePerson, roles } from "../model/person.ts";
import { optionsIn, optionsLost, optionsRemoved } from "../model/profile-field.ts";
import type { Impact } from "../wire/impact.ts";
import { everyoneTest, givesToEveryone, isOpenByDefault, makesEveryoneMember, takesFrom } from "./everyone.ts";
import { peopleIn } from "./group-people.ts";
import type { Judging, Occurrence } from "./judging.ts";
import type { ChannelNow } from "./present.ts";

type SetImpact = Extract<Impact, { does: "set" }>;

/** Returns the people who can read a public channel, or get into it, and are not in it. */
function outsiders(judging: Judging, id: number, n: number): Promise<number[] | undefined> {
  const { present } = judging;
  const read = async () => {
    const [accounts, subscribers] = await Promise.all([present.accounts(), present.members("channel subscribers", id)]);
    const inside = new Set(subscribers);
    return [...accounts.values()]
      .filter((one) => isActivePerson(one) && one.role !== roles.guest && !inside.has(one.user_id))
      .map(({ user_id }) => user_id);
  };
  return judging.read(read, { what: "who is not in the channel", changes: [n] });
}

/** Returns the value that a channel has until now, as an update sends it. */
const currentValue = (channel: ChannelNow | undefined, organization: Fields, field: string): unknown => {
  if (!channel) return undefined;
  if (field === "is_private") return Boolean(channel.invite_only);
  if (field === "message_retention_days") return channel.message_retention_days ?? organization.message_retention_days;
  return (channel as unknown as Fields)[field];
};

async function channelEffects(judging: Judging, { id, values }: SetImpact, n: number): Promise<ChangeEffect[]> {
  const changed = channelFields.filter((field) => values[field] !== undefined);
  const risky = changed.filter(
    (field) =>
      field === "message_retention_days" ||
      field === "history_public_to_subscribers" ||
      channelRisk(field, undefined, values[field]),
  );
  if (!risky.length || id === undefined) return [];
  const { present } = judging;
  const channels = await judging.read(() => present.channels(), { what: "the channel", changes: [n] });
  const channel = channels?.get(id);
  const keeps = risky.includes("message_retention_days");
  const organization = keeps
    ? ((await judging.read(() => present.organization(), { what: "how long messages are kept", changes: [n] })) ?? {})
    : {};
  const effects: ChangeEffect[] = [];
  for (const field of risky) {
    const desired = values[field];
    const after = keeps ? ((await present.organizationAfter?.()) ?? organization) : organization;
    const to = desired === inherited ? after.message_retention_days : desired;
    const from = currentValue(channel, organization, field);
    if (channel && from === to) continue;
    if (field === "history_public_to_subscribers") {
      // A public channel shows its history to everybody.
      if (to !== true || channel?.invite_only === false || values.is_private === false) continue;
      const people = channel?.subscriber_count;
      effects.push({
        kind: "messages_opened",
        text: `shows its whole history to ${people === undefined ? "all subscribers" : counted(people, "subscriber")}`,
        ...(people !== undefined && { people }),
        asks: true,
      });
      continue;
    }
    const risk = channelRisk(field, from, to);
    if (!risk) continue;
    const { says, question = says, irreversible = false, kind = "access_lost" } = risk;
    const asks = risk.question !== undefined;
    const counts = field === "is_private" && channel !== undefined && ((asks && judging.asks) || judging.depth.shows);
    const who = counts ? await outsiders(judging, id, n) : undefined;
    const [what, more] = asks ? [": its whole history, ", " more"] : [": ", ""];
    const suffix = who ? `${what}${counted(who.length, "person", "people")}${more}` : "";
    effects.push({
      kind,
      text: `${question}${suffix}`,
      ...(irreversible && { irreversible }),
      ...(who && { people: who.length, who }),
      asks,
    });
  }
  return effects;
}

async function organizationEffects(judging: Judging, { values }: SetImpact, n: number): Promise<ChangeEffect[]> {
  const names = Object.keys(values).filter((name) => settingRisk(name, undefined, values[name]) !== undefined);
  const keptNames = values.message_retention_days === undefined ? names : [...names, "message_retention_days"];
  const all = [...new Set([...keptNames, ...(values.authentication_methods ? ["authentication_methods"] : [])])];
  if (!all.length) return [];
  const { present } = judging;
  const now = await judging.read(() => present.organization(), { what: "the settings until now", changes: [n] });
  const differing = all.filter((name) => settingRisk(name, now?.[name], values[name]) !== undefined);
  if (!differing.length) return [];
  const read = () => (present.channelsAfter ? present.channelsAfter() : present.channels());
  const channels = await judging.read(read, { what: "channels", changes: [n], silent: true });
  const list = channels && [...channels.values()];
  const context = {
    webPublic: list?.flatMap(({ name, is_web_public, is_archived }) => (is_web_public && !is_archived ? [name] : [])),
    inheriting: list?.filter(({ message_retention_days: own }) => (own ?? null) === null).length,
  };
  return differing.flatMap((name): ChangeEffect[] => {
    const risk = settingRisk(name, now?.[name], values[name], context);
    if (!risk) return [];
    const { says, irreversible = false, kind = "opened_to_all" } = risk;
    return [{ kind, text: says, ...(irreversible && { irreversible }), asks: true }];
  });
}

/** Returns the permissions that something has until now. */
async function permissionsOf({ present }: Judging, { kind, id }: Pick<SetImpact, "kind" | "id">): Promise<Fields> {
  if (kind === "organization") return present.organization();
  const found = kind === "channel" ? (await present.channels()).get(id ?? -1) : (await present.groups()).get(id ?? -1);
  return (found ?? {}) as unknown as Fields;
}

async function permissionEffects(
  judging: Judging,
  impact: Extract<Impact, { does: "set" | "create" }>,
  n: number,
): Promise<ChangeEffect[]> {
  const { present, depth } = judging;
  const permissions = Object.entries(impact.values).filter(
    ([name, value]) => isPermissionName(name) && value !== undefined,
  );
  const given = permissions.filter(([name, value]) => !isOpenByDefault(name) && whoIn(value).direct_subgroups.length);
  const added = impact.does === "create" ? numbersIn(impact.values.subgroups) : [];
  const shows = depth.takes && impact.does === "set" && permissions.length > 0;
  if (!given.length && !added.length && !shows) return [];
  const changes = [n];
  const groups = await judging.read(() => present.groups(), { what: "groups", changes });
  if (!groups) return [];
  const includesEveryone = everyoneTest([...groups.values()]);
  const willIncludeEveryone = everyoneTest([...((await present.groupsAfter?.()) ?? groups).values()]);
  const effects: ChangeEffect[] = [];
  if (willIncludeEveryone(added)) effects.push({ kind: "opened_to_all", text: makesEveryoneMember, asks: true });
  const wide = given.filter(([, value]) => willIncludeEveryone(whoIn(value).direct_subgroups));
  const now =
    impact.does === "set" && (wide.length || shows)
      ? ((await judging.read(() => permissionsOf(judging, impact), { what: "permissions until now", changes })) ?? {})
      : {};
  for (const [name] of wide)
    if (!includesEveryone(whoIn(now[name]).direct_subgroups))
      effects.push({ kind: "opened_to_all", text: givesToEveryone(name), asks: true });
  if (!shows) return effects;
  const people = peopleIn(groups);
  const peopleAfter = present.groupsAfter ? peopleIn(await present.groupsAfter()) : people;
  const accounts = await judging.read(() => present.accounts(), { what: "who has permissions", changes, silent: true });
  for (const [name, value] of permissions) {
    if (now[name] === undefined) continue;
    const remaining = peopleAfter(whoIn(value));
    const lost = [...people(whoIn(now[name]))].filter((id) => !remaining.has(id));
    const bots = lost.filter((id) => accounts?.get(id)?.is_bot).length;
    if (lost.length)
      effects.push({
        kind: "access_lost",
        text: takesFrom(name, peopleAndBots(lost.length - bots, bots)),
        people: lost.length - bots,
        who: lost,
      });
  }
  return effects;
}

async function fieldEffects(judging: Judging, { id, values }: SetImpact, n: number): Promise<ChangeEffect[]> {
  if (values.field_data === undefined || id === undefined) return [];
  const kept = new Set(optionsIn(values.field_data).map(({ key }) => key));
  const { present } = judging;
  const unread = { what: "which options the profile field has", changes: [n] };
  const gone = optionsIn(await judging.read(() => present.fieldData(id), unread)).filter(({ key }) => !kept.has(key));
  if (!gone.length) return [];
  const keys = new Set(gone.map(({ key }) => key));
  const holders = await undefinedOnFailure(present.holdersOf(id, keys));
  const { says, irreversible = false } = optionsRemoved(gone, holders);
  return [{ kind: "removed", text: says, ...optionsLost(holders), ...(irreversible && { irreversible }), asks: true }];
}

async function subgroupEffects(judging: Judging): Promise<void> {
  const joins = judging.of("join").filter(({ impact }) => impact.list === "group subgroups");
  if (!joins.length) return;
  const changes = joins.map(({ n }) => n);
  const groups = await judging.read(() => judging.present.groups(), { what: "groups", changes });
  if (!groups) return;
  const includesEveryone = everyoneTest([...((await judging.present.groupsAfter?.()) ?? groups).values()]);
  for (const { n, impact } of joins)
    if (includesEveryone(numbersIn([...impact.who])))
      judging.add(n, { kind: "opened_to_all", text: makesEveryoneMember, asks: true });
}

const ofKind: Readonly<
  Record<SetImpact["kind"], (judging: Judging, impact: SetImpact, n: number) => Promise<ChangeEffect[]>>
> = {
  channel: channelEffects,
  organization: organizationEffects,
  group: async () => [],
  profile_field: fieldEffects,
};

export async function judgeSettings(judging: Judging): Promise<void> {
  const { asks, takes } = judging.depth;
  if (!asks && !takes) return;
  const all: Occurrence<"set" | "create">[] = judging.of("set", "create");
  for (const { n, impact } of all) {
    if (impact.does === "set") judging.add(n, ...(await ofKind[impact.kind](judging, impact, n)));
    else if (impact.kind === "channel" && impact.values.is_web_public === true)
      judging.add(n, {
        kind: "messages_opened",
        text: "makes it readable without an account",
        asks: true,
        question: {
          question: `Create web-public channel "${impact.name}"`,
          consequence: "Anybody can read it without an account.",
        },
      });
    judging.add(n, ...(await permissionEffects(judging, impact, n)));
  }
  if (asks) await subgroupEffects(judging);
}

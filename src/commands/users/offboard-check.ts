/** `users offboard --check`: what people would leave behind, and what still works after they left. */

import { regenerateBotKey } from "../../api/bots.ts";
import { userAddress } from "../../api/users.ts";
import type { TextInput } from "../../argv/text-input.ts";
import { firstOfEach } from "../../common/first-of-each.ts";
import { keyBy } from "../../common/group-by.ts";
import type { LogEntry } from "../../log/change-log.ts";
import { readLog } from "../../log/read-log.ts";
import { type GroupMembership, groupMembershipIn } from "../../organization/group-members.ts";
import { needsReading } from "../../organization/offboarding/offboarding-plan.ts";
import { lostChannels, rotateKeyCommand, whomToAsk } from "../../organization/offboarding/remaining.ts";
import { type Responsibility, responsibilitiesOf } from "../../organization/offboarding/responsibilities.ts";
import { sections } from "../../organization/section-registry.ts";
import type { Person } from "../../organization/snapshot.ts";
import type { Column, Listing } from "../../output/form.ts";
import type { Context } from "../../run/context.ts";
import { fetchSnapshot, showReads } from "../org/read.ts";
import { offboardedNames, peopleNamed } from "./offboarded.ts";

interface LeftRow {
  person: { id: number; email: string | null; name: string };
  /** A key of a bot still works, or nobody can read a private channel any more. */
  kind: Responsibility["kind"] | "key" | "channel";
  target: { kind: string; id: number | string | null; name: string | null };
  permission?: string;
  /** Nobody else has the permission, or nobody else is subscribed to the channel. */
  nobody_else?: boolean;
  /** What to do about it, besides the offboarding. */
  to_do?: string;
}

function targetOf(left: Responsibility): LeftRow["target"] {
  if (!("thing" in left)) return { kind: left.kind, id: left.id, name: left.name };
  const { thing } = left;
  if (thing.section === "settings") return { kind: "organization", id: null, name: null };
  return { kind: sections[thing.section].one, id: thing.id, name: thing.name };
}

const personOf = (person: Person): LeftRow["person"] => ({
  id: person.user_id,
  email: userAddress(person) ?? null,
  name: person.full_name,
});

/** Returns what an offboarding by this account leaves undone. */
function toDo(membership: GroupMembership, left: Responsibility, leaving: ReadonlySet<number>): string | undefined {
  if (left.kind === "bot") return `a new key: ${rotateKeyCommand(left)}`;
  if (!("thing" in left) || left.thing.section !== "channels") return undefined;
  const { record } = left.thing;
  if (left.kind === "permission" && !needsReading.has(left.field)) return undefined;
  return membership.caller.reads(record.stream_id) ? undefined : whomToAsk(membership, record, leaving);
}

function rowOf(
  membership: GroupMembership,
  left: Responsibility,
  person: Person,
  leaving: ReadonlySet<number>,
): LeftRow {
  const to_do = toDo(membership, left, leaving);
  return {
    person: personOf(person),
    kind: left.kind,
    target: targetOf(left),
    ...(left.kind === "permission" && { permission: left.field }),
    ...("isLast" in left && { nobody_else: left.isLast }),
    ...(to_do !== undefined && { to_do }),
  };
}

/**
 * Returns what still works after somebody left, as far as the log and the server say: keys of bots that this machine gave to
 * other owners, and private channels that nobody can read.
 */
async function remainsOf(context: Context, membership: GroupMembership, gone: readonly Person[]): Promise<LeftRow[]> {
  if (!gone.length) return [];
  const { organization, site } = membership.snapshot;
  const bots = new Map(organization.realm_users.flatMap((one) => (one.is_bot ? [[one.user_id, one] as const] : [])));
  /** Bots whose key or owner a newer line is about. */
  const settled = new Set<number>();
  const rows: LeftRow[] = [];
  const isAboutBots = (entry: LogEntry) =>
    entry.site === site && entry.outcome === "done" && /^bots\.(?:update|regenerate-key)$/.test(entry.operation);
  for await (const { operation, at, from } of readLog(context.world, isAboutBots, () => undefined)) {
    const id = Number(at?.bot_id);
    const bot = bots.get(id);
    if (!bot || settled.has(id)) continue;
    if (operation === regenerateBotKey.name) settled.add(id);
    const person = gone.find(({ user_id }) => user_id === from?.bot_owner_id);
    if (operation === regenerateBotKey.name || !person) continue;
    settled.add(id);
    const target = { kind: "bot", id, name: bot.full_name };
    const to_do = `a new key: ${rotateKeyCommand({ id, email: userAddress(bot) })}`;
    rows.push({ person: personOf(person), kind: "key", target, to_do });
  }
  const [last] = gone.slice(-1).map(personOf);
  const lost = last
    ? lostChannels(membership).map(({ stream_id: id, name }): LeftRow => {
        const target = { kind: "channel", id, name };
        return {
          person: last,
          kind: "channel",
          target,
          nobody_else: true,
          to_do: "servers do not say who could read it: reactivate somebody who could",
        };
      })
    : [];
  return [...rows, ...lost];
}

const columns: Column<LeftRow>[] = [
  { head: "PERSON", value: ({ person }) => person.name, importance: "high" },
  { head: "LEAVES", value: ({ kind }) => kind, importance: "high" },
  { head: "TARGET", value: ({ target }) => [target.kind, target.name].filter(Boolean).join(" "), importance: "high" },
  { head: "PERMISSION", value: ({ permission }) => permission, importance: "high", whole: true },
  { head: "NOBODY ELSE", value: ({ nobody_else }) => (nobody_else ? "yes" : "") },
  { head: "TO DO", value: ({ to_do }) => to_do, importance: "high" },
];

/** Lists what people have, or have left behind. */
export async function checkLeaving(context: Context, names: readonly TextInput[]): Promise<Listing<LeftRow>> {
  await showReads(context);
  const snapshot = await fetchSnapshot(context);
  const people = keyBy(await peopleNamed(snapshot, names), ({ user_id }) => user_id);
  const membership = groupMembershipIn(snapshot);
  const left = responsibilitiesOf(membership, [...people.values()]);
  const leaving = new Set(people.keys());
  const gone = [...people.values()].filter((person) => !snapshot.organization.realm_users.includes(person));
  const records = left.flatMap((each) => {
    const person = people.get(each.person);
    return person ? [rowOf(membership, each, person, leaving)] : [];
  });
  records.push(...(await remainsOf(context, membership, gone)));
  const firsts = firstOfEach(records, (record) => record.person.id);
  // Servers do not show groups and permissions of deactivated people.
  return {
    kind: "listing",
    records,
    columns,
    // Each person once.
    id: (record) => (firsts.has(record) ? record.person.id : undefined),
    allFields: ["person", "kind", "target"],
    optionalFields: ["permission", "nobody_else", "to_do"],
    ...(!records.length && {
      lines: [
        `Nothing is left behind by ${offboardedNames([...people.values()])}${gone.length ? ", as far as the server and the log show" : ""}.`,
      ],
    }),
  };
}

/** Compares a plan that was confirmed with a fresh one: what is still as confirmed, what is done, what somebody else changed. */
import { groupBy } from "../group-by.ts";
import { same } from "./canonical.ts";
import type { Difference, FieldChange } from "./difference.ts";
import { labelOf } from "./file.ts";
import { channelsOf, type Snapshot } from "./snapshot.ts";
import type { SectionName } from "./words.ts";

interface Recheck {
  /** By fresh difference that was not confirmed as it is now, what changed: completes a sentence that begins with the thing. */
  readonly conflicts: ReadonlyMap<Difference, string>;
  /** Confirmed differences that are gone: what they ask for is so. */
  readonly done: readonly Difference[];
}

const idOf = (one: Difference): number | undefined => ("id" in one ? one.id : undefined);

/** Whether both are about one thing. What was to be created has no id, and its name. */
function sameThing(one: Difference, other: Difference): boolean {
  if (one.section !== other.section || (one.action === "reorder") !== (other.action === "reorder")) return false;
  const [id, otherId] = [idOf(one), idOf(other)];
  return id !== undefined && otherId !== undefined ? id === otherId : one.name === other.name;
}

/** Finds what is about the same thing as another difference, among very many. */
export function findingIn(all: readonly Difference[]): (one: Difference) => Difference[] {
  const byId = groupBy(all, (each) => `${each.section} ${idOf(each)}`);
  const byName = groupBy(all, ({ section, name }) => `${section} ${name}`);
  return (one) => {
    const [ids, names] = [byId.get(`${one.section} ${idOf(one)}`), byName.get(`${one.section} ${one.name}`)];
    return [...new Set([...(ids ?? []), ...(names ?? [])])].filter((each) => sameThing(each, one));
  };
}

export const sameField = (one: FieldChange, other: FieldChange): boolean =>
  one.field === other.field && same(one.of, other.of);

/** Whether all that differs now was confirmed, from what it is now to what it is to be. */
function isConfirmed(fresh: Difference, confirmed: Difference): boolean {
  if (fresh.name !== confirmed.name) return false;
  if ("fields" in fresh)
    return (
      "fields" in confirmed &&
      (fresh.action === confirmed.action || fresh.action === "update") &&
      fresh.fields.every((change) =>
        confirmed.fields.some(
          (each) => sameField(each, change) && same(each.from, change.from) && same(each.to, change.to),
        ),
      )
    );
  if (fresh.action !== confirmed.action) return false;
  const value = (one: Difference, side: "from" | "to"): unknown => (one as { from?: unknown; to?: unknown })[side];
  return (["from", "to"] as const).every((side) => same(value(fresh, side), value(confirmed, side)));
}

/** What somebody else changed since. */
function changeOf(fresh: Difference, confirmed: Difference | undefined): string {
  if (!confirmed) return "differs from the file since the plan was confirmed";
  const creates = (one: Difference) => one.action === "create" || one.action === "invite";
  if (creates(fresh) !== creates(confirmed))
    return creates(fresh) ? "no longer exists" : "was created by somebody else meanwhile";
  if (fresh.name !== confirmed.name) return `is now named ${JSON.stringify(fresh.name)}`;
  if ("fields" in fresh && "fields" in confirmed) {
    const other = fresh.fields.find(
      (change) => !confirmed.fields.some((each) => sameField(each, change) && same(each.from, change.from)),
    );
    if (other) return `now has another ${labelOf(other)}: ${JSON.stringify(other.from) ?? "none"}`;
  }
  return "changed meanwhile";
}

/** By the name under which the plan speaks of what it creates, the id that it has by now. */
function createdIn(snapshot: Snapshot, confirmed: readonly Difference[]): Map<unknown, number> {
  const { organization, channel_folders } = snapshot;
  const ids: Partial<Record<SectionName, readonly (readonly [string, number])[]>> = {
    groups: organization.realm_user_groups.map(({ name, id }) => [name, id]),
    channels: channelsOf(snapshot).map(({ name, stream_id }) => [name, stream_id]),
    folders: channel_folders?.map(({ name, id }) => [name, id]) ?? [],
    profile_fields: organization.custom_profile_fields.map(({ name, id }) => [name, id]),
    linkifiers: organization.realm_linkifiers?.map(({ pattern, id }) => [pattern, id]) ?? [],
  };
  return new Map(
    confirmed.flatMap((one) => {
      const found = one.action === "create" && ids[one.section]?.find(([name]) => name === one.name);
      return found ? [found] : [];
    }),
  );
}

/** A value of the plan with ids in place of the names of what is there by now. */
function identified(value: unknown, created: ReadonlyMap<unknown, number>, inOrder: boolean): unknown {
  if (Array.isArray(value)) {
    const all = value.map((each) => identified(each, created, inOrder));
    const ids = all.filter((each) => typeof each === "number").sort((a, b) => a - b);
    return inOrder ? all : [...ids, ...all.filter((each) => typeof each !== "number")];
  }
  if (typeof value !== "object" || value === null) return value;
  if ("new" in value) return created.get(value.new) ?? value;
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, identified(each, created, inOrder)]));
}

/** `snapshot`: what the fresh differences were found in. */
export function recheck(planned: readonly Difference[], fresh: readonly Difference[], snapshot: Snapshot): Recheck {
  const created = createdIn(snapshot, planned);
  const confirmed = created.size
    ? planned.map((one) => identified(one, created, one.action === "reorder") as Difference)
    : planned;
  const [confirmedOf, freshOf] = [findingIn(confirmed), findingIn(fresh)];
  const conflicts = new Map<Difference, string>();
  for (const one of fresh) {
    const known = confirmedOf(one);
    if (!known.some((each) => isConfirmed(one, each))) conflicts.set(one, changeOf(one, known[0]));
  }
  return { conflicts, done: planned.filter((_, n) => confirmed.slice(n, n + 1).every((one) => !freshOf(one).length)) };
}

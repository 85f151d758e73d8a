/** What becomes of people: roles, profiles, and those who leave and come back. */
import { roles } from "../../api/users.ts";
import type { FieldChange, Update } from "../difference.ts";
import { everybodyOf, type Group, groupOfRole, isFullMember, type Person, type Snapshot } from "../snapshot.ts";
import type { Ids } from "./ids.ts";

function profiled(person: Person, changes: readonly FieldChange[], ids: Ids): Person {
  const told = changes.filter(({ field }) => field === "profile");
  const profile = { ...person.profile_data };
  for (const { of, to } of told) {
    const id = ids.of("profile_fields", of!.field);
    if (to === null) delete profile[id];
    else profile[id] = { value: Array.isArray(to) ? JSON.stringify(to) : to };
  }
  return { ...person, profile_data: profile };
}

function changed(person: Person, { fields }: Update, ids: Ids): Person {
  const { full_name, role } = Object.fromEntries(fields.map(({ field, to }) => [field, to]));
  const number: number | undefined = roles[role as keyof typeof roles];
  return profiled(
    {
      ...person,
      ...(full_name !== undefined && { full_name: full_name as string }),
      ...(number !== undefined && {
        role: number,
        is_owner: number === 100,
        is_admin: number <= 200,
        is_guest: number === 600,
      }),
    },
    fields,
    ids,
  );
}

interface Owned {
  readonly bot_owner_id?: number | null;
}

/** In system groups by their roles and in no other for those who leave. */
function regrouped(
  groups: readonly Group[],
  moved: ReadonlyMap<number, Person | undefined>,
  full: (person: Person) => boolean,
): Group[] {
  return groups.map((group) => {
    const role = Object.keys(groupOfRole).find((number) => groupOfRole[Number(number)] === group.name);
    const system = role !== undefined || group.name === "role:fullmembers";
    const stay = group.members.filter((id) =>
      system ? !moved.has(id) : !(moved.has(id) && moved.get(id) === undefined),
    );
    const come = [...moved].flatMap(([id, person]) => {
      if (!person || !system) return [];
      const mine = role === undefined ? person.role === 400 && full(person) : person.role === Number(role);
      return mine ? [id] : [];
    });
    return { ...group, members: [...stay, ...come] };
  });
}

/** The people, and the groups with what follows from roles. Lists of channels and settings lose those who `leave`. */
export function peopleAfter(
  snapshot: Snapshot,
  updates: readonly Update[],
  ids: Ids,
  /** The days after which members are full ones, if that changes: servers then list them anew. */
  days: number | undefined,
): {
  realm_users: Person[];
  realm_non_active_users: Person[];
  leave: ReadonlySet<number>;
  regroup: (groups: readonly Group[]) => Group[];
} {
  const { realm_users } = snapshot.organization;
  const byId = new Map(updates.map((update) => [update.id, update]));
  const leave = new Set<number>();
  const back = new Set<number>();
  for (const { id, action } of updates) {
    if (action === "deactivate") leave.add(id!);
    if (action === "reactivate") back.add(id!);
  }
  for (const { user_id, bot_owner_id } of realm_users as (Person & Owned)[])
    if (leave.has(bot_owner_id as number)) leave.add(user_id);
  const active = new Set(realm_users.map(({ user_id }) => user_id));
  const moved = new Map<number, Person | undefined>();
  const people = everybodyOf(snapshot).map((person) => {
    const update = byId.get(person.user_id);
    const now = update ? changed(person, update, ids) : person;
    const listedAnew = now.role !== person.role || days !== undefined;
    if (leave.has(person.user_id)) moved.set(person.user_id, undefined);
    else if (back.has(person.user_id) || (active.has(person.user_id) && listedAnew)) moved.set(person.user_id, now);
    return now;
  });
  const stays = ({ user_id }: Person): boolean => (active.has(user_id) || back.has(user_id)) && !leave.has(user_id);
  return {
    realm_users: people.filter(stays),
    realm_non_active_users: people.filter((person) => !stays(person)),
    leave,
    // Most plans move nobody, and lists may be long.
    regroup: (groups) =>
      moved.size ? regrouped(groups, moved, (person) => isFullMember(snapshot, person, days)) : [...groups],
  };
}

/** What becomes of people: roles, profiles, and those who are deactivated and reactivated. */
import { roles } from "../../api/users.ts";
import type { Update } from "../difference.ts";
import type { Ids } from "../ids.ts";
import type { Entry } from "../sections/section.ts";
import { everybodyOf, type Group, groupOfRole, isFullMember, type Person, type Snapshot } from "../snapshot.ts";

function changed(person: Person, { fields }: Update, ids: Ids): Person {
  const profile_data = { ...person.profile_data };
  const now: Person = { ...person, profile_data };
  for (const { field, of, to } of fields)
    if (of) {
      const id = ids.of("profile_fields", of.field);
      if (to === null) delete profile_data[id];
      else profile_data[id] = { value: Array.isArray(to) ? JSON.stringify(to) : to };
    } else if (field === "full_name") now.full_name = String(to);
    else if (field === "role") {
      const role: number = Reflect.get(roles, String(to));
      Object.assign(now, { role, is_owner: role === 100, is_admin: role <= 200, is_guest: role === 600 });
    }
  return now;
}

/** In system groups by their roles, and in no other for those who are deactivated. */
function regrouped(
  groups: readonly Group[],
  moved: ReadonlyMap<number, Person | undefined>,
  isFull: (person: Person) => boolean,
): Group[] {
  return groups.map((group) => {
    const role = Object.keys(groupOfRole).find((number) => groupOfRole[Number(number)] === group.name);
    const system = role !== undefined || group.name === "role:fullmembers";
    const stay = group.members.filter((id) => !moved.has(id) || (!system && moved.get(id) !== undefined));
    const come = [...moved].flatMap(([id, person]) => {
      if (!person || !system) return [];
      const belongs = role === undefined ? person.role === 400 && isFull(person) : person.role === Number(role);
      return belongs ? [id] : [];
    });
    return { ...group, members: [...stay, ...come] };
  });
}

/** The people, and the groups with what follows from roles. Lists of channels and settings lose those who `leave`. */
export function peopleAfter(snapshot: Snapshot, updates: readonly Update[], ids: Ids, settings: Entry) {
  const { realm_users } = snapshot.organization;
  const byId = new Map(updates.map((update) => [update.id, update]));
  const withAction = (action: Update["action"]) =>
    new Set(updates.flatMap((update) => (update.action === action && update.id !== undefined ? [update.id] : [])));
  const [leave, back] = [withAction("deactivate"), withAction("reactivate")];
  for (const { user_id, bot_owner_id } of realm_users) if (leave.has(bot_owner_id ?? 0)) leave.add(user_id);
  const active = new Set(realm_users.map(({ user_id }) => user_id));
  // Servers list members anew when other days make them full ones.
  const threshold = settings.realm_waiting_period_threshold;
  const days = typeof threshold === "number" ? threshold : undefined;
  const moved = new Map<number, Person | undefined>();
  const everybody = everybodyOf(snapshot).map((person) => {
    const { user_id } = person;
    const update = byId.get(user_id);
    const now = update ? changed(person, update, ids) : person;
    const isListedAnew = now.role !== person.role || days !== undefined;
    if (leave.has(user_id)) moved.set(user_id, undefined);
    else if (back.has(user_id) || (active.has(user_id) && isListedAnew)) moved.set(user_id, now);
    return now;
  });
  const stays = ({ user_id }: Person): boolean => (active.has(user_id) || back.has(user_id)) && !leave.has(user_id);
  return {
    realm_users: everybody.filter(stays),
    realm_non_active_users: everybody.filter((person) => !stays(person)),
    leave,
    // Most plans move nobody, and lists may be long.
    regroup: (groups: readonly Group[]) =>
      moved.size ? regrouped(groups, moved, (person) => isFullMember(snapshot, person, days)) : [...groups],
  };
}

/** Finds the people of groups as the file leaves them. Lists of people may name groups. */

import { keyBy } from "../../common/group-by.ts";
import { reachableFrom } from "../../common/reachable.ts";
import { roleNumber, roles } from "../../model/person.ts";
import { groupPrefix } from "../../notation/id.ts";
import { isEntry, type Path } from "../content.ts";
import type { ThingId, Through } from "../difference.ts";
import { idsIn, keyOfId } from "../id-values.ts";
import { isSettings, type SectionName } from "../section-names.ts";
import { sections } from "../section-registry.ts";
import type { Pair, Pairing, Pairings } from "../sections/section-rules.ts";
import { groupOfRole, isFullMember, peopleById, type Snapshot } from "../snapshot.ts";

/** People, and addresses of people whom the file invites. */
interface GroupPeople {
  readonly people: readonly number[];
  readonly invited: readonly string[];
}

interface ListState {
  members?: number[];
  /** Addresses of people in it whom the file invites. */
  readonly invited: string[];
  /** The groups through which people are in it. */
  readonly through: Through[];
}

interface StatedLists {
  /** Returns the members that an entry states. */
  members(pair: Pair): GroupPeople;
  subgroups(pair: Pair): readonly ThingId[];
}

/** A text of a list with its path. */
type ListItem = readonly [text: string, path: Path];

/** Returns the items of a list. Groups begin with `group:`. */
export function listItems(list: unknown, path: Path): ListItem[] {
  if (Array.isArray(list)) return list.map((text, n) => [String(text), [...path, n]]);
  if (!isEntry(list)) return [];
  const groups = listItems(list.groups, [...path, "groups"]);
  return [
    ...listItems(list.users, [...path, "users"]),
    ...groups.map(([text, at]): ListItem => [`${groupPrefix}${text}`, at]),
  ];
}

/** Returns `channel design (subscribers)`. */
export function listName(
  pairings: Pairings,
  list: { readonly section: SectionName; readonly known: ThingId } | undefined,
  path: Path,
): string {
  const field = String(path.at(-1));
  if (!list || isSettings(list.section)) return field;
  const key = keyOfId(list.known);
  const pair = pairings[list.section].pairs.find(({ thing, name }) => (thing?.id ?? name) === key);
  return `${sections[list.section].one} ${pair?.name ?? key} (${field})`;
}

type GroupKey = ReturnType<typeof keyOfId>;

/** Returns the direct members of system groups after the roles of the file. Others keep their members. */
function systemMembersOf(snapshot: Snapshot, people: Pairing): (name: string, members: readonly number[]) => number[] {
  const everybody = peopleById(snapshot);
  const groupOfPerson = new Map<number, string | undefined>();
  for (const { thing, entry } of people.pairs) {
    const person = everybody.get(thing?.id ?? 0);
    const role = roleNumber(entry.role);
    if (!person || role === undefined) continue;
    const isFull = role === roles.member && isFullMember(snapshot, person);
    groupOfPerson.set(person.user_id, isFull ? "role:fullmembers" : groupOfRole[role]);
  }
  return (name, members) => [
    ...members.filter((id) => !groupOfPerson.has(id)),
    ...[...groupOfPerson].flatMap(([id, group]) => (group === name ? [id] : [])),
  ];
}

export class GroupSources {
  readonly #pairs: ReadonlyMap<GroupKey, Pair>;
  readonly #groups: ReadonlyMap<GroupKey, Snapshot["organization"]["realm_user_groups"][number]>;
  readonly #systemMembers: ReturnType<typeof systemMembersOf>;
  readonly #stated: StatedLists;
  /** The groups whose lists of members are being read. */
  readonly #reading = new Set<GroupKey>();
  readonly #lists = new Map<string, ListState>();
  readonly #uses = new Map<GroupKey, string[]>();

  constructor(
    snapshot: Snapshot,
    pairings: { readonly groups: Pairing; readonly people: Pairing },
    stated: StatedLists,
  ) {
    this.#pairs = new Map(pairings.groups.pairs.map((pair) => [pair.thing?.id ?? pair.name, pair]));
    this.#groups = keyBy(snapshot.organization.realm_user_groups, ({ id }) => id);
    this.#systemMembers = systemMembersOf(snapshot, pairings.people);
    this.#stated = stated;
  }

  /** Returns what is known of the list at a path. It grows while the list is read. */
  listAt(path: Path): ListState {
    const key = path.join("\0");
    const list = this.#lists.get(key) ?? { invited: [], through: [] };
    this.#lists.set(key, list);
    return list;
  }

  /** Reads the members of a group, once. Their list may not draw on the group itself. */
  membersOnce(path: Path, group: ThingId, read: () => number[]): number[] {
    const list = this.listAt(path);
    if (list.members) return list.members;
    this.#reading.add(keyOfId(group));
    list.members = read();
    this.#reading.delete(keyOfId(group));
    return list.members;
  }

  /** Returns the name of the group whose list is being read, if this group leads to it. */
  ownGroup(group: ThingId): string | undefined {
    const own = [...this.#reach(group)].find((key) => this.#reading.has(key));
    return own === undefined ? undefined : (this.#pairs.get(own)?.name ?? String(own));
  }

  /** Returns the people in a group, through subgroups. `by`: the list that draws on it. */
  peopleIn(group: ThingId, by: string): GroupPeople {
    const key = keyOfId(group);
    this.#uses.set(key, [...(this.#uses.get(key) ?? []), by]);
    const all = [...this.#reach(group)].map((each) => this.#direct(each));
    return {
      people: [...new Set(all.flatMap(({ people }) => people))],
      invited: [...new Set(all.flatMap(({ invited }) => invited))],
    };
  }

  /** Returns the lists that draw on a group. */
  usesOf(group: ThingId): readonly string[] {
    return this.#uses.get(keyOfId(group)) ?? [];
  }

  #reach(group: ThingId): Set<GroupKey> {
    return reachableFrom([keyOfId(group)], (key) => this.#subgroups(key).map(keyOfId));
  }

  #subgroups(key: GroupKey): readonly ThingId[] {
    const pair = this.#pairs.get(key);
    if (pair && Object.hasOwn(pair.entry, "subgroups")) return this.#stated.subgroups(pair);
    return idsIn(this.#groups.get(key)?.direct_subgroup_ids);
  }

  #direct(key: GroupKey): GroupPeople {
    const pair = this.#pairs.get(key);
    if (pair && Object.hasOwn(pair.entry, "members")) return this.#stated.members(pair);
    const { name = "", members = [], is_system_group } = this.#groups.get(key) ?? {};
    return { people: is_system_group ? this.#systemMembers(name, members) : members, invited: [] };
  }
}

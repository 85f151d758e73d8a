/** Finds the people of groups as the file leaves them. Lists of people may name groups. */

import { reachableFrom } from "../../common/reachable.ts";
import { roleNumber, roles } from "../../model/person.ts";
import { groupPrefix } from "../../notation/id.ts";
import { idsIn, keyOfId } from "../canonical.ts";
import { isEntry, type Path } from "../content.ts";
import type { ThingId, Through } from "../difference.ts";
import { sections } from "../file.ts";
import type { Pair } from "../sections/rules.ts";
import { everybodyOf, groupOfRole, isFullMember, type Snapshot } from "../snapshot.ts";
import { isSettings, type SectionName } from "../words.ts";
import type { Pairing, Pairings } from "./match.ts";

/** People, and addresses of people whom the file invites. */
interface GroupPeople {
  readonly people: readonly number[];
  readonly invited: readonly string[];
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
  const everybody = new Map(everybodyOf(snapshot).map((person) => [person.user_id, person]));
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
  /** By path of a list. */
  readonly #members = new Map<string, number[]>();
  readonly #invited = new Map<string, readonly string[]>();
  readonly #uses = new Map<GroupKey, string[]>();
  readonly #through = new Map<string, Through[]>();

  constructor(
    snapshot: Snapshot,
    pairings: { readonly groups: Pairing; readonly people: Pairing },
    stated: StatedLists,
  ) {
    this.#pairs = new Map(pairings.groups.pairs.map((pair) => [pair.thing?.id ?? pair.name, pair]));
    this.#groups = new Map(snapshot.organization.realm_user_groups.map((group) => [group.id, group]));
    this.#systemMembers = systemMembersOf(snapshot, pairings.people);
    this.#stated = stated;
  }

  /** Reads the members of a group, once. Their list may not draw on the group itself. */
  membersOnce(path: Path, group: ThingId, read: () => number[]): number[] {
    const key = path.join("\0");
    const known = this.#members.get(key);
    if (known) return known;
    this.#reading.add(keyOfId(group));
    const members = read();
    this.#reading.delete(keyOfId(group));
    this.#members.set(key, members);
    return members;
  }

  /** Records that a list of members names somebody whom the file invites. */
  invite(path: Path, email: string): void {
    const key = path.join("\0");
    this.#invited.set(key, [...this.invitedIn(path), email]);
  }

  invitedIn(path: Path): readonly string[] {
    return this.#invited.get(path.join("\0")) ?? [];
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

  /** Records that people are in the list at a path through a group. */
  note(path: Path, through: Through): void {
    const key = path.join("\0");
    this.#through.set(key, [...(this.#through.get(key) ?? []), through]);
  }

  /** Returns the groups through which people are in the list at a path. */
  through(path: Path): readonly Through[] | undefined {
    return this.#through.get(path.join("\0"));
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

/** Converts lists of people and groups: names become ids, and `add` and `remove` complete lists. */

import { membersOf } from "../../common/object-members.ts";
import { Usage } from "../../errors.ts";
import { groupPrefix } from "../../notation/id.ts";
import { readGroupMembers } from "../../notation/references.ts";
import { isEntry, type Path } from "../content.ts";
import { groupsIn, type ThingId, type Through, type WhoValue } from "../difference.ts";
import { idsIn, keyOfId, nobodyIn, sorted, whoValue } from "../id-values.ts";
import type { Pair, Pairings, ValueContext } from "../sections/section-rules.ts";
import type { Person, Snapshot } from "../snapshot.ts";
import type { Findings } from "./findings.ts";
import { GroupSources, listItems, listName } from "./group-sources.ts";
import type { References } from "./references.ts";

const textsOf = (list: unknown): string[] => (Array.isArray(list) ? list.map(String) : []);

/** Returns a complete list, or the current one after `add` and `remove`, without what is not found. `stay` is kept. */
function listOf<K extends ThingId>(
  { value, path }: ValueContext,
  present: readonly K[],
  stay: readonly K[],
  knownOf: (text: string, at: Path, isRemoved: boolean) => readonly K[] | undefined,
): K[] {
  const all = (list: unknown, at: Path, isRemoved = false): K[] =>
    listItems(list, at).flatMap(([text, of]) => knownOf(text, of, isRemoved) ?? []);
  if (!isEntry(value) || "users" in value || "groups" in value) return sorted(new Set([...stay, ...all(value, path)]));
  const removedKeys = new Set(all(value.remove, [...path, "remove"], true).map(keyOfId));
  const added = all(value.add, [...path, "add"]);
  return sorted(new Set([...present.filter((each) => !removedKeys.has(keyOfId(each))), ...added]));
}

/** Unknown names become problems in `findings`. */
export class ListValues {
  readonly #nobody: ReturnType<typeof nobodyIn>;
  readonly #sources: GroupSources;

  constructor(
    snapshot: Snapshot,
    private readonly pairings: Pairings,
    private readonly references: References,
    private readonly findings: Findings,
  ) {
    this.#nobody = nobodyIn(snapshot);
    this.#sources = new GroupSources(snapshot, pairings, {
      members: (pair) => this.#membersOf(pair),
      subgroups: ({ entry, path, thing: group }) =>
        this.groups({ value: entry.subgroups, path: [...path, "subgroups"], from: group?.read("subgroups") }),
    });
  }

  /** Returns sorted ids of people. */
  people(context: ValueContext): number[] {
    const { path, list } = context;
    return list?.section === "groups"
      ? this.#sources.membersOnce(path, list.known, () => this.#peopleOf(context))
      : this.#peopleOf(context);
  }

  groups(context: ValueContext): ThingId[] {
    const present = idsIn(context.from);
    return listOf(context, present, [], (text, at, isRemoved) => {
      const known = this.references.thing("groups", text, at, isRemoved ? "leaving" : present);
      return known === undefined ? [] : [known];
    });
  }

  who({ value, path, from }: ValueContext): WhoValue {
    const present = idsIn(groupsIn(from));
    const { users = [], groups: groupNames = [] } = isEntry(value) ? value : this.#whoIn(String(value), path);
    const ids = this.people({ value: users, path: [...path, "users"], from: membersOf(from).users });
    const all = textsOf(groupNames).map((text, n) =>
      this.references.thing("groups", text, isEntry(value) ? [...path, "groups", n] : path, present),
    );
    return whoValue(ids, idsIn(all), this.#nobody);
  }

  through(path: Path): readonly Through[] {
    return this.#sources.listAt(path).through;
  }

  usesOf(group: ThingId): readonly string[] {
    return this.#sources.usesOf(group);
  }

  /** Returns the people in a group of the file, and the addresses that it invites. */
  #membersOf({ entry, path: at, thing: group, name }: Pair) {
    const path = [...at, "members"];
    const known: ThingId = group?.id ?? { new: name };
    const list = { section: "groups", known } as const;
    const people = this.people({ value: entry.members, path, from: group?.read("members"), list });
    return { people, invited: this.#sources.listAt(path).invited };
  }

  #peopleOf(context: ValueContext): number[] {
    const { omitted, person } = this.references;
    const present = idsIn(context.from).filter((each) => typeof each === "number");
    const presentIds = new Set(present);
    const stay = context.showsDeactivated ? [] : present.filter((id) => omitted.has(id));
    return listOf(context, present, stay, (text, at, isRemoved) => {
      if (text.startsWith(groupPrefix)) return this.#drawnFrom(text, at, context, isRemoved);
      const found = person(text, at);
      if (!found) return undefined;
      if ("user_id" in found) return isRemoved ? [found.user_id] : this.#listed(found, at, context, presentIds);
      if (!isRemoved) this.#invite(found.invited, context, at);
      return [];
    });
  }

  /** Returns the id of a person whom a list has. Those who are deactivated may not be added. */
  #listed(
    { user_id: id, full_name }: Person,
    at: Path,
    { showsDeactivated }: ValueContext,
    present: ReadonlySet<number>,
  ): number[] | undefined {
    const byFile = this.references.deactivated.get(id);
    if (byFile === undefined) return [id];
    const isPresent = present.has(id);
    if (byFile && !(showsDeactivated && isPresent))
      return this.findings.problem(at, `the file deactivates ${full_name}`);
    if (isPresent) return [id];
    const says = ["is deactivated: skipped in lists", "accounts are deactivated, and skipped in lists"] as const;
    this.findings.noticeAbout(full_name, says, at);
    return [];
  }

  /** Returns the people of `group:…` in a list, and invites those whom the file invites. */
  #drawnFrom(text: string, at: Path, context: ValueContext, isRemoved: boolean): number[] | undefined {
    const { thing, deactivated } = this.references;
    const group = thing("groups", text.slice(groupPrefix.length), at, isRemoved ? "leaving" : []);
    if (group === undefined) return undefined;
    const own = this.#sources.ownGroup(group);
    if (own !== undefined) return this.findings.problem(at, `the list draws on its own group "${own}"`);
    const { path } = context;
    const { people, invited } = this.#sources.peopleIn(group, listName(this.pairings, context.list, path));
    if (!isRemoved) for (const email of invited) this.#invite(email, context, at);
    const active = people.filter((id) => !deactivated.has(id));
    this.#sources.listAt(path).through.push({ group, people: active });
    return active;
  }

  /** Adds a list to an invitation of the file, or says that the account is not there yet. */
  #invite(email: string, { list, path }: ValueContext, at: Path): void {
    const lists = this.references.invited.get(email);
    if (lists && list?.section === "groups") this.#sources.listAt(path).invited.push(email);
    if (lists && (list?.section === "groups" || list?.section === "channels")) lists[list.section].push(list.known);
    else {
      const says = `can be named here after ${lists ? "they join" : "it is created"}`;
      this.findings.noticeAbout(email, [says, `accounts ${says.replace("it is", "they are")}`], at);
    }
  }

  /** Reads a text that `settings update` accepts. A group with such a name comes first. */
  #whoIn(text: string, path: Path): { users?: readonly string[]; groups?: readonly string[] } {
    if (text === "nobody") return {};
    if (this.references.isName("groups", text) || !/^(user|group):/.test(text)) return { groups: [text] };
    try {
      return readGroupMembers(text, "a permission");
    } catch (error) {
      if (!(error instanceof Usage)) throw error;
      this.findings.problem(path, error.message);
      return {};
    }
  }
}

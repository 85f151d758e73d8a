/** Converts values of a file to canonical form: names of things and people become ids. */

import { addressOf } from "../../api/users.ts";
import { counted } from "../../common/counted.ts";
import { groupBy } from "../../common/group-by.ts";
import { Usage } from "../../errors.ts";
import { invisiblePart, trimmed } from "../../notation/blanks.ts";
import { groupPrefix } from "../../notation/id.ts";
import { readGroupMembers, systemGroup } from "../../notation/references.ts";
import { idsIn, keyOfId, nobodyIn, same, sorted, whoValue } from "../canonical.ts";
import { isEntry, membersOf, type Path } from "../content.ts";
import { groupsIn, type ThingId, type WhoValue } from "../difference.ts";
import { sections } from "../file.ts";
import { groups, type Member, people, type ReferenceKind, textIn, who } from "../shape.ts";
import { everybodyOf, type Person, type Snapshot } from "../snapshot.ts";
import type { SectionName, ThingSection } from "../words.ts";
import { type Findings, suggestion } from "./findings.ts";
import { GroupSources, listItems, listName } from "./group-sources.ts";
import { formatDuplicates, keyOf, type Pairing } from "./match.ts";
import { choiceNumber, isFreeMapping, methodsOn } from "./setting-values.ts";
import { type Target, targetsOf } from "./targets.ts";

/** The kinds of things that names refer to, besides people. */
type Kind = "groups" | "channels" | "folders" | "profile_fields";

const kinds: Partial<Record<ReferenceKind, Kind>> = {
  channel: "channels",
  folder: "folders",
  group: "groups",
  field: "profile_fields",
};

/** What `settings update` accepts before a name. */
const marks: Partial<Record<Kind, RegExp>> = { channels: /^(#|name:)/, groups: /^@/ };

/** A value of the file, and its context. */
interface ValueContext {
  readonly value: unknown;
  readonly path: Path;
  /** The current value. Undefined if there is none, or the server does not send it. */
  readonly from: unknown;
  /** The list that contains the value. An invitation adds people to it. */
  readonly list?: { readonly section: SectionName; readonly known: ThingId };
  /** Whether servers show deactivated people in this list. */
  readonly showsDeactivated?: boolean;
}

const textsOf = (list: unknown): string[] => (Array.isArray(list) ? list.map(String) : []);

export type Values = ReturnType<typeof valuesOf>;

/** Returns functions that convert values. Unknown names become problems in `findings`. */
export function valuesOf(snapshot: Snapshot, pairings: Readonly<Record<ThingSection, Pairing>>, findings: Findings) {
  const nobody = nobodyIn(snapshot);
  const targets = {
    groups: targetsOf(pairings.groups),
    channels: targetsOf(pairings.channels),
    folders: targetsOf(pairings.folders),
    profile_fields: targetsOf(pairings.profile_fields),
  };
  for (const { id, name, is_system_group } of snapshot.organization.realm_user_groups)
    if (is_system_group) targets.groups.byKey.set(name, [{ id: id, name, isListed: false }]);
  const everybody = everybodyOf(snapshot);
  const byId = new Map(everybody.map((person) => [person.user_id, person]));
  const byName = groupBy(everybody, ({ full_name }) => full_name);
  const visible = everybody.filter((person) => addressOf(person) !== undefined);
  const hiddenCount = everybody.length - visible.length;
  /** Added to "not found": the number of addresses that this account cannot see. */
  const hiddenAddresses = hiddenCount
    ? `; ${counted(hiddenCount, "address is", "addresses are")} hidden from this account`
    : "";
  // Servers send a placeholder for a hidden address. It can be used too.
  const addresses = new Map(everybody.map((person) => [person.email.toLowerCase(), person]));
  for (const person of visible) addresses.set(String(addressOf(person)).toLowerCase(), person);
  /** Deactivated people: servers leave them out of lists. */
  const omitted = new Set(snapshot.organization.realm_non_active_users.map(({ user_id }) => user_id));
  /** Ids of people who are deactivated after the plan, and whether the file deactivates them. */
  const deactivated = new Map([...omitted].map((id) => [id, false]));
  const { pairs } = pairings.people;
  for (const { thing, archives } of [...pairs, ...pairings.bots.pairs]) {
    if (thing?.id === undefined || archives === undefined) continue;
    if (archives) deactivated.set(thing.id, true);
    else {
      deactivated.delete(thing.id);
      omitted.delete(thing.id);
    }
  }
  /** By lower-case address of a person to invite, the groups and channels that list them. */
  const invited = new Map<string, Record<"groups" | "channels", ThingId[]>>(
    pairs
      .filter(({ thing, entry }) => !thing && entry.invite === true)
      .map(({ key }) => [key, { groups: [], channels: [] }]),
  );

  /** Returns the canonical value. Undefined after a problem. */
  function of({ shape, stored, choices, read }: Member, { value: stated, ...rest }: ValueContext): unknown {
    const value = typeof stated === "string" && read ? (read(stated) ?? stated) : stated;
    const context = { ...rest, value };
    const { path, from } = context;
    if (choices) return choiceNumber(choices, context, { snapshot, findings });
    if (shape === people) return peopleIn(context);
    if (shape === groups) return groupsOf(context);
    if (shape === who) return whoOf(context);
    const names = textIn(shape)?.names;
    const kind = names && kinds[names];
    if (kind && typeof value === "string") {
      const isNone = /^(?:none|-1)$/.test(value) && !targets[kind].byKey.has(keyOf(sections[kind], () => value));
      return isNone ? null : thing(kind, value, path, [from]);
    }
    // Keys that the file does not mention keep their values.
    if (read && Array.isArray(value)) return methodsOn(value, from, path, findings);
    if (isFreeMapping(shape)) return { ...membersOf(from), ...membersOf(value) };
    if (!stored) return value;
    return Array.isArray(value) ? value.map((each) => stored(String(each))) : stored(String(value));
  }

  const sources = new GroupSources(snapshot, pairings, {
    members: ({ entry, path: at, thing: group, name }) => {
      const path = [...at, "members"];
      const known: ThingId = group?.id ?? { new: name };
      const list = { section: "groups", known } as const;
      const people = peopleIn({ value: entry.members, path, from: group?.read("members"), list });
      return { people, invited: sources.invitedIn(path) };
    },
    subgroups: ({ entry, path, thing: group }) =>
      groupsOf({ value: entry.subgroups, path: [...path, "subgroups"], from: group?.read("subgroups") }),
  });

  /** Returns sorted ids of people. */
  const peopleIn = (context: ValueContext): number[] =>
    context.list?.section === "groups"
      ? sources.membersOnce(context.path, context.list.known, () => peopleOf(context))
      : peopleOf(context);

  /** Returns the people of `group:…` in a list, and invites those whom the file invites. */
  function drawnFrom(text: string, at: Path, context: ValueContext, isRemoved: boolean): number[] | undefined {
    const group = thing("groups", text.slice(groupPrefix.length), at, isRemoved ? "leaving" : []);
    if (group === undefined) return undefined;
    const own = sources.ownGroup(group);
    if (own !== undefined) return findings.problem(at, `the list draws on its own group "${own}"`);
    const { path } = context;
    const { people, invited: emails } = sources.peopleIn(group, listName(pairings, context.list, path));
    if (!isRemoved) for (const email of emails) invite(email, context, at);
    const active = people.filter((id) => !deactivated.has(id));
    sources.note(path, { group, people: active });
    return active;
  }

  function peopleOf(context: ValueContext): number[] {
    const present = idsIn(context.from).filter((each) => typeof each === "number");
    const stay = context.showsDeactivated ? [] : present.filter((id) => omitted.has(id));
    return listOf(context, present, stay, (text, at, isRemoved) => {
      if (text.startsWith(groupPrefix)) return drawnFrom(text, at, context, isRemoved);
      const found = personOf(text, at);
      if (!found) return undefined;
      if (!("user_id" in found)) {
        if (!isRemoved) invite(found.invited, context, at);
        return [];
      }
      const { user_id: id, full_name } = found;
      const byFile = deactivated.get(id);
      const isPresent = present.includes(id);
      if (isRemoved || byFile === undefined) return [id];
      if (byFile && !(context.showsDeactivated && isPresent))
        return findings.problem(at, `the file deactivates ${full_name}`);
      if (!isPresent) findings.notice(`${full_name} is deactivated: skipped in lists`, at);
      return isPresent ? [id] : [];
    });
  }

  function invite(email: string, { list, path }: ValueContext, at: Path): void {
    const lists = invited.get(email);
    if (lists && list?.section === "groups") sources.invite(path, email);
    if (lists && (list?.section === "groups" || list?.section === "channels")) lists[list.section].push(list.known);
    else findings.notice(`${email} can be named here after ${lists ? "they join" : "it is created"}`, at);
  }

  function groupsOf(context: ValueContext): ThingId[] {
    const present = idsIn(context.from);
    return listOf(context, present, [], (text, at, isRemoved) => {
      const known = thing("groups", text, at, isRemoved ? "leaving" : present);
      return known === undefined ? [] : [known];
    });
  }

  /** Returns a complete list, or the current one after `add` and `remove`, without what is not found. `stay` is kept. */
  function listOf<K extends ThingId>(
    { value, path }: ValueContext,
    present: readonly K[],
    stay: readonly K[],
    knownOf: (text: string, at: Path, isRemoved: boolean) => readonly K[] | undefined,
  ): K[] {
    const all = (list: unknown, at: Path, isRemoved = false): K[] =>
      listItems(list, at).flatMap(([text, of]) => knownOf(text, of, isRemoved) ?? []);
    if (!isEntry(value) || "users" in value || "groups" in value)
      return sorted(new Set([...stay, ...all(value, path)]));
    const removedKeys = new Set(all(value.remove, [...path, "remove"], true).map(keyOfId));
    const added = all(value.add, [...path, "add"]);
    return sorted(new Set([...present.filter((each) => !removedKeys.has(keyOfId(each))), ...added]));
  }

  function whoOf({ value, path, from }: ValueContext): WhoValue {
    const present = idsIn(groupsIn(from));
    const { users = [], groups: groupNames = [] } = isEntry(value) ? value : whoIn(String(value), path);
    const ids = peopleIn({ value: users, path: [...path, "users"], from: membersOf(from).users });
    const all = textsOf(groupNames).map((text, n) =>
      thing("groups", text, isEntry(value) ? [...path, "groups", n] : path, present),
    );
    return whoValue(ids, idsIn(all), nobody);
  }

  /** Reads a text that `settings update` accepts. A group with such a name comes first. */
  function whoIn(text: string, path: Path): { users?: readonly string[]; groups?: readonly string[] } {
    if (text === "nobody") return {};
    if (targets.groups.byKey.has(text) || !/^(user|group):/.test(text)) return { groups: [text] };
    try {
      return readGroupMembers(text, "a permission");
    } catch (error) {
      if (!(error instanceof Usage)) throw error;
      findings.problem(path, error.message);
      return {};
    }
  }

  /**
   * Finds a thing by name. It may be archived if it is being removed (`leaving`) or is already in use here. Undefined
   * after a problem.
   */
  function thing(kind: Kind, text: string, path: Path, inUse: "leaving" | readonly unknown[]): ThingId | undefined {
    const { byKey, names } = targets[kind];
    const { one } = sections[kind];
    const report = (says: string) => findings.problem(path, says);
    const isInUse = ({ id: known }: Target) => inUse !== "leaving" && inUse.some((each) => same(each, known));
    const isName = (written: string) => byKey.has(keyOf(sections[kind], () => written));
    const plain = (written: string) => {
      const unmarked = marks[kind] && !isName(written) ? written.replace(marks[kind], "") : written;
      return kind === "groups" ? unmarked.replace(/^name:/, "") : unmarked;
    };
    // Old servers kept blanks around names.
    const name = isName(plain(text)) ? plain(text) : trimmed(plain(trimmed(text)));
    const key = keyOf(sections[kind], () => name);
    const all = byKey.get(key) ?? [];
    const target = all.find(isInUse) ?? all[0];
    if (!target) {
      const renamed = names.get(key);
      if (renamed !== undefined)
        return report(`${one} "${name}" is renamed to "${renamed}" in the file: use the new name`);
      const invisible = invisiblePart(name);
      if (invisible) return report(`${one} "${name}" contains ${invisible}`);
      const role = kind === "groups" ? systemGroup(name) : undefined;
      const others = [...byKey.values()].flat().map((each) => each.name);
      return report(`${one} "${name}" not found${role ? `; did you mean ${role}?` : suggestion(name, others)}`);
    }
    if (all.length > 1 && !isInUse(target)) {
      const how = target.isListed ? "give them different names" : `add the id of the right one in "${kind}"`;
      const ids = all.map(({ id: known }) => ({ id: known }));
      return report(`there are ${formatDuplicates(sections[kind], target.name, ids)}: ${how}`);
    }
    if (inUse === "leaving") return target.id;
    if (target.archived === "by the file") return report(`the file archives or deactivates ${one} "${target.name}"`);
    if (target.archived && !isInUse(target))
      return report(`${one} "${target.name}" is archived or deactivated: the file must restore it`);
    return target.id;
  }

  const newBots = new Set(pairings.bots.pairs.flatMap(({ thing, key, archives }) => (thing || archives ? [] : [key])));

  function personOf(typed: string, path: Path): Person | { readonly invited: string } | undefined {
    const text = trimmed(typed);
    const invisible = invisiblePart(text);
    const report = (says: string) =>
      findings.problem(path, invisible ? `person "${text}" contains ${invisible}` : says);
    const [, kind, rest = ""] = /^(id|name):(.*)/s.exec(text) ?? [];
    if (kind === "id") return byId.get(Number(rest)) ?? report(`no person with the id ${rest}`);
    if (kind === "name") {
      const all = byName.get(rest) ?? byName.get(trimmed(rest)) ?? [];
      const live = all.filter(({ user_id }) => !deactivated.has(user_id));
      const preferred = live.length ? live : all;
      if (preferred.length === 1) return preferred[0];
      const ids = preferred.map(({ user_id }) => `id:${user_id}`).join(", ");
      if (ids) return report(`several people are named "${rest}": ${ids}`);
      return report(`no person named "${rest}"${suggestion(rest, [...byName.keys()])}`);
    }
    const email = text.toLowerCase();
    const person = addresses.get(email);
    if (person) return person;
    if (invited.has(email) || newBots.has(email)) return { invited: email };
    const form = text.includes("@") ? "" : "; write a full name as name:…";
    const hint = suggestion(text, [...addresses.keys()]) || form || hiddenAddresses;
    return report(`no person with the e-mail address ${text}${hint}`);
  }

  /** Profile fields cannot be archived. */
  const profileField = (text: string, path: Path) => thing("profile_fields", text, path, "leaving");

  return { of, people: peopleIn, person: personOf, profileField, sources, invited, deactivated, hiddenAddresses };
}

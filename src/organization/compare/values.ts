/** Converts values of a file: names of things and people become ids. */

import { membersOf } from "../../common/object-members.ts";
import { Usage } from "../../errors.ts";
import { choicesOf, type Setting } from "../../model/setting.ts";
import { groupPrefix } from "../../notation/id.ts";
import { readGroupMembers } from "../../notation/references.ts";
import { alternativesOf, shapeOf } from "../../wire/shape.ts";
import {
  type AttributeShape,
  groupsShape,
  type Member,
  metadataOf,
  orList,
  peopleShape,
  type ReferenceKind,
  textIn,
  whoShape,
} from "../attribute-shapes.ts";
import { isEntry, type Path } from "../content.ts";
import { groupsIn, type ThingId, type WhoValue } from "../difference.ts";
import { idsIn, keyOfId, nobodyIn, sorted, whoValue } from "../id-values.ts";
import type { Pairings, ValueContext } from "../sections/section-rules.ts";
import type { Snapshot } from "../snapshot.ts";
import type { Findings } from "./findings.ts";
import { GroupSources, listItems, listName } from "./group-sources.ts";
import type { NamedSection, References } from "./references.ts";

const kinds: Partial<Record<ReferenceKind, NamedSection>> = {
  channel: "channels",
  folder: "folders",
  group: "groups",
  field: "profile_fields",
};

const textsOf = (list: unknown): string[] => (Array.isArray(list) ? list.map(String) : []);

/** Whether the shape is a mapping whose keys are free, or a text that stands for one. */
const isFreeMapping = (shape: AttributeShape): boolean =>
  alternativesOf(shapeOf(shape)).some((each) => metadataOf(each).values !== undefined);

/** Returns all methods of the server, with the named ones on. */
function methodsOn(on: readonly unknown[], from: unknown, path: Path, findings: Findings): unknown {
  const all = Object.keys(membersOf(from));
  const wanted = new Set(on.map((name) => String(name).toLowerCase()));
  const unknown = [...wanted].find((name) => !all.some((each) => each.toLowerCase() === name));
  if (unknown !== undefined)
    return findings.problem(path, `unknown sign-in method "${unknown}" on this server: must be ${orList(all)}`);
  return Object.fromEntries(all.map((name) => [name, wanted.has(name.toLowerCase())]));
}

/** Returns the number for a word. Servers differ in the words that they support. */
function choiceNumber(
  setting: Setting,
  { value, path, from }: ValueContext,
  { snapshot, findings }: { snapshot: Snapshot; findings: Findings },
): unknown {
  const all = choicesOf(setting, snapshot.organization) ?? {};
  const number = typeof value === "string" ? all[value] : value;
  const isThere = all === setting.choices || Object.values(all).some((each) => each === number);
  if (number === from || (number !== undefined && isThere)) return number;
  return findings.problem(path, `this server does not have it: must be ${orList(Object.keys(all))}`);
}

/** Returns functions that convert values. Unknown names become problems in `findings`. */
export function valuesOf(snapshot: Snapshot, pairings: Pairings, references: References, findings: Findings) {
  const nobody = nobodyIn(snapshot);
  const { isName, thing, person, invited, omitted, deactivated } = references;

  /** Returns the value with ids. Undefined after a problem. */
  function of({ shape, stored, choices, read }: Member, { value: stated, ...rest }: ValueContext): unknown {
    const value = typeof stated === "string" && read ? (read(stated) ?? stated) : stated;
    const context = { ...rest, value };
    const { path, from } = context;
    if (choices) return choiceNumber(choices, context, { snapshot, findings });
    if (shape === peopleShape) return peopleIn(context);
    if (shape === groupsShape) return groupsOf(context);
    if (shape === whoShape) return whoOf(context);
    const names = textIn(shape)?.names;
    const kind = names && kinds[names];
    if (kind && typeof value === "string") {
      const isNone = /^(?:none|-1)$/.test(value) && !isName(kind, value);
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
      return { people, invited: sources.listAt(path).invited };
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
    sources.listAt(path).through.push({ group, people: active });
    return active;
  }

  function peopleOf(context: ValueContext): number[] {
    const present = idsIn(context.from).filter((each) => typeof each === "number");
    const presentIds = new Set(present);
    const stay = context.showsDeactivated ? [] : present.filter((id) => omitted.has(id));
    return listOf(context, present, stay, (text, at, isRemoved) => {
      if (text.startsWith(groupPrefix)) return drawnFrom(text, at, context, isRemoved);
      const found = person(text, at);
      if (!found) return undefined;
      if (!("user_id" in found)) {
        if (!isRemoved) invite(found.invited, context, at);
        return [];
      }
      const { user_id: id, full_name } = found;
      const byFile = deactivated.get(id);
      const isPresent = presentIds.has(id);
      if (isRemoved || byFile === undefined) return [id];
      if (byFile && !(context.showsDeactivated && isPresent))
        return findings.problem(at, `the file deactivates ${full_name}`);
      if (!isPresent)
        findings.noticeAbout(
          full_name,
          ["is deactivated: skipped in lists", "accounts are deactivated, and skipped in lists"],
          at,
        );
      return isPresent ? [id] : [];
    });
  }

  function invite(email: string, { list, path }: ValueContext, at: Path): void {
    const lists = invited.get(email);
    if (lists && list?.section === "groups") sources.listAt(path).invited.push(email);
    if (lists && (list?.section === "groups" || list?.section === "channels")) lists[list.section].push(list.known);
    else {
      const says = `can be named here after ${lists ? "they join" : "it is created"}`;
      findings.noticeAbout(email, [says, `accounts ${says.replace("it is", "they are")}`], at);
    }
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
    if (isName("groups", text) || !/^(user|group):/.test(text)) return { groups: [text] };
    try {
      return readGroupMembers(text, "a permission");
    } catch (error) {
      if (!(error instanceof Usage)) throw error;
      findings.problem(path, error.message);
      return {};
    }
  }

  return {
    of,
    people: peopleIn,
    through: (path: Path) => sources.listAt(path).through,
    usesOf: (group: ThingId) => sources.usesOf(group),
  };
}

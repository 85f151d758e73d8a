/** What a file says of an attribute, in canonical form, beside what is there. */
import { shapeOf } from "../../wire/shape.ts";
import { keyOfKnown, knownIn, nobodyIn, same, sorted, whoValue } from "../canonical.ts";
import { isEntry, type Path } from "../content.ts";
import type { Known, WhoValue } from "../difference.ts";
import { groups, type Member, type Names, people, type Shape, textIn, who } from "../shape.ts";
import type { Comparing } from "./context.ts";
import { type Kind, nobody } from "./references.ts";

export interface Said {
  readonly member: Member;
  readonly value: unknown;
  readonly path: Path;
  /** What is there; undefined where there is nothing, or the server does not send it. */
  readonly from: unknown;
  /** Invited people who stand in a list go there with their invitation. */
  readonly invite?: ((email: string) => void) | undefined;
}

const kinds: Partial<Record<Names, Kind>> = {
  channel: "channels",
  folder: "folders",
  group: "groups",
  field: "profile_fields",
};

/** What a text of this shape names, where it is a name or null. */
function named(shape: Shape): Kind | undefined {
  const names = textIn(shape)?.names;
  return names && kinds[names];
}

/** Undefined where it cannot be said, which is a problem. */
export function canonicalValue(c: Comparing, said: Said): unknown {
  const { member, value, path, from } = said;
  const { shape, stored } = member;
  if (shape === people) return peopleIn(c, said);
  if (shape === groups) return groupsIn(c, said);
  if (shape === who) return whoOf(c, value, path, from as WhoValue | undefined);
  const kind = named(shape);
  if (kind && typeof value === "string") return c.references.thing(kind, value, path, (known) => same(known, from));
  // Keys that are not mentioned stay as they are.
  if (shapeOf(shape).type === "record") return { ...Object(from), ...Object(value) };
  if (!stored) return value;
  return Array.isArray(value) ? value.map((each) => stored(String(each))) : stored(String(value));
}

/** Sorted ids. `shown`: the list shows deactivated people; others hide them, and take none in. */
export function peopleIn(
  { references, findings }: Comparing,
  { value, path, from, invite, shown = false }: Omit<Said, "member"> & { readonly shown?: boolean },
): number[] | undefined {
  const present = knownIn(from).filter((each) => typeof each === "number");
  const idOf = (text: string, at: Path): number | undefined => {
    const found = references.person(text, at, (id) => shown && present.includes(id));
    if (!found) return undefined;
    if ("invited" in found) {
      if (invite) invite(found.invited);
      else findings.notice(`${found.invited} can be named here after they join`, at);
      return nobody;
    }
    if (!found.deactivated || present.includes(found.id)) return found.id;
    findings.notice(`${references.nameOf(found.id)} is deactivated: skipped in lists`, at);
    return nobody;
  };
  const leaving = (text: string, at: Path) => references.leaving(text, at);
  const stay = shown ? [] : present.filter((id) => references.isHidden(id));
  const all = listed({ findings }, value, path, { present, idOf, leaving, stay });
  return all?.filter((id) => id !== nobody);
}

function groupsIn({ references, findings }: Comparing, { value, path, from }: Said): Known[] | undefined {
  const present = knownIn(from);
  const inUse = (known: Known) => present.some((each) => same(each, known));
  const idOf = (text: string, at: Path) => references.thing("groups", text, at, inUse);
  const leaving = (text: string, at: Path) => references.thing("groups", text, at, "leaving");
  return listed({ findings }, value, path, { present, idOf, leaving, stay: [] });
}

interface List<K> {
  readonly present: readonly K[];
  readonly idOf: (text: string, at: Path) => K | undefined;
  readonly leaving: (text: string, at: Path) => K | undefined;
  /** Those who stay whatever the list says. */
  readonly stay: readonly K[];
}

const textsOf = (list: unknown): string[] => (Array.isArray(list) ? list.map(String) : []);

function listed<K extends Known>(
  { findings }: Pick<Comparing, "findings">,
  value: unknown,
  path: Path,
  { present, idOf, leaving, stay }: List<K>,
): K[] | undefined {
  const knownOf = (list: unknown, at: Path, known: typeof idOf): K[] | undefined => {
    const all = textsOf(list).map((text, n) => known(text, [...at, n]));
    const certain = all.filter((each) => each !== undefined);
    return certain.length < all.length ? undefined : certain;
  };
  if (!isEntry(value)) {
    const all = knownOf(value, path, idOf);
    return all && sorted([...stay, ...all]);
  }
  const added = knownOf(value.add, [...path, "add"], idOf);
  const removed = knownOf(value.remove, [...path, "remove"], leaving);
  if (!added || !removed) return undefined;
  const [come, gone] = [added, removed].map((all) => new Set(all.map(keyOfKnown)));
  const both = removed.findIndex((each) => each !== nobody && come?.has(keyOfKnown(each)));
  if (both >= 0)
    return findings.problem([...path, "remove", both], `${textsOf(value.remove)[both]} is in both "add" and "remove"`);
  return sorted([...present.filter((each) => !gone?.has(keyOfKnown(each))), ...added]);
}

function whoOf(c: Comparing, value: unknown, path: Path, from: WhoValue | undefined): WhoValue | undefined {
  const nobodyGroup = nobodyIn(c.snapshot);
  const group = (text: string, at: Path) =>
    c.references.thing("groups", text, at, (known) => from?.groups.some((each) => same(each, known)) === true);
  if (value === "nobody") return whoValue([], [], nobodyGroup);
  if (typeof value === "string") {
    const known = group(value, path);
    return known === undefined ? undefined : whoValue([], [known], nobodyGroup);
  }
  const said = isEntry(value) ? value : {};
  const ids = peopleIn(c, { value: said.users ?? [], path: [...path, "users"], from: from?.users });
  const all = textsOf(said.groups).map((text, n) => group(text, [...path, "groups", n]));
  return !ids || all.includes(undefined) ? undefined : whoValue(ids, knownIn(all), nobodyGroup);
}

/** What names in a file stand for: things by the names that the file gives them, people by address, name or id. */
import { addressOf } from "../../api/users.ts";
import { counted } from "../../counted.ts";
import { systemGroup } from "../../notation/who.ts";
import type { Path } from "../content.ts";
import type { Known } from "../difference.ts";
import { sections } from "../file.ts";
import { everybodyOf, isSystemGroup, type Person, type Snapshot } from "../snapshot.ts";
import type { Findings } from "./findings.ts";
import { meant } from "./nearest.ts";
import { alike, type Pairing } from "./pairing.ts";
import { keyOf, type Present, type Thing, type ThingSection } from "./present.ts";
import { putsAway } from "./put-away.ts";

/** What references name besides people. */
export type Kind = "groups" | "channels" | "folders" | "profile_fields";

interface Target {
  readonly known: Known;
  readonly name: string;
  /** It is put away when the plan is done: the file says so, or leaves it as it is. */
  readonly away?: "file" | "as it is";
  /** An entry of the file is about it. */
  readonly entered: boolean;
  /** Others that can be meant just as well. */
  readonly others?: readonly Target[];
}

/** Of several with a name one that is not put away is meant, and of these the one that the file speaks of. */
const rank = ({ away, entered }: Target): number => (away ? 0 : entered ? 2 : 1);

/** By name what is meant, as one more thing has it. */
function among(target: Target, before: Target | undefined): Target {
  if (!before || rank(target) > rank(before)) return target;
  if (rank(target) < rank(before) || target.away) return before;
  return { ...before, others: [...(before.others ?? []), target] };
}

/** In place of the id of somebody who stands in no list. */
export const nobody = -1;

export type Somebody = { readonly id: number; readonly away: boolean } | { readonly invited: string };

function targetsOf(
  kind: Kind,
  present: Present,
  { pairs }: Pairing,
): { now: Map<string, Target>; was: Map<string, string> } {
  const now = new Map<string, Target>();
  const was = new Map<string, string>();
  const paired = new Map(pairs.flatMap((pair) => (pair.thing ? [[pair.thing, pair] as const] : [])));
  const add = (key: string, target: Target): void => void now.set(key, among(target, now.get(key)));
  const entered = (thing: Thing): Target & { key: string } => {
    const pair = paired.get(thing);
    const puts = pair && putsAway(kind, pair.entry);
    const away = puts === true ? "file" : puts === undefined && thing.away ? "as it is" : undefined;
    const [name, key] = pair ? [pair.name, pair.key] : [thing.name, thing.key];
    return { known: thing.id!, name, key, entered: pair !== undefined, ...(away && { away }) };
  };
  for (const thing of present[kind]) {
    const { key, ...target } = entered(thing);
    add(key, target);
    was.set(thing.key, target.name);
  }
  for (const { thing, key, name, entry } of pairs)
    if (!thing) {
      const away = putsAway(kind, entry) && { away: "file" as const };
      add(key, { known: { new: name }, name, entered: true, ...away });
    }
  return { now, was };
}

export class References {
  readonly #findings: Findings;
  readonly #targets: Record<Kind, ReturnType<typeof targetsOf>>;
  readonly #groups: ReadonlyMap<Known, Target>;
  readonly #people = new Map<number, Person>();
  readonly #addresses = new Map<string, Person>();
  readonly #names = new Map<string, Person[]>();
  /** Ids of those who are deactivated when the plan is done, and whether the file says so. */
  readonly #gone = new Map<number, boolean>();
  /** Those of them who are deactivated now. */
  readonly #hidden = new Set<number>();
  readonly #invited: ReadonlySet<string>;
  /** Added where an address is not found: the addresses that this account cannot see. */
  readonly hidden: string;

  constructor(
    snapshot: Snapshot,
    present: Present,
    pairings: Readonly<Record<ThingSection, Pairing>>,
    findings: Findings,
  ) {
    this.#findings = findings;
    const of = (kind: Kind) => targetsOf(kind, present, pairings[kind]);
    const groups = of("groups");
    for (const group of snapshot.organization.realm_user_groups)
      if (isSystemGroup(group)) groups.now.set(group.name, { known: group.id, name: group.name, entered: false });
    this.#targets = {
      groups,
      channels: of("channels"),
      folders: of("folders"),
      profile_fields: of("profile_fields"),
    };
    const all = [...groups.now.values()].flatMap(({ others = [], ...target }) => [target, ...others]);
    this.#groups = new Map(all.map((target) => [target.known, target]));
    let hidden = 0;
    for (const person of everybodyOf(snapshot)) {
      this.#people.set(person.user_id, person);
      this.#names.set(person.full_name, [...(this.#names.get(person.full_name) ?? []), person]);
      const email = addressOf(person)?.toLowerCase();
      if (email === undefined) hidden++;
      else this.#addresses.set(email, person);
    }
    this.hidden = hidden ? `; ${counted(hidden, "address is", "addresses are")} hidden from this account` : "";
    // What stands in place of a hidden address is one too, where nobody has it.
    for (const person of this.#people.values()) {
      const email = person.email.toLowerCase();
      if (!this.#addresses.has(email)) this.#addresses.set(email, person);
    }
    for (const { user_id } of snapshot.organization.realm_non_active_users) {
      this.#gone.set(user_id, false);
      this.#hidden.add(user_id);
    }
    const { pairs } = pairings.people;
    for (const { thing, entry } of pairs) {
      const puts = putsAway("people", entry);
      if (thing && puts === true) this.#gone.set(thing.id!, true);
      if (!thing || puts !== false) continue;
      this.#gone.delete(thing.id!);
      this.#hidden.delete(thing.id!);
    }
    const invited = pairs.filter(({ thing, entry }) => !thing && entry.invite === true);
    this.#invited = new Set(invited.map(({ key }) => key));
  }

  called(id: number): string {
    return this.#people.get(id)!.full_name;
  }

  /** Deactivated now, and no file brings them back. */
  isGone(id: number): boolean {
    return this.#hidden.has(id);
  }

  /**
   * What is `leaving` may be put away, and what is in use there already need not be live. Undefined where there is none,
   * which is told.
   */
  thing(kind: Kind, text: string, path: Path, inUse: "leaving" | ((known: Known) => boolean)): Known | undefined {
    const { now, was } = this.#targets[kind];
    const { one } = sections[kind];
    const given = kind === "groups" ? /^(id|name):(.*)/s.exec(text) : undefined;
    const name = given?.[2] ?? text;
    const id = given?.[1] === "id";
    const target = id
      ? this.#groups.get(/^\d{1,15}$/.test(name) ? Number(name) : -1)
      : now.get(keyOf(sections[kind], () => name));
    if (!target) {
      const renamed = was.get(keyOf(sections[kind], () => name));
      if (renamed !== undefined)
        return this.#findings.problem(
          path,
          `${one} "${name}" is renamed to "${renamed}" in the file: use the new name`,
        );
      const role = kind === "groups" ? systemGroup(name) : undefined;
      const near = role
        ? `; did you mean ${role}?`
        : meant(
            name,
            [...now.values()].map(({ name }) => name),
          );
      return this.#findings.problem(path, `${one} "${name}" not found${near}`);
    }
    const { others = [] } = target;
    const same =
      others.length && inUse !== "leaving" ? [target, ...others].find(({ known }) => inUse(known)) : undefined;
    if (same) return same.known;
    if (others.length)
      return this.#findings.problem(
        path,
        `there are ${alike(
          sections[kind],
          target.name,
          [target, ...others].map(({ known }) => known),
        )}: ${target.entered ? "give them different names" : `add the id of the right one in "${kind}"`}`,
      );
    if (inUse === "leaving") return target.known;
    if (target.away === "file")
      return this.#findings.problem(path, `the file archives or deactivates ${one} "${target.name}"`);
    if (target.away && !inUse(target.known))
      return this.#findings.problem(
        path,
        `${one} "${target.name}" is archived or deactivated: the file must restore it`,
      );
    return target.known;
  }

  /** Undefined where there is nobody, which is told. Those whom the file deactivates may be named where they stay in use. */
  person(text: string, path: Path, stays: (id: number) => boolean): Somebody | undefined {
    const found = this.#person(text, path);
    if (!found || !("user_id" in found)) return found;
    const byFile = this.#gone.get(found.user_id);
    if (byFile === true && !stays(found.user_id))
      return this.#findings.problem(path, `the file deactivates ${found.full_name}`);
    return { id: found.user_id, away: byFile !== undefined };
  }

  /** Somebody who need not stay, as one who is to be taken out of a list; `nobody` where they are only invited. */
  leaving(text: string, path: Path): number | undefined {
    const found = this.#person(text, path);
    return found && ("user_id" in found ? found.user_id : nobody);
  }

  #person(text: string, path: Path): Person | { readonly invited: string } | undefined {
    const given = /^(id|name):(.*)/s.exec(text);
    if (given) {
      const [, kind, rest] = given as unknown as [string, string, string];
      if (kind === "name") return this.#named(rest, path);
      const person = this.#people.get(Number(rest));
      return person ?? this.#findings.problem(path, `no person with the id ${rest}`);
    }
    const email = text.toLowerCase();
    const person = this.#addresses.get(email);
    if (person) return person;
    if (this.#invited.has(email)) return { invited: email };
    const near = meant(text, [...this.#addresses.keys()]);
    const hint = text.includes("@") ? "" : "; write a full name as name:…";
    return this.#findings.problem(path, `no person with the e-mail address ${text}${near || hint || this.hidden}`);
  }

  #named(name: string, path: Path): Person | undefined {
    const all = this.#names.get(name) ?? [];
    const live = all.filter(({ user_id }) => !this.#gone.has(user_id));
    const [person, another] = live.length ? live : all;
    if (!person)
      return this.#findings.problem(path, `no person named "${name}"${meant(name, [...this.#names.keys()])}`);
    if (!another) return person;
    const ids = (live.length ? live : all).map(({ user_id }) => `id:${user_id}`);
    return this.#findings.problem(path, `several people are named "${name}": ${ids.join(", ")}`);
  }
}

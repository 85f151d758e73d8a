/** What names in a file stand for: things by the names that the file gives them, people by address, name or id. */
import { addressOf } from "../../api/users.ts";
import { counted } from "../../counted.ts";
import { systemGroup } from "../../notation/who.ts";
import type { Path } from "../content.ts";
import type { Known } from "../difference.ts";
import { sections } from "../file.ts";
import { everybodyOf, isSystemGroup, type Person, type Snapshot } from "../snapshot.ts";
import type { ThingSection } from "../words.ts";
import { type Findings, suggestion } from "./findings.ts";
import { alike, archives, keyOf, type Pairing, type Thing } from "./match.ts";

/** What references name besides people. */
export type Kind = "groups" | "channels" | "folders" | "profile_fields";

interface Target {
  readonly known: Known;
  readonly name: string;
  /** It is archived when the plan is done: the file says so, or leaves it as it is. */
  readonly archived?: "by the file" | "already";
  /** An entry of the file is about it. */
  readonly entered: boolean;
}

/** Of several with a name a live one is meant, and of these the one that the file names. */
const rank = ({ archived, entered }: Target): number => (archived ? 0 : entered ? 2 : 1);

/** In place of the id of somebody who stands in no list. */
export const nobody = -1;

export type Somebody = { readonly id: number; readonly deactivated: boolean } | { readonly invited: string };

interface Targets {
  /** Several where servers have live things of one name. */
  readonly byKey: Map<string, readonly Target[]>;
  /** By the key that a thing has now, the name that it is to have. */
  readonly names: ReadonlyMap<string, string>;
}

function targetsOf(kind: Kind, things: readonly Thing[], { pairs }: Pairing): Targets {
  const byKey = new Map<string, readonly Target[]>();
  const names = new Map<string, string>();
  const pairOf = new Map(pairs.flatMap((pair) => (pair.thing ? [[pair.thing, pair] as const] : [])));
  const add = (key: string, target: Target): void => {
    const all = [...(byKey.get(key) ?? []), target];
    const best = Math.max(...all.map(rank));
    const meant = all.filter((each) => rank(each) === best);
    byKey.set(key, best ? meant : meant.slice(0, 1));
  };
  for (const thing of things) {
    const pair = pairOf.get(thing);
    const archived = pair && archives(kind, pair.entry);
    const left = archived === undefined && thing.archived ? "already" : undefined;
    const state = archived ? "by the file" : left;
    const { name, key } = pair ?? thing;
    add(key, { known: thing.id ?? nobody, name, entered: pair !== undefined, ...(state && { archived: state }) });
    names.set(thing.key, name);
  }
  for (const { thing, key, name, entry } of pairs)
    if (!thing)
      add(key, {
        known: { new: name },
        name,
        entered: true,
        ...(archives(kind, entry) && { archived: "by the file" }),
      });
  return { byKey, names };
}

export class References {
  readonly #findings: Findings;
  readonly #targets: Record<Kind, Targets>;
  readonly #groups: ReadonlyMap<Known, Target>;
  readonly #people: ReadonlyMap<number, Person>;
  readonly #addresses = new Map<string, Person>();
  readonly #names = new Map<string, Person[]>();
  /** Ids of those who are deactivated when the plan is done, and whether the file says so. */
  readonly #deactivated = new Map<number, boolean>();
  /** Those of them who are deactivated now: lists do not show them. */
  readonly #hidden: Set<number>;
  readonly #invited: ReadonlySet<string>;
  /** Added where an address is not found: how many addresses this account cannot see. */
  readonly hiddenAddresses: string;

  constructor(
    snapshot: Snapshot,
    things: Readonly<Record<ThingSection, readonly Thing[]>>,
    pairings: Readonly<Record<ThingSection, Pairing>>,
    findings: Findings,
  ) {
    this.#findings = findings;
    const of = (kind: Kind) => targetsOf(kind, things[kind], pairings[kind]);
    const groups = of("groups");
    for (const group of snapshot.organization.realm_user_groups)
      if (isSystemGroup(group)) groups.byKey.set(group.name, [{ known: group.id, name: group.name, entered: false }]);
    this.#targets = {
      groups,
      channels: of("channels"),
      folders: of("folders"),
      profile_fields: of("profile_fields"),
    };
    this.#groups = new Map([...groups.byKey.values()].flat().map((target) => [target.known, target]));
    const everybody = everybodyOf(snapshot);
    this.#people = new Map(everybody.map((person) => [person.user_id, person]));
    for (const person of everybody) {
      this.#names.set(person.full_name, [...(this.#names.get(person.full_name) ?? []), person]);
      const email = addressOf(person);
      if (email !== undefined) this.#addresses.set(email.toLowerCase(), person);
    }
    const hidden = everybody.length - this.#addresses.size;
    this.hiddenAddresses = hidden ? `; ${counted(hidden, "address is", "addresses are")} hidden from this account` : "";
    // What stands in place of a hidden address is one too, where nobody has it.
    for (const person of everybody) {
      const email = person.email.toLowerCase();
      if (!this.#addresses.has(email)) this.#addresses.set(email, person);
    }
    this.#hidden = new Set(snapshot.organization.realm_non_active_users.map(({ user_id }) => user_id));
    for (const id of this.#hidden) this.#deactivated.set(id, false);
    const { pairs } = pairings.people;
    for (const { thing, entry } of pairs) {
      const deactivates = archives("people", entry);
      if (thing?.id === undefined || deactivates === undefined) continue;
      if (deactivates) this.#deactivated.set(thing.id, true);
      else {
        this.#deactivated.delete(thing.id);
        this.#hidden.delete(thing.id);
      }
    }
    const invited = pairs.filter(({ thing, entry }) => !thing && entry.invite === true);
    this.#invited = new Set(invited.map(({ key }) => key));
  }

  nameOf(id: number): string {
    return this.#people.get(id)?.full_name ?? `id:${id}`;
  }

  /** Deactivated now, and no file reactivates them. */
  isHidden(id: number): boolean {
    return this.#hidden.has(id);
  }

  /**
   * What is `leaving` may be archived, and what is in use there already need not be live. Undefined where there is none,
   * which is a problem.
   */
  thing(kind: Kind, text: string, path: Path, inUse: "leaving" | ((known: Known) => boolean)): Known | undefined {
    const { byKey, names } = this.#targets[kind];
    const { one } = sections[kind];
    const [, prefix, rest] = (kind === "groups" && /^(id|name):(.*)/s.exec(text)) || [];
    const name = rest ?? text;
    const key = keyOf(sections[kind], () => name);
    const byId = this.#groups.get(/^\d{1,15}$/.test(name) ? Number(name) : nobody);
    const [first, ...others] = prefix === "id" ? (byId ? [byId] : []) : (byKey.get(key) ?? []);
    const target = (inUse !== "leaving" && others.find(({ known }) => inUse(known))) || first;
    if (!target) {
      const renamed = names.get(key);
      if (renamed !== undefined)
        return this.#findings.problem(
          path,
          `${one} "${name}" is renamed to "${renamed}" in the file: use the new name`,
        );
      const role = kind === "groups" ? systemGroup(name) : undefined;
      const all = [...byKey.values()].flat().map((each) => each.name);
      const near = role ? `; did you mean ${role}?` : suggestion(name, all);
      return this.#findings.problem(path, `${one} "${name}" not found${near}`);
    }
    if (others.length && (inUse === "leaving" || !inUse(target.known))) {
      const all = [target, ...others].map(({ known }) => ({ id: known }));
      const how = target.entered ? "give them different names" : `add the id of the right one in "${kind}"`;
      return this.#findings.problem(path, `there are ${alike(sections[kind], target.name, all)}: ${how}`);
    }
    if (inUse === "leaving") return target.known;
    if (target.archived === "by the file")
      return this.#findings.problem(path, `the file archives or deactivates ${one} "${target.name}"`);
    if (target.archived && !inUse(target.known))
      return this.#findings.problem(
        path,
        `${one} "${target.name}" is archived or deactivated: the file must restore it`,
      );
    return target.known;
  }

  /** Undefined where there is nobody, which is a problem. Those whom the file deactivates may be named where they stay in use. */
  person(text: string, path: Path, stays: (id: number) => boolean): Somebody | undefined {
    const found = this.#person(text, path);
    if (!found || !("user_id" in found)) return found;
    const byFile = this.#deactivated.get(found.user_id);
    if (byFile === true && !stays(found.user_id))
      return this.#findings.problem(path, `the file deactivates ${found.full_name}`);
    return { id: found.user_id, deactivated: byFile !== undefined };
  }

  /** Somebody who need not stay, as one who is to be taken out of a list; `nobody` where they are only invited. */
  leaving(text: string, path: Path): number | undefined {
    const found = this.#person(text, path);
    return found && ("user_id" in found ? found.user_id : nobody);
  }

  #person(text: string, path: Path): Person | { readonly invited: string } | undefined {
    const [, kind, rest = ""] = /^(id|name):(.*)/s.exec(text) ?? [];
    if (kind === "name") return this.#named(rest, path);
    if (kind === "id")
      return this.#people.get(Number(rest)) ?? this.#findings.problem(path, `no person with the id ${rest}`);
    const email = text.toLowerCase();
    const person = this.#addresses.get(email);
    if (person) return person;
    if (this.#invited.has(email)) return { invited: email };
    const near = suggestion(text, [...this.#addresses.keys()]);
    const hint = text.includes("@") ? "" : "; write a full name as name:…";
    const why = near || hint || this.hiddenAddresses;
    return this.#findings.problem(path, `no person with the e-mail address ${text}${why}`);
  }

  #named(name: string, path: Path): Person | undefined {
    const all = this.#names.get(name) ?? [];
    const live = all.filter(({ user_id }) => !this.#deactivated.has(user_id));
    const meant = live.length ? live : all;
    if (meant.length === 1) return meant[0];
    const ids = meant.map(({ user_id }) => `id:${user_id}`);
    return this.#findings.problem(
      path,
      ids.length
        ? `several people are named "${name}": ${ids.join(", ")}`
        : `no person named "${name}"${suggestion(name, [...this.#names.keys()])}`,
    );
  }
}

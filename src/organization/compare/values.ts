/** What a file says of an attribute, in canonical form, beside what is there. */
import { shapeOf } from "../../wire/shape.ts";
import { keyOfKnown, knownIn, same, sorted, whoValue } from "../canonical.ts";
import type { Path } from "../content.ts";
import type { Known, WhoValue } from "../difference.ts";
import { groups, type Member, type Names, people, type Shape, textIn, who } from "../shape.ts";
import type { Findings } from "./findings.ts";
import { type Kind, nobody, type References } from "./references.ts";

/** Those who do not exist yet and stand in a list go there with their invitation. */
export type Joining = (email: string) => void;

interface Saying {
  readonly member: Member;
  readonly value: unknown;
  readonly path: Path;
  /** What is there; undefined where there is nothing, or the server does not tell. */
  readonly from: unknown;
  readonly joining?: Joining;
  /** The list shows deactivated people, who can be taken out of it. */
  readonly shown?: true;
}

type Delta = { readonly add?: readonly string[]; readonly remove?: readonly string[] };

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

export class Values {
  readonly #references: References;
  readonly #findings: Findings;
  readonly #nobody: number | undefined;

  constructor(references: References, findings: Findings, nobody: number | undefined) {
    this.#references = references;
    this.#findings = findings;
    this.#nobody = nobody;
  }

  /** Undefined where it cannot be said, which is told. */
  of(saying: Saying): unknown {
    const { member, value, path, from } = saying;
    const { shape } = member;
    if (shape === people) return this.people(saying);
    if (shape === groups) return this.#groups(saying);
    if (shape === who) return this.#who(value, path, from as WhoValue | undefined);
    const kind = named(shape);
    if (kind)
      return value === null ? null : this.#references.thing(kind, value as string, path, (known) => same(known, from));
    if (shapeOf(shape).type === "record") return this.#merged(value as object, from);
    return this.#stored(member, value);
  }

  #stored({ stored }: Member, value: unknown): unknown {
    if (!stored) return value;
    return Array.isArray(value) ? value.map((each) => stored(each as string)) : stored(value as string);
  }

  /** Keys that are not mentioned stay as they are. */
  #merged(value: object, from: unknown): Record<string, unknown> {
    return { ...(from as object | undefined), ...value };
  }

  /** Sorted ids. Deactivated people are hidden from lists, and cannot be put into them. */
  people({ value, path, from, joining, shown }: Omit<Saying, "member">): number[] | undefined {
    const present = (from ?? []) as readonly number[];
    const held = new Set(present);
    const idsOf = (all: readonly string[], at: Path): (number | undefined)[] =>
      all.map((text, n) => {
        const found = this.#references.person(text, [...at, n], (id) => shown === true && held.has(id));
        if (!found) return undefined;
        if ("invited" in found) {
          if (joining) joining(found.invited);
          else this.#findings.notice(`${found.invited} can be named here after they join`, [...at, n]);
          return nobody;
        }
        if (!found.away || held.has(found.id)) return found.id;
        this.#findings.notice(`${this.#references.called(found.id)} is deactivated: skipped in lists`, [...at, n]);
        return nobody;
      });
    const leaving = (all: readonly string[], at: Path) =>
      all.map((text, n) => this.#references.leaving(text, [...at, n]));
    const there = shown ? [] : present.filter((id) => this.#references.isGone(id));
    return this.#listed(value, path, { present, idsOf, leaving, there })?.filter((id) => id !== nobody);
  }

  #groups({ value, path, from }: Saying): Known[] | undefined {
    const present = (from ?? []) as readonly Known[];
    const inUse = (known: Known) => present.some((each) => same(each, known));
    const idsOf = (all: readonly string[], at: Path) =>
      all.map((text, n) => this.#references.thing("groups", text, [...at, n], inUse));
    const leaving = (all: readonly string[], at: Path) =>
      all.map((text, n) => this.#references.thing("groups", text, [...at, n], "leaving"));
    return this.#listed(value, path, { present, idsOf, leaving, there: [] });
  }

  /** `there`: those who stay whatever the list says. */
  #listed<K extends Known>(
    value: unknown,
    path: Path,
    {
      present,
      idsOf,
      leaving,
      there,
    }: {
      present: readonly K[];
      idsOf: (all: readonly string[], at: Path) => (K | undefined)[];
      leaving: (all: readonly string[], at: Path) => (K | undefined)[];
      there: readonly K[];
    },
  ): K[] | undefined {
    if (Array.isArray(value)) {
      const all = idsOf(value, path);
      return all.includes(undefined) ? undefined : sorted([...there, ...(all as K[])]);
    }
    const { add = [], remove = [] } = value as Delta;
    const added = idsOf(add, [...path, "add"]);
    const removed = leaving(remove, [...path, "remove"]);
    if (added.includes(undefined) || removed.includes(undefined)) return undefined;
    const come = new Set((added as K[]).map(keyOfKnown));
    const gone = new Set((removed as K[]).map(keyOfKnown));
    const both = (removed as K[]).findIndex((each) => each !== nobody && come.has(keyOfKnown(each)));
    if (both >= 0)
      return this.#findings.problem([...path, "remove", both], `${remove[both]} is in both "add" and "remove"`);
    const stay = present.filter((each) => !gone.has(keyOfKnown(each)));
    return sorted([...stay, ...(added as K[])]);
  }

  #who(value: unknown, path: Path, from: WhoValue | undefined): WhoValue | undefined {
    const users = new Set(from?.users);
    if (typeof value === "string") {
      if (value === "nobody") return whoValue([], [], this.#nobody);
      const group = this.#group(value, path, from);
      return group === undefined ? undefined : whoValue([], [group], this.#nobody);
    }
    const said = value as { users?: readonly string[]; groups?: readonly string[] };
    const ids = this.people({ value: said.users ?? [], path: [...path, "users"], from: [...users] });
    const named = (said.groups ?? []).map((text, n) => this.#group(text, [...path, "groups", n], from));
    if (!ids || named.includes(undefined)) return undefined;
    return whoValue(ids, knownIn(named), this.#nobody);
  }

  #group(text: string, path: Path, from: WhoValue | undefined): Known | undefined {
    const inUse = (known: Known) => from?.groups.some((each) => same(each, known)) === true;
    return this.#references.thing("groups", text, path, inUse);
  }
}

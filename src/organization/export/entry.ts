/** What the sections of an export have in common. */
import { readJson } from "../../notation/json.ts";
import type { Naming, Words } from "../naming.ts";
import type { Things } from "../sections/section.ts";
import type { Snapshot } from "../snapshot.ts";

/** A snapshot, and the form in which to tell of it. */
export interface Telling {
  readonly snapshot: Snapshot;
  readonly naming: Naming;
}

export interface ExportContext extends Telling {
  readonly naming: Words;
  /** Members of groups. */
  readonly members: boolean;
  /** Of which channels; `closed` of those alone that nobody can join by themselves. */
  readonly subscribers: "none" | "closed" | "all";
}

export type Entry = Record<string, unknown>;

/** By attribute of the file, what a record says of it. */
export type Attributes<R> = Readonly<Record<string, (record: R) => unknown>>;

/** What a section's records say. */
export interface Told<R extends object> {
  readonly records: readonly R[];
  readonly attributes: Attributes<R>;
  readonly id: (record: R) => number;
  /** Whether it is put away: archived, deactivated. */
  readonly away: (record: R) => boolean;
}

/** What a record says of an attribute: by `attributes`, where that knows it, else by its member of the same name. */
export const toldOf = <R extends object>(attributes: Attributes<R>, record: R, name: string): unknown =>
  Object.hasOwn(attributes, name) ? attributes[name]!(record) : (record as Entry)[name];

/** What a record says of each attribute that its section has, in the section's order. What a record lacks is left out. */
export function entryOf<R extends object>({ members }: Things, record: R, attributes: Attributes<R>): Entry {
  const told = Object.keys(members).map((name): [string, unknown] => [name, toldOf(attributes, record, name)]);
  return Object.fromEntries(told.filter(([, value]) => value !== undefined));
}

/** Where several have the same name, each says its id too. */
export function pin<R>(records: readonly R[], name: (record: R) => string, id: (record: R) => number): Attributes<R> {
  const times = new Map<string, number>();
  for (const record of records) times.set(name(record), (times.get(name(record)) ?? 0) + 1);
  return { id: (record) => (times.get(name(record))! > 1 ? id(record) : undefined), was: () => undefined };
}

/** Only what is put away says so. */
export const onlyTrue = (value: unknown): true | undefined => (value === true ? true : undefined);

export const by =
  <R>(key: (record: R) => string) =>
  (a: R, b: R): number =>
    key(a) < key(b) ? -1 : key(a) > key(b) ? 1 : 0;

/** What stands as JSON in a text of the server's; undefined where it is none. */
export function inJson(text: string): unknown {
  const read = readJson(text);
  return "value" in read ? read.value : undefined;
}

/** What the sections of an export have in common. */
import { readJson } from "../../notation/json.ts";
import type { Naming } from "../naming.ts";
import type { Things } from "../sections/section.ts";
import type { Snapshot } from "../snapshot.ts";

export interface ExportContext {
  readonly snapshot: Snapshot;
  readonly naming: Naming;
  /** Members of groups. */
  readonly members: boolean;
  /** Of which channels; `closed` of those alone that nobody can join by themselves. */
  readonly subscribers: "none" | "closed" | "all";
}

export type Entry = Record<string, unknown>;

/** By attribute of the file, what a record says of it. */
export type Telling<R> = Readonly<Record<string, (record: R) => unknown>>;

/**
 * What a record says of each attribute that its section has, in the section's order: by `telling`, where that knows it,
 * else by the record's member of the same name. What a record lacks is left out.
 */
export function entryOf<R extends object>({ members }: Things, record: R, telling: Telling<R>): Entry {
  const told = Object.keys(members).map((name): [string, unknown] => [
    name,
    Object.hasOwn(telling, name) ? telling[name]!(record) : (record as Entry)[name],
  ]);
  return Object.fromEntries(told.filter(([, value]) => value !== undefined));
}

/** Where several have the same name, each says its id too. */
export function pin<R>(records: readonly R[], name: (record: R) => string, id: (record: R) => number): Telling<R> {
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

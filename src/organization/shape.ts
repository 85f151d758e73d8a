/** What values in a file may look like, as data: the schema is written from it, and the file is checked by it. */

import type { Replacement } from "../wire/params.ts";

/** What a text names: `person` by e-mail, `name:…` or `id:…`, the others by their names. */
export type Names = "person" | "group" | "channel" | "folder" | "field";

export type Shape =
  | { readonly is: "text"; readonly names?: Names; readonly filled?: true }
  | { readonly is: "boolean" }
  | { readonly is: "integer"; readonly least?: number }
  | { readonly is: "null" }
  | { readonly is: "choice"; readonly of: readonly (string | number)[] }
  | { readonly is: "either"; readonly of: readonly Shape[] }
  /** `distinct`: nothing stands in it twice. */
  | { readonly is: "list"; readonly of: Shape; readonly distinct?: true }
  /** Keys of the organization's own. */
  | { readonly is: "map"; readonly of: Shape }
  | { readonly is: "members"; readonly members: Members; readonly some?: readonly string[] };

export interface Member {
  readonly shape: Shape;
  readonly doc: string;
  readonly needed?: true;
  /** The first feature level that knows it. */
  readonly since?: number | undefined;
  /** Servers have another in its place from a level on. */
  readonly until?: Replacement;
  /** The first feature level that knows this value of it. */
  readonly valueSince?: ((value: unknown) => number | undefined) | undefined;
  /** Owners alone may change it. */
  readonly owner?: true;
  /** What servers make of a text when they store it. */
  readonly stored?: (text: string) => string;
}

export const oneLine = (text: string): string => text.replaceAll("\n", " ");

export type Members = Readonly<Record<string, Member>>;

export const text: Shape = { is: "text" };
/** A text that is not empty. */
export const filled: Shape = { is: "text", filled: true };
export const boolean: Shape = { is: "boolean" };
export const none: Shape = { is: "null" };
export const integer = (least?: number): Shape => (least === undefined ? { is: "integer" } : { is: "integer", least });
export const choice = (...of: readonly (string | number)[]): Shape => ({ is: "choice", of });
export const either = (...of: readonly Shape[]): Shape => ({ is: "either", of });
export const list = (of: Shape): Shape => ({ is: "list", of, distinct: true });
export const map = (of: Shape): Shape => ({ is: "map", of });
/** `some`: at least one of these must be there. */
export const members = (all: Members, some?: readonly string[]): Shape => ({
  is: "members",
  members: all,
  ...(some && { some }),
});
export const named = (names: Names): Shape => ({ is: "text", names, filled: true });

const exactOr = (names: Names): Shape => {
  const all = list(named(names));
  const doc = (what: string) => `People or groups that must${what} be in it; others stay.`;
  return either(all, members({ add: { shape: all, doc: doc("") }, remove: { shape: all, doc: doc(" not") } }));
};

/** A list of people: exact, or what must and must not be in it. */
export const people = exactOr("person");
/** A list of groups, likewise. */
export const groups = exactOr("group");

/** The value of a permission: a group's name, `nobody`, or people and groups. */
export const who: Shape = either(
  named("group"),
  members({
    users: { shape: list(named("person")), doc: "People who have it." },
    groups: { shape: list(named("group")), doc: "Groups whose members have it." },
  }),
);

/**
 * What is to change so that an organization is as a file says: the value that a comparison gives, and that guards, order
 * and plan files work on. All of it is JSON.
 *
 * Values are canonical: two that are the same to the server are the same JSON.
 *
 * | what                          | canonical                                                                           |
 * | ----------------------------- | ----------------------------------------------------------------------------------- |
 * | person                        | id                                                                                  |
 * | group, channel, folder, field | `Known`                                                                             |
 * | list of people or groups      | sorted, those that the plan makes last                                              |
 * | permission                    | `{users, groups}`, both sorted; `role:nobody` is nobody, so it is never in `groups` |
 * | options of a profile field    | `Option[]` in their order; the plan chooses the keys of new ones                    |
 * | value of a profile field      | text; the option's key; sorted ids of people; null for none                         |
 * | text                          | as the server stores it                                                             |
 * | none                          | null                                                                                |
 * | everything else               | as the file says it                                                                 |
 */
import type { SectionName } from "./words.ts";

/** Something by its id; what the plan makes by its name. */
export type Known = number | { readonly new: string };

export interface WhoValue {
  readonly users: readonly number[];
  readonly groups: readonly Known[];
}

export interface Option {
  readonly key: string;
  readonly text: string;
}

export const optionsOf = (value: unknown): readonly Option[] => (Array.isArray(value) ? value : []);

/** The groups that a list or a permission names. */
export const groupsIn = (value: unknown): unknown =>
  Array.isArray(value) ? value : (value as WhoValue | null | undefined)?.groups;

/** By attribute of the file. */
export type Values = Readonly<Record<string, unknown>>;

/** From and to are the same where another change of the same thing would undo what is: it goes along with that one. */
export interface FieldChange {
  /** The attribute of the file. */
  readonly field: string;
  /** Which profile field, where the attribute is `profile`: each of them is a change of its own. */
  readonly of?: { readonly field: Known; readonly name: string };
  /**
   * Lists are whole in both: what is to be added is in `to` and not in `from`. Undefined where the server does not tell
   * what it is now.
   */
  readonly from?: unknown;
  readonly to: unknown;
}

interface Named {
  readonly section: SectionName;
  /**
   * What the thing is called afterwards; in `settings` and `new_users` the section's name. Domains have no id: this is
   * what tells them apart.
   */
  readonly name: string;
  /** Sentences that complete "it": what cannot simply be undone. */
  readonly destructive?: readonly string[] | undefined;
  /** It would happen with `--prune` only, and is not part of the plan. */
  readonly prune?: true;
}

/** `invite`: the values are `email`, `role`, and as lists of `Known` `groups` and `channels`. */
export interface Creation extends Named {
  readonly action: "create" | "invite";
  readonly to: Values;
}

/** Of a thing that is there. One that is put away or brought back may change besides. */
export interface Update extends Named {
  readonly action: "update" | "archive" | "unarchive" | "deactivate" | "reactivate";
  readonly id?: number;
  readonly fields: readonly FieldChange[];
}

export interface Removal extends Named {
  readonly action: "remove";
  readonly id?: number;
  readonly from: Values;
}

/** All things of an ordered section, those that the file does not name too; those that the plan makes stand last in `from`. */
export interface Reordering extends Named {
  readonly action: "reorder";
  readonly from: readonly Known[];
  readonly to: readonly Known[];
}

export type Difference = Creation | Update | Removal | Reordering;
export type Action = Difference["action"];

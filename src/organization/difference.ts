/**
 * The differences between an organization and a file. A comparison makes them; guards, order and plan files read them.
 * They are plain JSON.
 *
 * Values have ids in place of names. Values that are equal to the server are equal as JSON.
 *
 * | what                          | value                                                                               |
 * | ----------------------------- | ----------------------------------------------------------------------------------- |
 * | person                        | id                                                                                  |
 * | group, channel, folder, field | `ThingId`                                                                           |
 * | list of people or groups      | sorted, new things last                                                             |
 * | permission                    | `{users, groups}`, both sorted; both are empty for `role:nobody`                    |
 * | options of a profile field    | `Option[]` in their order; the plan chooses the keys of new ones                    |
 * | value of a profile field      | text; the option's key; sorted ids of people; null for none                         |
 * | text                          | as the server stores it                                                             |
 * | none                          | null                                                                                |
 * | everything else               | as the file says it                                                                 |
 */
import type { ChangeEffect } from "../model/effect.ts";
import type { Option } from "../model/profile-field.ts";
import type { SectionName } from "./section-names.ts";

/** An existing thing by its id, or a new one by its name. */
export type ThingId = number | { readonly new: string };

export interface WhoValue {
  readonly users: readonly number[];
  readonly groups: readonly ThingId[];
}

export const isWhoValue = (value: unknown): value is WhoValue =>
  typeof value === "object" && value !== null && "users" in value && "groups" in value;

export const optionsOf = (value: unknown): readonly Option[] => (Array.isArray(value) ? value : []);

/** Returns the groups of a list or a permission. */
export const groupsIn = (value: unknown): unknown =>
  Array.isArray(value) ? value : isWhoValue(value) ? value.groups : undefined;

/** Values by attribute of the file. */
export type AttributeValues = Readonly<Record<string, unknown>>;

/** People who are in a list because a group is. */
export interface Through {
  readonly group: ThingId;
  readonly people: readonly number[];
}

/** A changed attribute. `from` and `to` are equal for a value that must be sent along with another change. */
export interface FieldChange {
  /** The attribute of the file. */
  readonly field: string;
  /** The profile field, if the attribute is `profile`. Each field is a change of its own. */
  readonly of?: { readonly field: ThingId; readonly name: string };
  /** The current value. Lists are complete in both. Undefined if the server does not send it. */
  readonly from?: unknown;
  readonly to: unknown;
  readonly through?: readonly Through[];
}

interface Named {
  readonly section: SectionName;
  /** The name after the change; in `settings` and `new_users` the section's name. Domains have no id but this. */
  readonly name: string;
  /** What the change does to people and content. */
  readonly effects?: readonly ChangeEffect[] | undefined;
  /** The texts of the effects. They follow "it". */
  readonly destructive?: readonly string[] | undefined;
  /** Those of them that no later change brings back. */
  readonly irreversible?: readonly string[] | undefined;
  /** Only with `--prune`. */
  readonly prune?: true;
}

/** A new thing. The values of `invite` are `email`, `role`, and `groups` and `channels` as lists of `ThingId`. */
export interface Creation extends Named {
  readonly action: "create" | "invite";
  readonly to: AttributeValues;
  /** By attribute. */
  readonly through?: Readonly<Record<string, readonly Through[]>>;
}

/** A changed thing. One that is archived or restored may have other changes too. */
export interface Update extends Named {
  readonly action: "update" | "archive" | "unarchive" | "deactivate" | "reactivate";
  readonly id?: number;
  readonly fields: readonly FieldChange[];
}

export interface Removal extends Named {
  readonly action: "remove";
  readonly id?: number;
  readonly from: AttributeValues;
}

/** The order of all things of a section, listed in the file or not. New things are last in `from`. */
export interface Reordering extends Named {
  readonly action: "reorder";
  readonly from: readonly ThingId[];
  readonly to: readonly ThingId[];
}

export type Difference = Creation | Update | Removal | Reordering;

export const isCreation = (one: Difference): one is Creation => one.action === "create" || one.action === "invite";

/** Returns the marks of a difference. */
export function marksOf(
  effects: readonly ChangeEffect[],
): Pick<Difference, "destructive" | "irreversible" | "effects"> {
  const irreversible = effects.flatMap((effect) => (effect.irreversible ? [effect.text] : []));
  return {
    ...(effects.length && { effects, destructive: effects.map(({ text }) => text) }),
    ...(irreversible.length && { irreversible }),
  };
}

/** Returns the id of an existing thing. Undefined if it has none. */
export const idIn = (one: Difference): number | undefined => ("id" in one ? one.id : undefined);

/** Returns the changed attributes of an existing thing. */
export const fieldsOf = (one: Difference): readonly FieldChange[] => ("fields" in one ? one.fields : []);

/** Parameters that hold several independent values, and operations that set an order. */
import { reorderFolders } from "../api/folders.ts";
import { reorderLinkifiers } from "../api/linkifiers.ts";
import { reorderProfileFields } from "../api/profile-fields.ts";
import { membersOf } from "../common/object-members.ts";
import type { AnyOperation } from "../wire/operation.ts";

/** The parameter with the states of sign-in methods. Those that are not sent stay. */
export const signIn = "authentication_methods";

/** Returns the independent values of a parameter by their keys. Most parameters hold one. */
export function valuesIn(name: string, value: unknown): ReadonlyMap<unknown, unknown> {
  if (name === "profile_data" && Array.isArray(value))
    return new Map(value.filter((one) => membersOf(one).id !== undefined).map((one) => [one.id, [one]]));
  if (name !== signIn) return new Map([["", value]]);
  return new Map(Object.entries(membersOf(value)).map(([method, isOn]) => [method, { [method]: isOn }]));
}

/** By operation, the kind whose order it sets. Somebody may have added some since. */
export const ordered = new Map<AnyOperation, string>([
  [reorderLinkifiers, "linkifier"],
  [reorderProfileFields, "profile field"],
  [reorderFolders, "folder"],
]);

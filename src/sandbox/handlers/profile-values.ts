/** Values of profile fields: their checks, and the calls by which people change their own. */

import { badRequest } from "../answers.ts";
import { aList, anInteger, aString, type Check, fromJson, instanceOf, requiredMember } from "../decode.ts";
import { sendProfileChanged } from "../events/users.ts";
import { clearOwnProfile, updateOwnProfile } from "../other-operations.ts";
import { type HandlerCall, on } from "../router.ts";
import { isAdministrator, type SandboxState, type StoredUser } from "../state.ts";
import type { StoredProfileField } from "../stored-collections.ts";
import { isUrl, lengthOf } from "../text.ts";
import { fieldById } from "./profile-fields.ts";

const aValue: Check<string | number[] | null> = (value, path) => {
  if (value === null) return null;
  if (Array.isArray(value)) return aList(anInteger)(value, `${path}["list[int]"]`);
  return aString(value, `${path}["str"]`);
};

export interface StoredProfileValue {
  id: number;
  value: string | number[] | null;
}

export const aProfileValue: Check<StoredProfileValue> = (value, path) => {
  const element = instanceOf("ProfileDataElement")(value, path);
  return { id: requiredMember(element, "id", path, anInteger), value: requiredMember(element, "value", path, aValue) };
};

type ProfileChange = [field: number, value: string | null];

/** Returns the values to keep. Those that are cleared (null) come first. */
export function profileChanges({ state }: HandlerCall, values: readonly StoredProfileValue[] = []): ProfileChange[] {
  const resolved = values.map(({ id, value }) => ({ field: fieldById(state, id), value }));
  const changes = resolved.map(
    ({ field, value }): ProfileChange => [
      field.id,
      value === null || value.length === 0 ? null : profileValue(state, field, value),
    ],
  );
  return [...changes.filter(([, value]) => value === null), ...changes.filter(([, value]) => value !== null)];
}

export function applyProfile(call: HandlerCall, user: StoredUser, changes: readonly ProfileChange[]): void {
  for (const [id, value] of changes) {
    if (value === null ? !user.profile.delete(id) : user.profile.get(id) === value) continue;
    if (value !== null) user.profile.set(id, value);
    sendProfileChanged(call, user, id, value);
  }
}

/** Refuses fields that only administrators may change. */
function checkEditable({ state, caller }: HandlerCall, ids: readonly number[]): void {
  const fixed = ids.find((id) => !fieldById(state, id).editable_by_user);
  if (fixed !== undefined && !isAdministrator(caller))
    throw badRequest("You are not allowed to change this field. Contact an administrator to update it.");
}

export const profileValueRoutes = [
  on(updateOwnProfile, { who: "human", decode: { data: fromJson(aList(aProfileValue)) } }, (call, { data }) => {
    checkEditable(
      call,
      data.map(({ id }) => id),
    );
    applyProfile(call, call.caller, profileChanges(call, data));
  }),

  on(clearOwnProfile, { who: "human" }, (call, { data }) => {
    checkEditable(call, data);
    applyProfile(
      call,
      call.caller,
      data.map((id) => [id, null]),
    );
  }),
];

/** The value to store. Refuses values that the field does not accept. */
function profileValue(
  state: SandboxState,
  { name, type, field_data }: StoredProfileField,
  value: string | number[],
): string {
  if (type === 6) return storedPeople(state, value);
  if (typeof value !== "string") throw badRequest(`${name} is not a string`);
  const limit = type === 2 ? 500 : [1, 7, 8].includes(type) ? 50 : Number.POSITIVE_INFINITY;
  if (lengthOf(value) > limit) throw badRequest(`${name} is too long (limit: ${limit} characters)`);
  if (type === 3 && !Object.hasOwn(JSON.parse(field_data), value)) {
    throw badRequest(`'${value}' is not a valid choice for '${name}'.`);
  }
  if (type === 4 && !isDate(value)) throw badRequest(`${name} is not a date`);
  if (type === 5 && !isUrl(value)) throw badRequest(`${name} is not a URL`);
  return value;
}

function isDate(text: string): boolean {
  const time = /^\d{4}-\d{2}-\d{2}$/.test(text) ? Date.parse(text) : Number.NaN;
  // The 30th of February is read as a day of March.
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(text);
}

function storedPeople(state: SandboxState, value: string | number[]): string {
  if (!Array.isArray(value)) throw badRequest("User IDs is not a list");
  const unknown = value.filter((id) => !state.users.has(id));
  if (unknown.length > 0) throw badRequest(`Invalid user IDs: ${unknown.join(", ")}`);
  for (const id of value) {
    const user = state.users.get(id);
    if (!user?.is_active) throw badRequest(`User with ID ${id} is deactivated`);
    if (user.bot_type !== null) throw badRequest(`User with ID ${id} is a bot`);
  }
  return `[${value.join(",")}]`;
}

/** Values that people give in custom profile fields: what each kind of field takes, and in which form it is kept. */
import { refused } from "./answers.ts";
import type { ProfileField } from "./collections.ts";
import type { State } from "./state.ts";
import { isUrl, lengthOf } from "./text.ts";

type Given = string | number[];

function text(field: ProfileField, value: Given, limit: number): string {
  if (typeof value !== "string") throw refused(`${field.name} is not a string`);
  if (lengthOf(value) > limit) throw refused(`${field.name} is too long (limit: ${limit} characters)`);
  return value;
}

function option(field: ProfileField, value: Given): string {
  const given = text(field, value, Number.POSITIVE_INFINITY);
  if (!Object.hasOwn(JSON.parse(field.field_data), given)) {
    throw refused(`'${given}' is not a valid choice for '${field.name}'.`);
  }
  return given;
}

function date(field: ProfileField, value: Given): string {
  const given = text(field, value, Number.POSITIVE_INFINITY);
  const time = /^\d{4}-\d{2}-\d{2}$/.test(given) ? Date.parse(given) : Number.NaN;
  // The 30th of February is read as a day of March.
  if (Number.isNaN(time) || new Date(time).toISOString().slice(0, 10) !== given)
    throw refused(`${field.name} is not a date`);
  return given;
}

function people(state: State, value: Given): string {
  if (!Array.isArray(value)) throw refused("User IDs is not a list");
  const unknown = value.filter((id) => !state.users.has(id));
  if (unknown.length > 0) throw refused(`Invalid user IDs: ${unknown.join(", ")}`);
  for (const id of value) {
    const user = state.users.get(id);
    if (!user?.is_active) throw refused(`User with ID ${id} is deactivated`);
    if (user.bot_type !== null) throw refused(`User with ID ${id} is a bot`);
  }
  return `[${value.join(",")}]`;
}

/** The value as it is kept; throws where the field does not take it. */
export function profileValue(state: State, field: ProfileField, value: Given): string {
  switch (field.type) {
    case 1:
    case 7:
    case 8:
      return text(field, value, 50);
    case 2:
      return text(field, value, 500);
    case 3:
      return option(field, value);
    case 4:
      return date(field, value);
    case 5: {
      const given = text(field, value, Number.POSITIVE_INFINITY);
      if (!isUrl(given)) throw refused(`${field.name} is not a URL`);
      return given;
    }
    default:
      return people(state, value);
  }
}

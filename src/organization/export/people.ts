import { addressOf, roles } from "../../api/users.ts";
import { byText, type Words } from "../naming.ts";
import { fieldTypes } from "../sections/profile-fields.ts";
import { everybodyOf, type Field, type Person, roleOf } from "../snapshot.ts";
import { by, type Entry, type ExportContext, inJson, type Telling, type Told } from "./entry.ts";

/** The words of the file for the numbers of roles. */
export const roleNames = new Map<number, string>(Object.entries(roles).map(([name, number]) => [number, name]));

/** What somebody's value of a field is in words; undefined where there is none. */
function wordsOf({ type, field_data }: Field, value: unknown, naming: Words): unknown {
  if (value === null || value === "") return undefined;
  if (type === fieldTypes.options) {
    const option = Object.entries(inJson(field_data) ?? {}).find(([key]) => key === String(value));
    return (option?.[1] as { text?: unknown } | undefined)?.text;
  }
  if (type !== fieldTypes.people) return value;
  const ids = typeof value === "string" ? inJson(value) : value;
  return Array.isArray(ids) && ids.length ? (ids as number[]).map(naming.person).sort(byText) : undefined;
}

function profileOf({ profile_data = {} }: Person, fields: readonly Field[], naming: Words): Entry | undefined {
  const told = fields.flatMap((field) => {
    const value = wordsOf(field, profile_data[field.id]?.value ?? null, naming);
    return value === undefined ? [] : [[field.name, value] as const];
  });
  return told.length ? Object.fromEntries(told) : undefined;
}

/** Bots are no people. */
export function peopleTold({ snapshot }: Telling): Told<Person> {
  const gone = new Set(snapshot.organization.realm_non_active_users.map(({ user_id }) => user_id));
  return {
    records: everybodyOf(snapshot).filter(({ is_bot }) => !is_bot),
    id: ({ user_id }) => user_id,
    away: ({ user_id }) => gone.has(user_id),
    attributes: { email: addressOf, role: (person) => roleNames.get(roleOf(person)) },
  };
}

/** Those whose addresses are hidden come last. */
export function personEntries({ snapshot, naming }: ExportContext): Entry[] {
  const { custom_profile_fields: fields } = snapshot.organization;
  const { records, id, away, attributes } = peopleTold({ snapshot, naming });
  const place = (person: Person): string => {
    const email = addressOf(person);
    return email === undefined ? `1${String(id(person)).padStart(16, "0")}` : `0${email.toLowerCase()}`;
  };
  return [...records].sort(by(place)).map((person) => {
    const email = addressOf(person);
    const role = attributes.role!(person);
    const profile = profileOf(person, fields, naming);
    return {
      ...(email === undefined ? { id: id(person) } : { email }),
      full_name: person.full_name,
      ...(role !== undefined && { role }),
      ...(away(person) ? { active: false } : profile && { profile }),
    };
  });
}

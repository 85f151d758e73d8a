import { updateUser } from "../../api/people.ts";
import { addressOf, roles } from "../../api/users.ts";
import { strip } from "../../folding.ts";
import { byText, type Words } from "../naming.ts";
import { boolean, choice, either, filled, integer, list, map, named, none, text } from "../shape.ts";
import { everybodyOf, type Field, type Person, roleOf } from "../snapshot.ts";
import { attributesOf } from "./attributes.ts";
import { fieldTypes, optionsIn, peopleIn } from "./field-data.ts";
import type { Entry, Things } from "./section.ts";

const lowered = (address: string): string => strip(address).toLowerCase();

/** The words of the file for the numbers of roles. */
export const roleNames = new Map<number, string>(Object.entries(roles).map(([name, number]) => [number, name]));

/** Somebody's value of a field in words; undefined where there is none. */
function wordsOf({ type, field_data }: Field, value: unknown, naming: Words): unknown {
  if (value === null || value === "") return undefined;
  if (type === fieldTypes.options) return optionsIn(field_data).find(({ key }) => key === String(value))?.text;
  return type === fieldTypes.people ? peopleIn(value)?.map(naming.person).sort(byText) : value;
}

function profileOf({ profile_data = {} }: Person, fields: readonly Field[], naming: Words): Entry {
  const all = fields.map(
    (field) => [field.name, wordsOf(field, profile_data[field.id]?.value ?? null, naming)] as const,
  );
  return Object.fromEntries(all.filter(([, value]) => value !== undefined));
}

/** Those whose addresses are hidden come last. */
const placeOf = (person: Person): string => {
  const email = addressOf(person);
  return email === undefined ? `1${String(person.user_id).padStart(16, "0")}` : `0${email.toLowerCase()}`;
};

/** Bots are no people. */
export const people: Things<Person> = {
  doc: "People. Bots and people who are not listed stay unchanged.",
  holds: "things",
  one: "person",
  called: "people",
  key: ["email"],
  identified: ["email", "id"],
  fold: lowered,
  away: { member: "active", away: false, puts: "deactivate", brings: "reactivate" },
  members: {
    email: { shape: filled, doc: "The address." },
    id: { shape: integer(1), doc: "The id, where the address is hidden; the file must name its organization." },
    ...attributesOf(updateUser, {
      // A new address needs a permission that only the server's command line gives.
      without: ["user_id", "new_email"],
      as: { profile_data: "profile" },
      more: {
        full_name: { stored: strip },
        role: { shape: choice(...Object.keys(roles)) },
        profile: {
          shape: map(either(text, list(named("person")), none)),
          doc: "Values of custom profile fields by the fields' names; null for none.",
        },
      },
    }),
    active: { shape: boolean, doc: "false deactivates the person, true reactivates them." },
    invite: { shape: boolean, doc: "Whether to invite somebody who has no account." },
  },
  records: (snapshot) => everybodyOf(snapshot).filter(({ is_bot }) => !is_bot),
  id: ({ user_id }) => user_id,
  awayIn: ({ organization }) => {
    const away = new Set(organization.realm_non_active_users.map(({ user_id }) => user_id));
    return ({ user_id }) => away.has(user_id);
  },
  attributes: () => ({ email: addressOf, role: (person) => roleNames.get(roleOf(person)) }),
  entries: ({ snapshot, naming }) => {
    const { custom_profile_fields: fields } = snapshot.organization;
    const isAway = people.awayIn?.(snapshot);
    const places = new Map(people.records(snapshot).map((person) => [person, placeOf(person)]));
    return [...places]
      .sort(([, a], [, b]) => (a < b ? -1 : 1))
      .map(([person]) => {
        const email = addressOf(person);
        const profile = profileOf(person, fields, naming);
        return {
          ...(email === undefined ? { id: person.user_id } : { email }),
          full_name: person.full_name,
          role: roleNames.get(roleOf(person)),
          ...(isAway?.(person) ? { active: false } : Object.keys(profile).length && { profile }),
        };
      });
  },
};

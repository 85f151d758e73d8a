import { getUser } from "../../api/people.ts";
import type { ProfileField } from "../../api/profile-fields.ts";
import { getProfileFields } from "../../api/profile-fields.ts";
import { addressOf, hiddenAddress, roleName, type User } from "../../api/users.ts";
import { formOf } from "../../argv/flags.ts";
import { type Columns, single } from "../../cli/columns.ts";
import type { Named } from "../../cli/kinds.ts";
import type { Single } from "../../output/form.ts";
import { when } from "../../output/when.ts";
import type { Context } from "../../run/context.ts";
import { optionsOf, peopleField } from "./profile-values.ts";

type Profile = Readonly<Record<string, { value?: unknown } | undefined>>;
type Shown = User & { profile_data?: Profile; date_joined?: string; timezone?: string; bot_type?: number };

const botTypes: Readonly<Record<number, string>> = {
  1: "generic bot",
  2: "incoming webhook bot",
  3: "outgoing webhook bot",
  4: "embedded bot",
};

const kind = ({ is_bot, bot_type }: Shown) => (is_bot ? ((bot_type && botTypes[bot_type]) ?? "bot") : "person");

/** Written as other times are; as the server gave it where that is no time. */
const joined = (date?: string) => (date && Date.parse(date) ? when(Date.parse(date)) : date);

/** The ids in the value of a field of people, which is JSON in a text. */
function peopleIn(value: unknown): number[] | undefined {
  const all: unknown = typeof value === "string" && value.startsWith("[") ? JSON.parse(value) : value;
  return Array.isArray(all) ? all.filter((id) => typeof id === "number") : undefined;
}

/** What fields of an organization's own must not pass for. */
const heads = ["id", "name", "e-mail", "kind", "role", "state", "owner", "joined", "time zone"];

/** A line for each field that has a value. */
function profileLines(fields: readonly ProfileField[], profile: Profile): Columns<Shown> {
  const lines = fields.flatMap((field): [string, Columns<Shown>[string]][] => {
    const { value } = profile[field.id] ?? {};
    const head = heads.includes(field.name.toLowerCase()) ? `${field.name} (profile)` : field.name;
    if (value === undefined || value === null || value === "") return [];
    if (field.type === peopleField) return [[head, { names: "user", ids: () => peopleIn(value) }]];
    const option = new Map(optionsOf(field)).get(String(value));
    return [[head, { value: () => option ?? value }]];
  });
  return Object.fromEntries(lines);
}

export async function show(context: Context, { user }: { user: Named }): Promise<Single> {
  const { ask, flags, server } = context;
  const { user: record }: { user: Shown } = await ask(getUser, {
    user_id: user.id,
    include_custom_profile_fields: true,
  });
  const profile = record.profile_data ?? {};
  const named = formOf(flags) === "table" && Object.keys(profile).length > 0;
  const fields = named ? (await (await server()).call(getProfileFields, {})).custom_fields : [];
  return single<Shown>(context, record, {
    id: "user_id",
    fields: {
      ID: "user_id",
      Name: "full_name",
      "E-mail": { value: (user) => addressOf(user) ?? hiddenAddress },
      Kind: { value: kind },
      Role: { value: (user) => roleName(user.role) },
      State: {
        value: ({ is_active }) => (is_active === false ? "deactivated" : "active"),
        style: ({ is_active }) => (is_active === false ? "dim" : undefined),
      },
      Owner: record.is_bot ? { names: "user", ids: ({ bot_owner_id }) => bot_owner_id } : undefined,
      Joined: { value: ({ date_joined }) => joined(date_joined) },
      "Time zone": record.timezone ? "timezone" : undefined,
      ...profileLines(fields, profile),
    },
  });
}

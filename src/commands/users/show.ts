import { type Channel, getChannels } from "../../api/channels.ts";
import { register } from "../../api/events.ts";
import { getMessages, newestMessages } from "../../api/messages.ts";
import { getUser, getUserChannels } from "../../api/people.ts";
import { getProfileFields, type ProfileField } from "../../api/profile-fields.ts";
import { accountState, type User, userAddressText } from "../../api/users.ts";
import { outputForm } from "../../argv/global-flags.ts";
import { splitList } from "../../argv/read-text.ts";
import { TextInput } from "../../argv/text-input.ts";
import { type ColumnSpec, type Columns, singleRecord } from "../../cli/columns.ts";
import type { ReadContext } from "../../cli/parameter.ts";
import type { Server } from "../../client/server.ts";
import { counted, joinFirst } from "../../common/counted.ts";
import { isSameText, nfc } from "../../common/folding.ts";
import { namingFlag, Usage } from "../../errors.ts";
import { botKindName } from "../../model/bot.ts";
import { roleName } from "../../model/person.ts";
import { fieldTypes, optionsIn, optionTexts, peopleInValue } from "../../model/profile-field.ts";
import { trimmed } from "../../notation/blanks.ts";
import type { AnySingle, Listing } from "../../output/form.ts";
import { programLine } from "../../output/line.ts";
import { isoOrNull, timeCell } from "../../output/when.ts";
import { findListed } from "../../resolve/listed.ts";
import type { Context } from "../../run/context.ts";
import type { NamedThing } from "../../run/named-thing.ts";
import { call } from "../../wire/call.ts";
import { channelListing } from "../channel/list.ts";

/** A value as sent. Null clears it. */
export type ProfileValue = { id: number; name: string; value: string | number[] | null };

interface TypedValue {
  field: string;
  value: string;
}

/** Reads `field=value`. The value is everything after the first `=`. */
export const splitAssignments = (texts: readonly string[], { flag }: ReadContext): TypedValue[] =>
  texts.map((text) => {
    const at = text.indexOf("=");
    if (at < 1)
      throw new Usage(`${flag}: "${text}" must be field=value`, {
        hint: "An empty value clears the field.",
      });
    return { field: text.slice(0, at), value: text.slice(at + 1) };
  });

/** People see and write the text of an option, not its key. */
function optionOf(field: ProfileField, value: string, flag: string): string {
  const all = optionsIn(field.field_data);
  const alike = all.filter(({ text }) => isSameText(trimmed(text), value));
  const option = alike.find(({ text }) => nfc(text) === nfc(value)) ?? (alike.length === 1 ? alike[0] : undefined);
  if (option) return option.key;
  throw new Usage(`${flag}: "${value}" is not an option of ${field.name}`, {
    hint: `Available: ${all.map(({ text }) => text).join(", ")}.`,
  });
}

/** Servers take `1990-11-28` alone. Spreadsheets write `28.11.1990`. */
function checkDate({ name }: ProfileField, value: string, flag: string): void {
  const time = /^\d{4}-\d{2}-\d{2}$/.test(value) ? new Date(`${value}T00:00:00Z`).getTime() : Number.NaN;
  // The calendar takes 30 February for a day in March.
  if (!Number.isNaN(time) && new Date(time).toISOString().startsWith(value)) return;
  const [, day = "", month = "", year] = /^(\d{1,2})\.(\d{1,2})\.(\d{4})$/.exec(value) ?? [];
  const form =
    year === undefined ? ", such as 1990-11-28" : `: ${year}-${month.padStart(2, "0")}-${day.padStart(2, "0")}`;
  throw new Usage(`${flag}: "${value}" is not a valid date for ${name}`, {
    hint: `Write year, month and day${form}`,
  });
}

async function readValue(
  field: ProfileField,
  value: string,
  { context, flag }: ReadContext,
): Promise<ProfileValue["value"]> {
  if (field.type === fieldTypes.options) return optionOf(field, value, flag);
  if (field.type === fieldTypes.date) checkDate(field, value, flag);
  if (field.type !== fieldTypes.people) return value;
  const typed = new TextInput(
    value,
    context.line === undefined ? undefined : { typed: 0, separator: context.listSeparator },
  );
  const found = await findListed(context.names, "user", splitList(typed, flag), flag);
  return found.length ? [...new Set(found.map(({ id }) => id))] : null;
}

export async function findProfileValues(values: readonly TypedValue[], at: ReadContext): Promise<ProfileValue[]> {
  const found = new Map<number, ProfileValue>();
  for (const { field: name, value } of values) {
    await namingFlag(at.flag, async () => {
      const field = await at.context.names.profileField(name, at.flag);
      if (found.has(field.id)) throw new Usage(`${at.flag} gives ${field.name} two values`);
      // Blanks around it come from spreadsheets. They can have a meaning in Markdown.
      const text = field.type === fieldTypes.long_text ? value : trimmed(value);
      found.set(field.id, {
        id: field.id,
        name: field.name,
        value: text === "" ? null : await readValue(field, text, at),
      });
    });
  }
  return [...found.values()];
}

type ProfileData = Readonly<Record<string, { value?: unknown } | undefined>>;
type UserRecord = User & { profile_data?: ProfileData; date_joined?: string; timezone?: string; bot_type?: number };

/** The names that servers below level 490 give to accounts whose profile they delete. They do not mark them otherwise. */
const namesOfDeleted = ["Deleted user", "Deactivated bot"];

function remarkOn({ is_active, is_deleted, full_name }: UserRecord): string | undefined {
  if (is_deleted) return "cannot be reactivated";
  if (is_active !== false || !namesOfDeleted.includes(full_name)) return undefined;
  return "the profile seems to be deleted, but the account can be reactivated";
}

/** The fields of people and bots. */
const names = { ID: "user_id", Name: "full_name", "E-mail": { value: userAddressText } } as const;
const state: ColumnSpec<UserRecord> = {
  value: (user) => [accountState(user), remarkOn(user)].filter(Boolean).join(": "),
  style: ({ is_active }) => (is_active === false ? "dim" : undefined),
};
const owner: ColumnSpec<UserRecord> = { names: "user", ids: ({ bot_owner_id }) => bot_owner_id };
const created: ColumnSpec<UserRecord> = { value: ({ date_joined }) => timeCell(date_joined) };

const kind = ({ is_bot, bot_type }: UserRecord) =>
  is_bot ? [botKindName(bot_type), "bot"].filter(Boolean).join(" ") : "person";

/** Custom fields must not replace these lines. */
const reservedHeads = ["id", "name", "e-mail", "kind", "role", "state", "owner", "joined", "time zone"];

/** Returns a line for each field with a value. */
function profileLines(fields: readonly ProfileField[], profile: ProfileData): Columns<UserRecord> {
  const lines = fields.flatMap((field): [string, Columns<UserRecord>[string]][] => {
    const { value } = profile[field.id] ?? {};
    const head = reservedHeads.includes(field.name.toLowerCase()) ? `${field.name} (profile)` : field.name;
    if (value === undefined || value === null || value === "") return [];
    if (field.type === fieldTypes.people) return [[head, { names: "user", ids: () => peopleInValue(value) }]];
    const option = optionTexts(field).get(String(value));
    return [[head, { value: () => option ?? value }]];
  });
  return Object.fromEntries(lines);
}

export async function showUser(context: Context, { user }: { user: NamedThing }): Promise<AnySingle> {
  const { ask, flags, server } = context;
  const { user: record }: { user: UserRecord } = await ask(getUser, {
    user_id: user.id,
    include_custom_profile_fields: true,
  });
  const profile = record.profile_data ?? {};
  const showsLines = outputForm(flags) === "table" || flags.fields !== undefined;
  const needsFields = showsLines && Object.keys(profile).length > 0;
  const fields = needsFields ? (await (await server()).call(getProfileFields, {})).custom_fields : [];
  return singleRecord<UserRecord>(context, record, {
    id: "user_id",
    fields: {
      ...names,
      Kind: { value: kind },
      Role: { value: (user) => roleName(user.role) },
      State: state,
      Owner: record.is_bot ? owner : undefined,
      Joined: created,
      "Time zone": record.timezone ? "timezone" : undefined,
      ...profileLines(fields, profile),
    },
  });
}

/** Finds the bot's newest message that this account can read, in its own history or in a public channel. */
const newest = (id: number) =>
  newestMessages([
    { operator: "channels", operand: "public" },
    { operator: "sender", operand: id },
  ]);

export async function showBot(context: Context, { bot }: { bot: NamedThing }): Promise<AnySingle> {
  const { user }: { user: UserRecord } = await context.ask(getUser, { user_id: bot.id });
  if (!user.is_bot) throw new Usage(`<bot>: ${bot.typed} is a person`, { hint: "List bots with: zulipctl bots list" });
  const { messages } = await (await context.server()).call(getMessages, newest(bot.id));
  const seconds = messages.at(-1)?.timestamp;
  const record = { ...user, last_message: isoOrNull(seconds) };
  const fields: Columns<UserRecord> = {
    ...names,
    Kind: { value: ({ bot_type }) => botKindName(bot_type) },
    Owner: owner,
    State: state,
    Created: created,
    "Last message": { value: () => (seconds === undefined ? "none in public channels" : timeCell(seconds)) },
  };
  return singleRecord<UserRecord>(context, record, { id: "user_id", fields });
}

/** The first level that lists the channels of one account. */
const firstLevel = getUserChannels.since!;

/** Older servers only list the channels of the whole organization. */
const everySubscription = {
  event_types: [],
  fetch_event_types: ["subscription"],
  include_subscribers: "true",
  client_capabilities: { notification_settings_null: false },
};

async function subscribedTo(server: Server, user_id: number, command: string): Promise<ReadonlySet<number>> {
  if ((await server.level()) >= firstLevel)
    return new Set((await server.call(getUserChannels, { user_id }, { command })).subscribed_channel_ids);
  const { subscriptions, unsubscribed, never_subscribed } = await server.call(register, everySubscription, { command });
  const all = [subscriptions, unsubscribed, never_subscribed].flatMap((some) => some ?? []);
  return new Set(all.filter(({ subscribers }) => subscribers?.includes(user_id)).map(({ stream_id }) => stream_id));
}

/** From this level on the list of one account has archived channels too. */
const archivedToo = 458;

export async function channelsOfUser(context: Context, { user }: { user: NamedThing }): Promise<Listing<Channel>> {
  const { command, names, note } = context;
  const server = await context.server();
  const level = await server.level();
  const args = { include_all: true, include_default: true, ...(level >= archivedToo && { exclude_archived: false }) };
  await context.showInstead([
    level >= firstLevel ? call(getUserChannels, { user_id: user.id }) : call(register, everySubscription),
    call(getChannels, args),
  ]);
  const subscribed = await subscribedTo(server, user.id, command);
  // Throws for an unknown id.
  if (!subscribed.size) await names.person(user.id);
  const { streams } = await context.ask(getChannels, args);
  const all = streams.filter(({ stream_id }) => subscribed.has(stream_id));
  const archived = all.filter(({ is_archived }) => is_archived);
  const omitted = joinFirst(archived.map(({ stream_id, name }) => `${name} (${stream_id})`));
  if (archived.length) await note(programLine(`${counted(archived.length, "archived channel")} left out: ${omitted}`));
  return channelListing(
    context,
    all.filter((channel) => !archived.includes(channel)),
  );
}

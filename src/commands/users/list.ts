import { register } from "../../api/events.ts";
import { accountState, getUsers, type User, userAddress, userAddressText } from "../../api/users.ts";
import { outputForm, outputOptions } from "../../argv/global-flags.ts";
import { filtering } from "../../cli/empty-list.ts";
import type { CommandParameter, FlagValues } from "../../cli/parameter.ts";
import { channelsParameter, groupsParameter, usersParameter } from "../../cli/thing-parameters.ts";
import { ago, filter, offered, onOff, text, toggle } from "../../cli/value-parameters.ts";
import type { Records } from "../../client/records.ts";
import { chosenWord } from "../../common/choices.ts";
import { counted, joinFirst } from "../../common/counted.ts";
import { containsText } from "../../common/folding.ts";
import { membersOf } from "../../common/object-members.ts";
import { didYouMean } from "../../common/suggestions.ts";
import { Usage } from "../../errors.ts";
import { roleName, roleNames, roles } from "../../model/person.ts";
import type { Column, Listing } from "../../output/form.ts";
import { programLine } from "../../output/line.ts";
import { isoOrNull, timeCell } from "../../output/when.ts";
import { splitByLength } from "../../resolve/split-reads.ts";
import type { Context } from "../../run/context.ts";
import { usersById } from "../../run/labels.ts";
import { type Call, call } from "../../wire/call.ts";
import { allowEmptyList, checkListed, idsOfListed, listedPeople } from "./not-in.ts";

export const flagsByParameter = {
  user_ids: "--ids",
  client_gravatar: "--client-gravatar",
  include_custom_profile_fields: "--include-custom-profile-fields",
} as const;

/** Reads a role by name or number. Throws `Usage` for an unknown name. */
function readRole(text: string): number {
  if (/^\d{1,9}$/.test(text)) return Number(text);
  const role = chosenWord(roleNames, text);
  if (role) return roles[role];
  throw new Usage(`--role: unknown role "${text}"`, {
    hint: didYouMean(text, roleNames) ?? `Valid values: ${roleNames.join(", ")}, and numbers.`,
  });
}

export const userFilters = {
  ids: usersParameter("only these: ids, e-mails, name:…, group:…, me"),
  clientGravatar: onOff("omit gravatar URLs", "include gravatar URLs"),
  includeCustomProfileFields: toggle("include profile_data; in tables and CSV a column for each field"),
  role: {
    ...offered(roleNames, text("only those with this role: name or number", "role")),
    read: readRole,
  } as CommandParameter<number, string>,
  active: toggle("only active accounts"),
  deactivated: toggle("only deactivated accounts, and deleted ones"),
  bots: toggle("only bots"),
  humans: toggle("only people"),
  match: filter("only those with this text in the name or e-mail"),
  group: groupsParameter("only members of these groups, also through subgroups"),
  channel: channelsParameter("only subscribers of these channels"),
  notInGroup: groupsParameter("only people outside these groups and their subgroups"),
  notInChannel: channelsParameter("only people who are not subscribed to these channels"),
  notIn: listedPeople(),
  allowEmpty: allowEmptyList,
  owner: usersParameter("only bots of these people"),
  activity: toggle("show when each person was last active"),
  inactiveFor: ago("only people who were not active for this long: 180d, 12h"),
};

type Options = FlagValues<typeof userFilters>;
type Test = (user: User) => boolean;

/** Returns the tests of flags that servers do not support. Adds people with a hidden address to `hidden`. */
function testsOf({ role, active, deactivated, bots, humans, match, owner }: Options, hidden: Set<User>): Test[] {
  const matches = (text: string) => (user: User) => {
    const address = userAddress(user);
    if (address === undefined) hidden.add(user);
    return [user.full_name, address].some((word) => word !== undefined && containsText(word, text));
  };
  const tests: (Test | false | undefined)[] = [
    role !== undefined && ((user) => user.role === role),
    active && (({ is_active }) => is_active !== false),
    deactivated && (({ is_active }) => is_active === false),
    bots && (({ is_bot }) => is_bot),
    humans && (({ is_bot }) => !is_bot),
    match !== undefined && matches(match),
    owner && (({ bot_owner_id }) => owner.includes(bot_owner_id ?? 0)),
  ];
  return tests.filter((test) => typeof test === "function");
}

/** Servers silently omit unknown people. */
async function noteMissing({ note }: Context, ids: readonly number[], members: readonly User[]): Promise<void> {
  const found = new Set(members.map(({ user_id }) => user_id));
  const missing = ids.filter((id) => !found.has(id));
  if (missing.length)
    await note(
      programLine(
        `no visible account has the id${missing.length === 1 ? "" : "s"} ${joinFirst(missing.map(String), 20)}`,
      ),
    );
}

/** Reads when people were last active, without a time limit. */
const presence = {
  event_types: [],
  fetch_event_types: ["presence"],
  slim_presence: true,
  presence_history_limit_days: 36_500,
};

/** Null for bots, deactivated people, people who hide their presence, and people who only use an API key. */
type ActiveUser = User & { last_active: string | null };

const activityColumn: Column<ActiveUser> = {
  head: "LAST ACTIVE",
  value: ({ last_active }) => (last_active === null ? "unknown" : timeCell(last_active)),
  importance: "high",
};

/** Returns accounts with their last activity. `before` drops those without any. */
async function withActivity(context: Context, found: Iterable<User> | AsyncIterable<User>, before: number | undefined) {
  const users: User[] = [];
  for await (const user of found) users.push(user);
  const { presences = {} } = await (await context.server()).call(register, presence, { command: "--activity" });
  const all = users.map((user): ActiveUser => {
    const { active_timestamp: seconds } = membersOf(presences[user.user_id]);
    return { ...user, last_active: isoOrNull(typeof seconds === "number" ? seconds : undefined) };
  });
  if (before === undefined) return all;
  const unknown = all.filter(({ last_active, is_bot }) => last_active === null && !is_bot).length;
  if (unknown)
    await context.note(
      programLine(
        `skipped ${counted(unknown, "person", "people")} whose last activity is unknown: deactivated, hidden, or API key only`,
      ),
    );
  return all.filter(({ last_active }) => last_active !== null && Date.parse(last_active) < before);
}

/** The members of accounts. A profile field with such a name does not replace them. */
const membersOfUsers = [
  "user_id",
  "email",
  "full_name",
  "delivery_email",
  "role",
  "timezone",
  "date_joined",
  "profile_data",
  "is_active",
  "is_admin",
  "is_billing_admin",
  "is_bot",
  "is_deleted",
  "is_guest",
  "is_imported_stub",
  "is_owner",
  "avatar_url",
  "avatar_version",
  "bot_owner_id",
  "bot_type",
  "last_active",
];

/** Returns which names are taken, and whether the output has columns for profile fields. */
function profileChoice({ flags }: Context, { includeCustomProfileFields }: Options, columns: readonly Column<never>[]) {
  const { form, fields, sort } = outputOptions(flags);
  const taken = new Set([...membersOfUsers, ...columns.map(({ head }) => head.toLowerCase())]);
  const named = [...(fields ?? []), ...(sort === undefined ? [] : [sort.replace(/^-/, "")])];
  const tabular = form === "table" || form === "csv" || form === "tsv";
  const isShown = (head: string) => (fields ? named : [head]).some((name) => name.toLowerCase() === head.toLowerCase());
  const reads =
    named.some((name) => !taken.has(name.toLowerCase())) || (includeCustomProfileFields && tabular && !fields);
  return { taken, isShown, reads };
}

export async function listUsers(context: Context, typed: Options): Promise<Listing<User> | Listing<ActiveUser>> {
  const { notIn } = typed;
  // Whoever is not on a list is somebody who can leave.
  const options = notIn
    ? {
        ...typed,
        active: typed.deactivated ? undefined : (true as const),
        humans: typed.bots || typed.owner ? undefined : (true as const),
      }
    : typed;
  if (notIn) checkListed(notIn, options.allowEmpty);
  const { ids, activity, inactiveFor } = options;
  const hidden = new Set<User>();
  const tests = testsOf(options, hidden);
  const note = () =>
    hidden.size
      ? `--match: ${counted(hidden.size, "address is", "addresses are")} hidden from this account`
      : undefined;
  const showsActivity = activity || inactiveFor !== undefined;
  const choice = profileChoice(context, options, [...userColumns, ...(showsActivity ? [activityColumn] : [])]);
  const withProfile = choice.reads || options.includeCustomProfileFields;
  const rest = { client_gravatar: options.clientGravatar, include_custom_profile_fields: withProfile || undefined };
  // An empty list means nobody, whatever servers make of it.
  const requests = ids?.length
    ? splitByLength((await context.server()).site, getUsers, { name: "user_ids", ids, flag: "--ids" }, rest)
    : ids
      ? []
      : [rest];
  const hasMemberFilter = options.group ?? options.channel ?? options.notInGroup ?? options.notInChannel;
  const memberFilters = hasMemberFilter ? (await import("./member-filters.ts")).memberFilters(options) : [];
  const profileFields = choice.reads && (await import("./profile-columns.ts"));
  const reads: Call[] = memberFilters.flatMap(({ reads }) => reads);
  if (showsActivity) reads.push(call(register, presence));
  if (profileFields) reads.push(profileFields.readFields);
  if (reads.length) await context.showInstead([...reads, ...requests.map((args) => call(getUsers, args))]);
  for (const { test } of memberFilters) tests.push(await test(context));
  if (notIn) {
    const listed = await idsOfListed(context, notIn, typed.allowEmpty);
    tests.push(({ user_id }) => !listed.has(user_id));
  }
  const profile = profileFields && (await profileFields.profileColumns(context, choice.taken, choice.isShown));
  let members: User[] | Records<User>;
  if (ids) {
    members = ids.length
      ? (await context.askAll(getUsers, requests, flagsByParameter)).flatMap((answer) => answer.members)
      : [];
    await noteMissing(context, ids, members);
  } else members = await context.list(getUsers, rest, "members", flagsByParameter);
  const { keep, emptyFields } = filtering(getUsers, (user: User) => tests.every((test) => test(user)));
  const optionalFields = ["bot_type", "bot_owner_id", "is_deleted", ...(withProfile ? ["profile_data"] : [])];
  const found = tests.length ? members.filter(keep) : members;
  const records = profile ? await profile.withAddresses(found) : found;
  const listing = {
    kind: "listing",
    id: "user_id",
    tableOrder: "full_name",
    note,
    optionalFields,
    emptyFields,
  } as const;
  const profileColumns = profile ? profile.columns : [];
  if (!showsActivity) return { ...listing, records, columns: [...userColumns, ...profileColumns] };
  const active = await withActivity(context, records, inactiveFor);
  return { ...listing, records: active, columns: [...userColumns, activityColumn, ...profileColumns] };
}

/** A person, or only the id of one whom the account cannot see. */
export type ListedPerson = User | { user_id: number };

const ifVisible =
  <T>(format: (user: User) => T) =>
  (person: ListedPerson): T | undefined =>
    "full_name" in person ? format(person) : undefined;

const dimIfInactive = ifVisible(({ is_active }) => (is_active === false ? ("dim" as const) : undefined));

export const userColumns: Column<ListedPerson>[] = [
  { head: "ID", value: ({ user_id }) => user_id, align: "right" },
  { head: "NAME", value: ifVisible(({ full_name }) => full_name), style: dimIfInactive },
  { head: "EMAIL", value: ifVisible(userAddressText), whole: true },
  { head: "ROLE", value: ifVisible((user) => roleName(user.role)) },
  {
    head: "STATE",
    value: ifVisible((user) =>
      [user.is_bot && "bot", user.is_active === false && accountState(user)].filter(Boolean).join(", "),
    ),
    style: dimIfInactive,
  },
];

/** Sorts by id. Ids alone remain for people whom the account cannot see, and for `-o ids`. */
export async function readPeople(context: Context, ids: readonly number[], flag: string): Promise<ListedPerson[]> {
  const form = outputForm(context.flags);
  const known = form === "ids" || form === "none" ? new Map() : await usersById(context, ids, flag);
  return ids.map((user_id) => known.get(user_id) ?? { user_id });
}

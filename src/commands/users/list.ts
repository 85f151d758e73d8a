import { register } from "../../api/events.ts";
import { getMembers } from "../../api/groups.ts";
import { getSubscribers } from "../../api/subscriptions.ts";
import { addressOf, getUsers, roleName, roleNames, roles, shownAddress, type User } from "../../api/users.ts";
import { formOf } from "../../argv/flags.ts";
import { ago, channels, groups, offered, onOff, users as people, text, toggle } from "../../cli/kinds.ts";
import type { FlagValues, Word } from "../../cli/word.ts";
import type { Records } from "../../client/records.ts";
import { counted, firstOf } from "../../counted.ts";
import { Usage } from "../../errors.ts";
import { didYouMean } from "../../near.ts";
import type { Column, Listing } from "../../output/form.ts";
import { when } from "../../output/when.ts";
import { parts } from "../../resolve/parts.ts";
import type { Context } from "../../run/context.ts";
import { usersById } from "../../run/labels.ts";
import { call } from "../../wire/call.ts";

export const listFlags = {
  user_ids: "--ids",
  client_gravatar: "--client-gravatar",
  include_custom_profile_fields: "--include-custom-profile-fields",
} as const;

/** Reads a role by name or number. Throws `Usage` for an unknown name. */
function readRole(text: string): number {
  if (/^\d{1,9}$/.test(text)) return Number(text);
  const role = roleNames.find((name) => name === text.toLowerCase());
  if (role) return roles[role];
  throw new Usage(`--role: unknown role "${text}"`, {
    hint: didYouMean(text, roleNames) ?? `Valid values: ${roleNames.join(", ")}, and numbers.`,
  });
}

export const filters = {
  ids: people("only these: ids, e-mails, name:…, me"),
  clientGravatar: onOff("omit gravatar URLs", "include gravatar URLs"),
  includeCustomProfileFields: toggle("include profile_data"),
  role: {
    ...offered(roleNames, text("only those with this role: name or number", "role")),
    read: readRole,
  } as Word<number, string>,
  active: toggle("only active accounts"),
  deactivated: toggle("only deactivated accounts"),
  bots: toggle("only bots"),
  humans: toggle("only people"),
  match: text("only those with this text in the name or e-mail"),
  group: groups("those in one of these groups, through subgroups too"),
  channel: channels("those subscribed to one of these channels"),
  notInGroup: groups("those in none of these groups, nor in their subgroups"),
  notInChannel: channels("those subscribed to none of these channels"),
  owner: people("only bots of these people"),
  activity: toggle("show when each person was last active"),
  inactiveFor: ago("only people not active for so long: 180d, 12h"),
};

type Options = FlagValues<typeof filters>;
type Test = (user: User) => unknown;

/** Returns filters that servers do not support. All must match. */
function filtersOf({ role, active, deactivated, bots, humans, match, owner }: Options) {
  const text = match?.toLowerCase();
  const has = (word: string | null | undefined) => word?.toLowerCase().includes(text!);
  const tests: Test[] = [];
  let hidden = 0;
  if (role !== undefined) tests.push((user) => user.role === role);
  if (active) tests.push(({ is_active }) => is_active !== false);
  if (deactivated) tests.push(({ is_active }) => is_active === false);
  if (bots) tests.push(({ is_bot }) => is_bot);
  if (humans) tests.push(({ is_bot }) => !is_bot);
  if (text !== undefined)
    tests.push((user) => {
      const address = addressOf(user);
      if (address === undefined) hidden++;
      return has(user.full_name) || has(address);
    });
  if (owner) tests.push(({ bot_owner_id }) => typeof bot_owner_id === "number" && owner.includes(bot_owner_id));
  const note = () =>
    hidden ? `--match: ${counted(hidden, "address is", "addresses are")} hidden from this account` : undefined;
  return { tests, note };
}

/** Groups and channels whose members are listed, or left out. */
const memberships = ({ group, channel, notInGroup, notInChannel }: Options) =>
  [
    { flag: "--group", of: "group", ids: group, kept: true },
    { flag: "--channel", of: "channel", ids: channel, kept: true },
    { flag: "--not-in-group", of: "group", ids: notInGroup, kept: false },
    { flag: "--not-in-channel", of: "channel", ids: notInChannel, kept: false },
  ].flatMap(({ ids, ...rest }) => (ids ? [{ ...rest, ids }] : []));

async function testOf({ server }: Context, { flag, of, ids, kept }: ReturnType<typeof memberships>[number]) {
  const from = await server();
  const spelling = { command: flag };
  const members = new Set<number>();
  for (const id of ids) {
    const some =
      of === "group"
        ? (await from.call(getMembers, { user_group_id: id }, spelling)).members
        : (await from.call(getSubscribers, { stream_id: id }, spelling)).subscribers;
    for (const one of some) members.add(one);
  }
  return ({ user_id }: User) => members.has(user_id) === kept;
}

/** Servers silently omit unknown people. */
async function noteMissing({ note }: Context, ids: readonly number[], members: readonly User[]): Promise<void> {
  const there = new Set(members.map(({ user_id }) => user_id));
  const missing = ids.filter((id) => !there.has(id));
  if (!missing.length) return;
  const some = firstOf(missing.map(String), 20);
  await note(`zulipctl: no visible account has the id${missing.length === 1 ? "" : "s"} ${some}`);
}

/** Reads when people were last active, without a time limit. */
const presence = {
  event_types: [],
  fetch_event_types: ["presence"],
  slim_presence: true,
  presence_history_limit_days: 36_500,
};

type Active = User & { last_active: string | null };

/** Null for bots, deactivated people, people who hide their presence, and people who only use an API key. */
async function lastActive({ server }: Context): Promise<(user: User) => Active> {
  const { presences = {} } = await (await server()).call(register, presence, { command: "--activity" });
  return (user) => {
    const { active_timestamp: seconds } = Object(presences[user.user_id]);
    return { ...user, last_active: typeof seconds === "number" ? new Date(seconds * 1000).toISOString() : null };
  };
}

const activityColumn: Column<Active> = {
  head: "LAST ACTIVE",
  value: ({ last_active }) => (last_active === null ? "unknown" : when(Date.parse(last_active))),
  importance: "high",
};

/** Returns accounts with their last activity. `before` drops those without any. */
async function withActivity(context: Context, found: Iterable<User>, before: number | undefined) {
  const all = Array.from(found, await lastActive(context));
  if (before === undefined) return all;
  const unknown = all.filter(({ last_active, is_bot }) => last_active === null && !is_bot).length;
  if (unknown)
    await context.note(
      `zulipctl: left out ${counted(unknown, "person", "people")} whose last activity is unknown: deactivated, hidden, or API key only`,
    );
  return all.filter(({ last_active }) => last_active !== null && Date.parse(last_active) < before);
}

export async function list(context: Context, options: Options): Promise<Listing<User> | Listing<Active>> {
  const { ids, activity, inactiveFor } = options;
  const { tests, note } = filtersOf(options);
  const active = activity || inactiveFor !== undefined;
  const rest = {
    client_gravatar: options.clientGravatar,
    include_custom_profile_fields: options.includeCustomProfileFields,
  };
  // An empty list means nobody, whatever servers make of it.
  const asked = ids?.length
    ? parts((await context.server()).site, getUsers, { name: "user_ids", ids, flag: "--ids" }, rest)
    : ids
      ? []
      : [rest];
  const within = memberships(options);
  if (within.length || active) {
    const reads = within.flatMap(({ of, ids }) =>
      ids.map((id) =>
        of === "group" ? call(getMembers, { user_group_id: id }) : call(getSubscribers, { stream_id: id }),
      ),
    );
    if (active) reads.push(call(register, presence));
    await context.showInstead([...reads, ...asked.map((args) => call(getUsers, args))]);
    for (const each of within) tests.push(await testOf(context, each));
  }
  let members: User[] | Records<User>;
  if (ids) {
    members = ids.length ? (await context.askAll(getUsers, asked, listFlags)).flatMap((answer) => answer.members) : [];
    await noteMissing(context, ids, members);
  } else members = await context.list(getUsers, rest, "members", listFlags);
  const rare = ["bot_type", "bot_owner_id", ...(options.includeCustomProfileFields ? ["profile_data"] : [])];
  if (active) {
    const found: User[] = [];
    for await (const user of members) if (tests.every((one) => one(user))) found.push(user);
    const records = await withActivity(context, found, inactiveFor);
    return { kind: "listing", records, id: "user_id", columns: [...userColumns, activityColumn], note, rare };
  }
  return {
    kind: "listing",
    records: tests.length ? members.filter((user: User) => tests.every((one) => one(user))) : members,
    id: "user_id",
    columns: userColumns,
    note,
    rare,
  };
}

/** A person, or only the id of one whom the account cannot see. */
export type Person = User | { user_id: number };

const seen =
  <T>(tell: (user: User) => T) =>
  (person: Person): T | undefined =>
    "full_name" in person ? tell(person) : undefined;

const faded = seen(({ is_active }) => (is_active === false ? ("dim" as const) : undefined));

export const userColumns: Column<Person>[] = [
  { head: "ID", value: ({ user_id }) => user_id, align: "right" },
  { head: "NAME", value: seen(({ full_name }) => full_name), style: faded },
  { head: "EMAIL", value: seen(shownAddress), whole: true },
  { head: "ROLE", value: seen((user) => roleName(user.role)) },
  {
    head: "STATE",
    value: seen(({ is_bot, is_active }) =>
      [is_bot && "bot", is_active === false && "deactivated"].filter(Boolean).join(", "),
    ),
    style: faded,
  },
];

/** Sorts by id. Ids alone remain for people whom the account cannot see, and for `-o ids`. */
export async function peopleOf(context: Context, ids: readonly number[], flag: string): Promise<Person[]> {
  const form = formOf(context.flags);
  const known = form === "ids" || form === "none" ? new Map() : await usersById(context, ids, flag);
  return ids.map((user_id) => known.get(user_id) ?? { user_id });
}

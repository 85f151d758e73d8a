import { distance } from "fastest-levenshtein";
import { addressOf, getUsers, roles, type User } from "../../api/users.ts";
import type { Given } from "../../argv/given.ts";
import { namesOf } from "../../argv/text.ts";
import type { Records } from "../../client/records.ts";
import { counted, firstOf } from "../../counted.ts";
import { Usage } from "../../errors.ts";
import type { Listing } from "../../output/form.ts";
import { parts } from "../../resolve/parts.ts";
import { type Requests, requests } from "../../run/conclusion.ts";
import { type Context, showRequest } from "../../run/context.ts";
import { call } from "../../wire/call.ts";
import type { BelongingOptions } from "./belonging.ts";
import { userColumns } from "./people.ts";

export const listFlags = {
  user_ids: "--ids",
  client_gravatar: "--client-gravatar",
  include_custom_profile_fields: "--include-custom-profile-fields",
} as const;

/** A name or a number; throws `Usage` for a name that is none. */
export function readRole(text: string): number {
  if (/^\d{1,9}$/.test(text)) return Number(text);
  const names = Object.keys(roles) as (keyof typeof roles)[];
  const role = names.find((name) => name === text.toLowerCase());
  if (role) return roles[role];
  const near = names.filter((name) => distance(name, text.toLowerCase()) <= 3 || name.startsWith(text.toLowerCase()));
  throw new Usage(`--role: unknown role "${text}"`, {
    hint: near.length ? `Did you mean ${near.join(" or ")}?` : `Valid values: ${names.join(", ")}, and numbers.`,
  });
}

interface Options extends BelongingOptions {
  ids?: Given[];
  clientGravatar?: boolean;
  includeCustomProfileFields?: boolean;
  role?: string;
  active?: boolean;
  deactivated?: boolean;
  bots?: boolean;
  humans?: boolean;
  match?: string;
  owner?: Given[];
}

/** What the flags say that no server can be asked for: each must hold. */
function wanted({ role, active, deactivated, bots, humans, match, owner }: Options) {
  if (active && deactivated) throw new Usage("--active cannot be combined with --deactivated");
  if (bots && humans) throw new Usage("--bots cannot be combined with --humans");
  if (owner && humans) throw new Usage("--owner cannot be combined with --humans: only bots have owners");
  const number = role === undefined ? undefined : readRole(role);
  const text = match?.toLowerCase();
  const has = (word: string | null | undefined) => word?.toLowerCase().includes(text!);
  const tests: ((user: User) => unknown)[] = [];
  let hidden = 0;
  if (number !== undefined) tests.push((user) => user.role === number);
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
  const note = () =>
    hidden ? `--match: ${counted(hidden, "address is", "addresses are")} hidden from this account` : undefined;
  return { tests, note };
}

/** A server leaves out who is not there, and says nothing of it. */
async function noteMissing({ note }: Context, ids: readonly number[], members: readonly User[]): Promise<void> {
  const there = new Set(members.map(({ user_id }) => user_id));
  const missing = [...new Set(ids)].filter((id) => !there.has(id));
  if (!missing.length) return;
  const told = firstOf(missing.map(String), 20);
  await note(`zulipctl: no visible account has the id${missing.length === 1 ? "" : "s"} ${told}`);
}

/** The ids that names stand for, each once. */
async function people({ find }: Context, flag: string, names: readonly string[]): Promise<number[]> {
  const ids = new Set<number>();
  for (const name of names) ids.add(await find.user(name, flag));
  return [...ids];
}

/** Those who pass. Throws `Usage` at the end for an owner who is not among all. */
async function* ofOwners(
  all: Iterable<User> | AsyncIterable<User>,
  passes: (user: User) => boolean,
  owners: ReadonlySet<number>,
): AsyncGenerator<User> {
  const unseen = new Set(owners);
  for await (const user of all) {
    unseen.delete(user.user_id);
    if (passes(user)) yield user;
  }
  for (const id of unseen) throw new Usage(`--owner: user ${id} not found, or not visible to this account`);
}

export async function list(context: Context, options: Options): Promise<Listing<User> | Requests> {
  const { askAll, find, flags, server, world } = context;
  const { tests, note } = wanted(options);
  const rest = {
    client_gravatar: options.clientGravatar,
    include_custom_profile_fields: options.includeCustomProfileFields,
  };
  const names = options.ids && (await namesOf(world, "--ids", options.ids));
  const ownerNames = options.owner && (await namesOf(world, "--owner", options.owner));
  const { group, channel, notInGroup, notInChannel } = options;
  const belonging = (group ?? channel ?? notInGroup ?? notInChannel) && (await import("./belonging.ts"));
  const typed = await belonging?.typedOf(context, options);
  if (names) await context.foresee(getUsers, [{ param: "user_ids", flag: listFlags.user_ids }]);

  const ids = names && (await people(context, "--ids", names));
  const owners = ownerNames && new Set(await people(context, "--owner", ownerNames));
  const conditions = typed && (await belonging!.conditionsOf(context, typed));
  const { site } = await server();
  // What an empty list means to a server is its own affair; here it means nobody.
  const asked = ids
    ? ids.length
      ? parts(site, getUsers, { name: "user_ids", ids, flag: "--ids" }, rest)
      : []
    : [rest];
  if (flags.dryRun && conditions) {
    const to = await server();
    const last = asked.map((args) => showRequest(to, call(getUsers, args), find));
    return requests([...(await belonging!.readsOf(context, conditions)), ...(await Promise.all(last))]);
  }
  const belongs = conditions && (await belonging!.belongs(context, conditions));
  let members: User[] | Records<User>;
  if (ids) {
    members = ids.length ? (await askAll(getUsers, asked, listFlags)).flatMap((answer) => answer.members) : [];
    await noteMissing(context, ids, members);
  } else members = await context.list(getUsers, rest, "members", listFlags);
  if (belongs) tests.push(belongs);
  if (owners) tests.push(({ bot_owner_id }) => typeof bot_owner_id === "number" && owners.has(bot_owner_id));
  const passes = (user: User) => tests.every((one) => one(user));
  return {
    kind: "listing",
    records: owners && !ids ? ofOwners(members, passes, owners) : tests.length ? members.filter(passes) : members,
    id: "user_id",
    columns: userColumns,
    note,
    rare: ["bot_type", "bot_owner_id", ...(options.includeCustomProfileFields ? ["profile_data"] : [])],
  };
}

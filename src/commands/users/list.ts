import { getUsers, type User } from "../../api/users.ts";
import type { Given } from "../../argv/given.ts";
import { namesOf } from "../../argv/text.ts";
import type { Records } from "../../client/records.ts";
import { Usage } from "../../errors.ts";
import type { Listing } from "../../output/form.ts";
import { parts } from "../../resolve/parts.ts";
import type { Context } from "../../run/context.ts";
import { userColumns } from "./columns.ts";
import { listFlags } from "./flags.ts";
import { readRole, roleOf } from "./role.ts";

interface Options {
  ids?: Given[];
  clientGravatar?: boolean;
  includeCustomProfileFields?: boolean;
  role?: string;
  active?: boolean;
  deactivated?: boolean;
  bots?: boolean;
  humans?: boolean;
  match?: string;
}

/** What the flags say that no server can be asked for. */
function wanted({ role, active, deactivated, bots, humans, match }: Options): (user: User) => boolean {
  if (active && deactivated) throw new Usage("--active and --deactivated contradict each other");
  if (bots && humans) throw new Usage("--bots and --humans contradict each other");
  const number = role === undefined ? undefined : readRole(role);
  const text = match?.toLowerCase();
  const has = (word: string | null | undefined) => word?.toLowerCase().includes(text!);
  return (user) =>
    (number === undefined || roleOf(user) === number) &&
    (!active || user.is_active !== false) &&
    (!deactivated || user.is_active === false) &&
    (!bots || user.is_bot) &&
    (!humans || !user.is_bot) &&
    (text === undefined || Boolean(has(user.full_name) || has(user.delivery_email) || has(user.email)));
}

/** A server leaves out who is not there, and says nothing of it. */
async function noteMissing({ note }: Context, ids: readonly number[], members: readonly User[]): Promise<void> {
  const there = new Set(members.map(({ user_id }) => user_id));
  const missing = [...new Set(ids)].filter((id) => !there.has(id));
  if (!missing.length) return;
  const told = missing.slice(0, 20).join(", ") + (missing.length > 20 ? ` and ${missing.length - 20} more` : "");
  await note(`zulipctl: nobody that this account can see has the id${missing.length === 1 ? "" : "s"} ${told}`);
}

export async function list(context: Context, options: Options): Promise<Listing<User>> {
  const { askAll, find, server, world } = context;
  const wants = wanted(options);
  const rest = {
    client_gravatar: options.clientGravatar,
    include_custom_profile_fields: options.includeCustomProfileFields,
  };
  let members: User[] | Records<User>;
  if (options.ids) {
    await context.foresee(getUsers, [{ param: "user_ids", flag: "--ids" }]);
    const ids = [];
    for (const name of await namesOf(world, "--ids", options.ids)) ids.push(await find.user(name, "--ids"));
    const { site } = await server();
    const asked = parts(site, getUsers, { name: "user_ids", ids, flag: "--ids" }, rest);
    // What an empty list means to a server is its own affair; here it means nobody.
    members = ids.length ? (await askAll(getUsers, asked, listFlags)).flatMap((answer) => answer.members) : [];
    await noteMissing(context, ids, members);
  } else members = await context.list(getUsers, rest, "members", listFlags);
  return {
    kind: "listing",
    records: members.filter(wants),
    id: ({ user_id }) => user_id,
    columns: userColumns,
    rare: ["bot_type", "bot_owner_id", ...(options.includeCustomProfileFields ? ["profile_data"] : [])],
  };
}

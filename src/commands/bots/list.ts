/** Bots as everybody sees them: the list of accounts has no keys. */
import { botKindName } from "../../api/bots.ts";
import { getMessages, newestOf } from "../../api/messages.ts";
import { getUser } from "../../api/people.ts";
import { addressOf, getUsers, hiddenAddress, type User } from "../../api/users.ts";
import { type Columns, columnsOf, single } from "../../cli/columns.ts";
import type { Named } from "../../cli/kinds.ts";
import { Usage } from "../../errors.ts";
import type { AnySingle, Listing } from "../../output/form.ts";
import { when } from "../../output/when.ts";
import type { Context } from "../../run/context.ts";

type Bot = User & { bot_type?: number; date_joined?: string };

const columns = (among: ReadonlyMap<number, string>): Columns<Bot> => ({
  ID: "user_id",
  NAME: { value: ({ full_name }) => full_name, style: ({ is_active }) => (is_active === false ? "dim" : undefined) },
  EMAIL: { value: (bot) => addressOf(bot) ?? hiddenAddress, whole: true },
  KIND: { value: ({ bot_type }) => botKindName(bot_type) },
  OWNER: { names: "user", among, ids: ({ bot_owner_id }) => bot_owner_id },
});

const state: Columns<Bot> = {
  STATE: { value: ({ is_active }) => (is_active === false ? "deactivated" : "active") },
};

export async function list(
  context: Context,
  { owner, deactivated }: { owner?: Named | undefined; deactivated?: boolean | undefined },
): Promise<Listing<Bot>> {
  const { members } = await context.ask(getUsers, {});
  const records = (members as Bot[]).filter(
    ({ is_bot, is_active, bot_owner_id }) =>
      is_bot && (deactivated || is_active !== false) && (!owner || bot_owner_id === owner.id),
  );
  const names = new Map(members.map(({ user_id, full_name }) => [user_id, full_name]));
  const shown = await columnsOf(context, { ...columns(names), ...(deactivated && state) }, { id: "user_id", records });
  return { kind: "listing", records, id: "user_id", columns: shown };
}

/** Finds the bot's newest message that this account can read, in its own history or in a public channel. */
const newest = (id: number) =>
  newestOf([
    { operator: "channels", operand: "public" },
    { operator: "sender", operand: id },
  ]);

export async function show(context: Context, { bot }: { bot: Named }): Promise<AnySingle> {
  const { user }: { user: Bot } = await context.ask(getUser, { user_id: bot.id });
  if (!user.is_bot) throw new Usage(`<bot>: ${bot.typed} is a person`, { hint: "List bots with: zulipctl bots list" });
  const { messages } = await (await context.server()).call(getMessages, newest(bot.id));
  const seconds = messages.at(-1)?.timestamp;
  const last_message = seconds === undefined ? null : new Date(seconds * 1000).toISOString();
  const { date_joined } = user;
  return single(
    context,
    { ...user, last_message },
    {
      id: "user_id",
      fields: {
        ID: "user_id",
        Name: "full_name",
        "E-mail": { value: (one) => addressOf(one) ?? hiddenAddress },
        Kind: { value: ({ bot_type }) => botKindName(bot_type) },
        Owner: { names: "user", ids: ({ bot_owner_id }) => bot_owner_id },
        State: {
          value: ({ is_active }) => (is_active === false ? "deactivated" : "active"),
          style: ({ is_active }) => (is_active === false ? "dim" : undefined),
        },
        Created: {
          value: () => (date_joined && Date.parse(date_joined) ? when(Date.parse(date_joined)) : date_joined),
        },
        "Last message": { value: () => (seconds === undefined ? "none in public channels" : when(seconds)) },
      },
    },
  );
}

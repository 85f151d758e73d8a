import { deactivateBot } from "../../api/bots.ts";
import { getInvitations } from "../../api/invitations.ts";
import { deactivateUser } from "../../api/people.ts";
import type { User } from "../../api/users.ts";
import type { NamedThing } from "../../cli/things.ts";
import { counted, joinFirst } from "../../counted.ts";
import { type Change, change } from "../../engine/change.ts";
import { Refused, Usage } from "../../errors.ts";
import type { Question } from "../../question.ts";
import type { Context, Planned } from "../../run/context.ts";
import { isActive } from "../../run/review/accounts.ts";

/** The largest number of names. */
const maxNames = 5;

/** Describes who is deactivated, with their bots. */
function statement(
  all: readonly NamedThing[],
  everybody: readonly User[],
): { action: string; people: ReadonlySet<number> } {
  const known = new Map(everybody.map((user) => [user.user_id, user]));
  const named = new Set(all.map(({ id }) => id));
  const people = new Set([...named].filter((id) => !known.get(id)?.is_bot));
  const also = everybody.filter(
    (user) => user.is_bot && isActive(user) && !named.has(user.user_id) && people.has(user.bot_owner_id ?? 0),
  );
  const names = all.slice(0, maxNames).map(({ id, typed }) => known.get(id)?.full_name ?? typed);
  const more = all.length > maxNames ? `, and ${all.length - maxNames} more` : "";
  const bots = also.length ? ` and their ${counted(also.length, "bot")}` : "";
  const kind = people.size ? (people.size === all.length ? "people" : "accounts") : "bots";
  const who =
    all.length === 1
      ? `${people.size ? "" : "the bot "}${names[0]}${bots}`
      : `${all.length} ${kind} (${names.join(", ")}${more})${bots}`;
  return { action: `Deactivate ${who}`, people };
}

/** A bot has no sessions. */
const withSessions = (question: string, people: ReadonlySet<number>, more?: string): Question => ({
  question,
  ...(people.size && {
    consequence: [`${people.size === 1 ? "The person is" : "They are"} logged out everywhere.`, more]
      .filter(Boolean)
      .join(" "),
  }),
});

/** Describes what else ends. It is read only if the question is asked. */
async function withInvitations({ server }: Context, action: string, people: ReadonlySet<number>): Promise<Question> {
  try {
    const { invites } = await (await server()).call(getInvitations, {});
    const open = invites.filter(({ invited_by_user_id }) => people.has(invited_by_user_id ?? 0));
    if (!open.length) return withSessions(action, people);
    const names = open.map(({ id, email }) => email ?? `link ${id}`);
    const are = open.length === 1 ? "is" : "are";
    const revoked = `${counted(open.length, "invitation")} ${are} revoked: ${joinFirst(names, maxNames)}.`;
    return withSessions(action, people, revoked);
  } catch (error) {
    if (error instanceof Refused) return withSessions(action, people);
    throw error;
  }
}

export async function deactivate(
  context: Context,
  { users: all, comment }: { users: NamedThing[]; comment?: string | undefined },
): Promise<Planned> {
  const { find } = context;
  const everybody = all.length ? await find.accounts() : [];
  const bots = new Set(everybody.filter(({ is_bot }) => is_bot).map(({ user_id }) => user_id));
  const bot = all.find(({ id }) => bots.has(id));
  if (bot && comment !== undefined) throw new Usage(`--comment is for people: ${bot.typed} is a bot`);
  const deactivated = new Set(everybody.filter((user) => !isActive(user)).map(({ user_id }) => user_id));
  const left = all.filter(({ id }) => !deactivated.has(id));
  const { action, people } = statement(left.length ? left : all, everybody);
  const words = ({ id, typed }: NamedThing) => ({
    target: typed,
    done: "Deactivated user {target}.",
    already: "User {target} is deactivated already.",
    ifChanged: true,
    verifyWith: `zulipctl users show ${id}`,
    confirm: withSessions(action, people),
  });
  const changes = all.map(
    (one): Change =>
      bots.has(one.id)
        ? change(deactivateBot, { bot_id: one.id }, words(one))
        : change(deactivateUser, { user_id: one.id, deactivation_notification_comment: comment }, words(one)),
  );
  return { changes, list: true, ...(people.size && { question: () => withInvitations(context, action, people) }) };
}

import { deactivateBot } from "../../api/bots.ts";
import { getInvitations } from "../../api/invitations.ts";
import { deactivateUser } from "../../api/people.ts";
import type { User } from "../../api/users.ts";
import { counted, joinFirst } from "../../common/counted.ts";
import { keyBy } from "../../common/group-by.ts";
import type { Question } from "../../common/question.ts";
import { type Change, change } from "../../engine/change.ts";
import { Refused, Usage } from "../../errors.ts";
import { isActive } from "../../model/person.ts";
import { programLine } from "../../output/line.ts";
import type { Context, Planned } from "../../run/context.ts";
import type { NamedThing } from "../../run/named-thing.ts";
import {
  type Deletion,
  deactivatedAlready,
  deletionArguments,
  deletionText,
  profileDeletion,
} from "./account-deletion.ts";

interface Statement {
  /** Who is deactivated, with their bots. */
  readonly action: string;
  readonly people: ReadonlySet<number>;
  /** The deletion, in sentences. Empty if nothing is deleted. */
  readonly loss: string;
}

function statement(
  all: readonly NamedThing[],
  everybody: readonly User[],
  deletions: readonly Deletion[] = [],
  ofProfile?: string,
): Statement {
  const known = keyBy(everybody, ({ user_id }) => user_id);
  const named = new Set(all.map(({ id }) => id));
  const people = new Set([...named].filter((id) => !known.get(id)?.is_bot));
  const also = everybody.filter(
    (user) => user.is_bot && isActive(user) && !named.has(user.user_id) && people.has(user.bot_owner_id ?? 0),
  );
  const names = joinFirst(all.map(({ id, typed }) => known.get(id)?.full_name ?? typed));
  const bots = also.length ? ` and their ${counted(also.length, "bot")}` : "";
  const kind = people.size ? (people.size === all.length ? "people" : "accounts") : "bots";
  const who =
    all.length === 1 ? `${people.size ? "" : "the bot "}${names}${bots}` : `${all.length} ${kind} (${names})${bots}`;
  const action = `Deactivate ${who}`;
  if (!deletions.length) return { action, people, loss: "" };
  const botNames = joinFirst(also.map(({ full_name }) => full_name));
  return {
    action: `${action} and delete their ${deletionText(deletions)}`,
    people,
    loss: [
      "The deletion cannot be undone",
      ofProfile === undefined ? "" : `: ${ofProfile}`,
      also.length ? `. It applies to their bots too: ${botNames}.` : ".",
    ].join(""),
  };
}

const questionOf = ({ action, loss }: Statement, more?: string): Question => ({
  question: action,
  consequence: [loss, more].filter(Boolean).join(" ") || undefined,
});

/** Describes what else ends. It is read only if the question is asked. */
async function withInvitations({ server }: Context, stated: Statement): Promise<Question> {
  try {
    const { invites } = await (await server()).call(getInvitations, {});
    const open = invites.filter(({ invited_by_user_id }) => stated.people.has(invited_by_user_id ?? 0));
    if (!open.length) return questionOf(stated);
    const names = open.map(({ id, email }) => email ?? `link ${id}`);
    const are = open.length === 1 ? "is" : "are";
    const revoked = `${counted(open.length, "invitation")} ${are} revoked: ${joinFirst(names)}.`;
    return questionOf(stated, revoked);
  } catch (error) {
    if (error instanceof Refused) return questionOf(stated);
    throw error;
  }
}

/** Throws `Usage` for accounts whose profile and messages cannot be deleted. */
function refuseDeletion(all: readonly NamedThing[], known: ReadonlyMap<number, User>): void {
  for (const { id, typed } of all) {
    const user = known.get(id);
    if (user && !isActive(user) && !user.is_deleted) throw deactivatedAlready(typed, id);
  }
}

export async function planDeactivation(
  context: Context,
  {
    users: all,
    comment,
    delete: deletions,
  }: { users: NamedThing[]; comment?: string | undefined; delete?: Deletion[] | undefined },
): Promise<Planned> {
  const { names } = context;
  const everybody = all.length ? await names.accounts() : [];
  const known = keyBy(everybody, ({ user_id }) => user_id);
  const isBot = ({ id }: NamedThing) => known.get(id)?.is_bot === true;
  const bot = all.find(isBot);
  for (const [flag, value] of Object.entries({ comment, delete: deletions }))
    if (bot && value !== undefined) throw new Usage(`--${flag} is for people: ${bot.typed} is a bot`);
  if (deletions) refuseDeletion(all, known);
  const left = all.filter(({ id }) => known.get(id)?.is_active !== false);
  // The level may be from before an upgrade.
  const ofProfile = deletions && profileDeletion(deletions, await (await context.server()).featureLevel.refresh());
  if (ofProfile !== undefined && context.flags.dryRun)
    await context.note(programLine(`--delete profile: ${ofProfile}`));
  const stated = statement(left.length ? left : all, everybody, deletions, ofProfile);
  const words = ({ id, typed }: NamedThing) => ({
    target: typed,
    done: "Deactivated user {target}.",
    already: "User {target} is deactivated already.",
    ifChanged: true,
    verifyWith: `zulipctl users show ${id}`,
    confirm: questionOf(stated),
  });
  const changeOf = (one: NamedThing): Change => {
    if (isBot(one)) return change(deactivateBot, { bot_id: one.id }, words(one));
    const args = { user_id: one.id, deactivation_notification_comment: comment };
    if (!deletions) return change(deactivateUser, args, words(one));
    // A read cannot tell whether messages are deleted, so no refusal counts as done.
    const { already: _, ifChanged: __, ...rest } = words(one);
    return change(
      deactivateUser,
      { ...args, actions: deletionArguments(deletions) },
      {
        ...rest,
        done: `Deactivated user {target} and deleted their ${deletionText(deletions)}.`,
        ...(known.get(one.id)?.is_deleted && { unchanged: true, already: "User {target} is deleted already." }),
      },
    );
  };
  const changes = all.map(changeOf);
  return { changes, list: true, ...(stated.people.size && { question: () => withInvitations(context, stated) }) };
}

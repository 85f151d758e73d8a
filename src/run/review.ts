/**
 * Reviews changes before they are shown or sent: refuses what locks the account out, and asks about what gives rights to
 * others. It judges by what a change does, so every command, each row of a batch and `api` follow the same rules.
 */

import { consequenceOf, joinQuestions, type Question } from "../common/question.ts";
import { type Change, confirmation, quoted } from "../engine/change.ts";
import type { Context } from "./context.ts";
import { noteImplied } from "./implied.ts";
import { accountQuestion, checkAccounts } from "./review/accounts.ts";
import { checkChannels } from "./review/channels.ts";
import { checkDeletions } from "./review/deletions.ts";
import { everyoneEffects } from "./review/everyone.ts";
import { checkExports } from "./review/exports.ts";

const verbs: Readonly<Record<string, string>> = {
  "channel.update": "Update channel",
  "channel.create": "Create channel",
  "channel.subscribe": "Create channel",
  "group.update": "Update group",
  "group.members": "Update group",
  "group.create": "Create group",
};

/** Returns the question of a change that has none yet. */
function defaultQuestion({ operation: { name }, target }: Change): string {
  if (name === "organization.update") return "Change the organization's settings";
  const verb = verbs[name];
  return verb === undefined ? `Send ${target}` : `${verb} ${quoted(target)}`;
}

/** Adds reasons to the question of a change. */
function withReasons(change: Change, reasons: Readonly<Record<string, string>>): Change {
  const all = Object.values(reasons);
  if (!all.length) return change;
  const { confirm, effects } = change;
  if (confirm && !effects) return withQuestion(change, { ...confirm, consequence: consequenceOf(all) });
  return { ...change, ...confirmation(confirm?.question ?? defaultQuestion(change), { ...effects, ...reasons }) };
}

const withQuestion = (change: Change, question: Question | undefined): Change =>
  question ? { ...change, confirm: change.confirm ? joinQuestions([change.confirm, question]) : question } : change;

/** Returns the changes with their questions. Throws what refuses the run before anything is sent. */
export async function review(context: Context, changes: readonly Change[]): Promise<Change[]> {
  const { yes, dryRun } = context.flags;
  const sent = changes.filter(({ unchanged }) => !unchanged);
  await checkAccounts(context, sent);
  await checkDeletions(context, sent);
  await checkChannels(context, sent);
  await checkExports(context, sent);
  await noteImplied(context, sent);
  if (yes || dryRun) return [...changes];
  const reviewed: Change[] = [];
  for (const change of changes) {
    if (change.unchanged) reviewed.push(change);
    else {
      const asked = withQuestion(change, await accountQuestion(context, change));
      reviewed.push(withReasons(asked, await everyoneEffects(context, change)));
    }
  }
  return reviewed;
}

/** `users offboard`: hands over what people have, then deactivates them. */

import { deactivateUser } from "../../api/people.ts";
import { itemsFromFile, splitList, typedItem } from "../../argv/read-text.ts";
import type { TextInput } from "../../argv/text-input.ts";
import { commandLine } from "../../common/shell-words.ts";
import { deactivationLockouts } from "../../effects/lockout.ts";
import { type Allowed, noChanges } from "../../engine/change.ts";
import { Usage } from "../../errors.ts";
import { roles } from "../../model/person.ts";
import { unlimitedRemovals } from "../../model/removal-limit.ts";
import { readUser } from "../../notation/references.ts";
import { groupMembershipIn } from "../../organization/group-members.ts";
import {
  type Offboarding,
  offboardingDifferences,
  offboardingPlan,
} from "../../organization/offboarding/offboarding-plan.ts";
import { remainingKeys, unreadableAfter } from "../../organization/offboarding/remaining.ts";
import { roleOf, type Snapshot } from "../../organization/snapshot.ts";
import { programLine } from "../../output/line.ts";
import { namesGroup } from "../../resolve/group-people.ts";
import type { Conclusion, Context } from "../../run/context.ts";
import type { Shell } from "../../run/shell.ts";
import { type ApplyInput, safeOperands } from "../org/apply/apply-input.ts";
import { applyInput } from "../org/apply.ts";
import { checkGuards, checkRefused } from "../org/plan.ts";
import {
  type Deletion,
  deactivatedAlready,
  deletionArguments,
  deletionBinds,
  profileDeletion,
} from "./account-deletion.ts";
import { checkLeaving } from "./offboard-check.ts";
import { offboardedNames, offboardedOperand, peopleNamed } from "./offboarded.ts";

interface Options extends Allowed {
  to?: TextInput;
  check?: boolean;
  comment?: string;
  delete?: Deletion[];
  journal?: string;
  details?: boolean;
  /** False for `--no-verify`. */
  verify?: boolean;
}

/** Names can have commas. Ids and addresses have none. */
const itemsOf = (typed: TextInput): TextInput[] =>
  /(^|,)\s*(name|group):/.test(typed.text) ? [typedItem(typed)] : splitList(typed, offboardedOperand);

/** Looks up who leaves and who takes over. Who is deactivated already is skipped. Throws `Usage` if that is impossible. */
async function offboardingOf(
  { note }: Context,
  snapshot: Snapshot,
  names: readonly TextInput[],
  { to, comment, delete: deletions }: Options,
): Promise<Offboarding> {
  const { realm_users: active, user_id: me } = snapshot.organization;
  const all = await peopleNamed(snapshot, names);
  const leaving = all.filter((person) => active.includes(person));
  const deactivated = all.filter((person) => !active.includes(person));
  const says = `${offboardedNames(deactivated)} ${deactivated.length > 1 ? "are" : "is"} already deactivated`;
  const [lockout] = deactivationLockouts(
    leaving.map(({ user_id: id, full_name: title }) => ({ id, title })),
    active.map((person) => ({ ...person, role: roleOf(person) })),
    me,
  );
  if (lockout) throw new Usage(lockout.says, { hint: lockout.hint });
  const [successor] = to === undefined ? [] : await peopleNamed(snapshot, [to], "--to");
  const problem =
    successor &&
    (leaving.includes(successor)
      ? "leaves too"
      : !active.includes(successor)
        ? "is deactivated"
        : roleOf(successor) === roles.guest && "is a guest, who cannot take over permissions and bots");
  if (problem) throw new Usage(`--to: ${successor.full_name} ${problem}`);
  // Who was deleted has no profile any more, so an earlier run was complete.
  const undeletable = deletions && deactivated.find(({ is_deleted }) => !is_deleted);
  if (undeletable) throw deactivatedAlready(undeletable.full_name, undeletable.user_id);
  // An earlier run may have stopped here.
  if (deactivated.length) {
    await note(programLine(`${says}: skipped`));
    const check = commandLine(["users", "offboard", "--check", ...deactivated.map(({ user_id }) => String(user_id))]);
    if (!leaving.length) await note(programLine(`See what is left behind with: ${check}`));
    if (!leaving.length) await note(programLine("See what nobody can manage with: zulipctl permissions findings"));
  }
  const people = new Set(leaving.map(({ user_id }) => user_id));
  const level = Number(snapshot.organization.zulip_feature_level);
  const deletion = deletions && {
    actions: deletionArguments(deletions),
    ofProfile: profileDeletion(deletions, level),
  };
  return { people, to: successor?.user_id, comment, deletion };
}

function inputOf(
  context: Context,
  names: readonly TextInput[],
  options: Options,
  words: readonly string[],
): ApplyInput {
  const { peoplePerRequest, signals } = context.world;
  let offboarding: Offboarding = { people: new Set() };
  let warnings: readonly string[] = [];
  let remains: readonly string[] = [];
  // By then people have left a group, and stdin is read.
  const needsIds = names.some(namesGroup) || words.includes("-");
  const operands = () => (needsIds ? [...offboarding.people].map(String) : words);
  const verifyWith = () => commandLine(["users", "offboard", "--check", ...safeOperands(operands())]);
  const planned = async (snapshot: Snapshot) => {
    const { withDenied } = await import("../../permissions/denied-requests.ts");
    const allowed = { allowEmpty: true, maxRemovals: options.maxRemovals };
    const ordering = { verifyWith: verifyWith(), portion: peoplePerRequest, allowed };
    const plan = await signals.runBlocking(async () =>
      withDenied(await offboardingPlan(snapshot, offboarding, ordering)),
    );
    checkRefused(plan);
    checkGuards(plan.guards);
    return plan;
  };
  return {
    allowed: { allowEmpty: true, allowLockout: true, maxRemovals: unlimitedRemovals },
    get operands() {
      return operands();
    },
    get verifyWith() {
      return verifyWith();
    },
    warnings: () => warnings,
    remains: () => remains,
    invitations: true,
    rights: false,
    differs: "is left behind",
    async plan(snapshot) {
      offboarding = await offboardingOf(context, snapshot, names, options);
      const membership = groupMembershipIn(snapshot);
      warnings = unreadableAfter(membership, offboarding.people);
      remains = offboarding.to === undefined ? [] : remainingKeys(membership, offboarding.people);
      return planned(snapshot);
    },
    replan: planned,
    remaining: (snapshot) => ({
      differences: offboardingDifferences(groupMembershipIn(snapshot), offboarding),
      problems: [],
    }),
  };
}

export const offboardPeople =
  (shell: Shell) =>
  async (context: Context, options: Options, operands: TextInput[] = []): Promise<Conclusion> => {
    const names: TextInput[] = [];
    for (const typed of operands)
      names.push(
        ...((await itemsFromFile(context.world, offboardedOperand, typed, { people: true })) ?? itemsOf(typed)),
      );
    for (const name of names) if (!namesGroup(name)) readUser(name.text, offboardedOperand);
    if (options.to !== undefined) readUser(options.to.text, "--to");
    if (!names.length) return { kind: "changes", sentences: [noChanges], outcomes: [], ids: [] };
    if (options.check) {
      const other = (["to", "comment", "delete", "journal"] as const).find((name) => options[name] !== undefined);
      if (other) throw new Usage(`--check cannot be combined with --${other}`);
      await context.run.know({ isRead: true });
      return checkLeaving(context, names);
    }
    if (options.delete)
      await context.checkSupported(deactivateUser, [{ param: deletionBinds.delete, flag: "--delete" }]);
    const words = operands.map(({ text }) => text);
    const input = inputOf(context, names, options, words);
    return applyInput(shell)(context, { kind: "users offboard", input, options });
  };

/** `users offboard`: hands over what people have, then deactivates them. */
import { deactivateUser } from "../../api/people.ts";
import { addressOf } from "../../api/users.ts";
import { itemsFromFile, partsOf, typedItem } from "../../argv/text.ts";
import type { TextInput } from "../../argv/text-input.ts";
import { joinFirst } from "../../common/counted.ts";
import { noLimit } from "../../common/removal-limit.ts";
import { noChanges } from "../../engine/change.ts";
import { Usage } from "../../errors.ts";
import { roles } from "../../model/person.ts";
import { trimmed } from "../../notation/blanks.ts";
import { readUser } from "../../notation/references.ts";
import { commandLine } from "../../notation/shell-words.ts";
import { sections } from "../../organization/file.ts";
import { reachIn } from "../../organization/group-members.ts";
import { differencesOf, type Offboarding, offboardingPlan } from "../../organization/offboarding/plan.ts";
import { type Responsibility, responsibilitiesOf } from "../../organization/offboarding/responsibilities.ts";
import { everybodyOf, type Person, roleOf, type Snapshot } from "../../organization/snapshot.ts";
import type { Column, Listing } from "../../output/form.ts";
import { namesGroup } from "../../resolve/group-people.ts";
import type { Conclusion, Context } from "../../run/context.ts";
import { refuseDeactivation } from "../../run/review/accounts.ts";
import type { Shell } from "../../run/shell.ts";
import { type Input, safeOperands } from "../org/apply/input.ts";
import { applyInput } from "../org/apply.ts";
import { checkRefused } from "../org/plan.ts";
import { fetchSnapshot, showReads } from "../org/read.ts";
import { peopleIn } from "../permissions/evaluation.ts";
import { actionsOf, type Deletion, deletionBinds, deletionText, profileDeletion } from "./deletions.ts";

interface Options {
  to?: TextInput;
  check?: boolean;
  comment?: string;
  delete?: Deletion[];
  journal?: string;
  details?: boolean;
  /** False for `--no-verify`. */
  verify?: boolean;
}

const operand = "<user>";

/** Looks up the named people, without duplicates. Throws `Usage` for bots. */
async function peopleNamed(snapshot: Snapshot, names: readonly TextInput[], flag = operand): Promise<Person[]> {
  const everybody = new Map(everybodyOf(snapshot).map((person) => [person.user_id, person]));
  const ids = new Set<number>();
  for (const name of names) for (const id of await peopleIn(snapshot, name, flag)) ids.add(id);
  if (!ids.size) throw new Usage(`${flag}: nobody is in ${names.map(({ text }) => trimmed(text)).join(", ")}`);
  const people = [...ids].flatMap((id) => everybody.get(id) ?? []);
  const bot = people.find(({ is_bot }) => is_bot);
  if (bot)
    throw new Usage(`${flag}: ${bot.full_name} is a bot`, {
      ...(flag === operand && { hint: `Deactivate it with: zulipctl users deactivate ${bot.user_id}` }),
    });
  return people;
}

/** Names can have commas. Ids and addresses have none. */
const itemsOf = (typed: TextInput): TextInput[] =>
  /(^|,)\s*(name|group):/.test(typed.text) ? [typedItem(typed)] : partsOf(typed, operand);

const namesOf = (people: readonly Person[]): string =>
  joinFirst(
    people.map(({ full_name }) => full_name),
    5,
  );

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
  const says = `${namesOf(deactivated)} ${deactivated.length > 1 ? "are" : "is"} already deactivated`;
  refuseDeactivation(
    leaving.map(({ user_id: id, full_name }) => ({ id, typed: full_name })),
    active.map((person) => ({ ...person, role: roleOf(person) })),
    me,
  );
  const [successor] = to === undefined ? [] : await peopleNamed(snapshot, [to], "--to");
  const problem =
    successor &&
    (leaving.includes(successor)
      ? "leaves too"
      : !active.includes(successor)
        ? "is deactivated"
        : roleOf(successor) === roles.guest && "is a guest, who cannot take over permissions and bots");
  if (problem) throw new Usage(`--to: ${successor.full_name} ${problem}`);
  // An earlier run may have stopped here.
  if (deactivated.length) {
    await note(`zulipctl: ${says}: skipped${deletions ? ", so nothing more is deleted" : ""}`);
    const check = commandLine(["users", "offboard", "--check", ...deactivated.map(({ user_id }) => String(user_id))]);
    if (!leaving.length) await note(`zulipctl: See what is left behind with: ${check}`);
    if (!leaving.length) await note("zulipctl: See what nobody can manage with: zulipctl permissions findings");
  }
  const people = new Set(leaving.map(({ user_id }) => user_id));
  const level = Number(snapshot.organization.zulip_feature_level);
  const deletion = deletions && {
    actions: actionsOf(deletions),
    text: deletionText(deletions),
    ofProfile: profileDeletion(deletions, level),
  };
  return { people, to: successor?.user_id, comment, deletion };
}

function inputOf(context: Context, names: readonly TextInput[], options: Options, words: readonly string[]): Input {
  const { peoplePerRequest, signals } = context.world;
  let offboarding: Offboarding = { people: new Set() };
  // By then people have left a group, and stdin is read.
  const needsIds = names.some(namesGroup) || words.includes("-");
  const operands = () => (needsIds ? [...offboarding.people].map(String) : words);
  const verifyWith = () => commandLine(["users", "offboard", "--check", ...safeOperands(operands())]);
  const planned = (snapshot: Snapshot) => {
    const plan = signals.runBlocking(() =>
      offboardingPlan(snapshot, offboarding, { verifyWith: verifyWith(), portion: peoplePerRequest }),
    );
    checkRefused(plan);
    return plan;
  };
  return {
    allowed: { allowEmpty: true, allowLockout: true, maxRemovals: noLimit },
    get operands() {
      return operands();
    },
    get verifyWith() {
      return verifyWith();
    },
    rights: false,
    differs: "is left behind",
    async plan(snapshot) {
      offboarding = await offboardingOf(context, snapshot, names, options);
      return planned(snapshot);
    },
    replan: planned,
    remaining: (snapshot) => ({ differences: differencesOf(reachIn(snapshot), offboarding), problems: [] }),
  };
}

interface LeftRow {
  person: { id: number; email: string | null; name: string };
  kind: Responsibility["kind"];
  target: { kind: string; id: number | string | null; name: string | null };
  permission?: string;
  /** Nobody else has the permission, or nobody else is subscribed to the channel. */
  nobody_else?: boolean;
}

function targetOf(left: Responsibility): LeftRow["target"] {
  if (!("thing" in left)) return { kind: left.kind, id: left.id, name: left.name };
  const { thing } = left;
  if (thing.section === "settings") return { kind: "organization", id: null, name: null };
  return { kind: sections[thing.section].one, id: thing.id, name: thing.name };
}

const rowOf = (left: Responsibility, person: Person): LeftRow => ({
  person: { id: person.user_id, email: addressOf(person) ?? null, name: person.full_name },
  kind: left.kind,
  target: targetOf(left),
  ...(left.kind === "permission" && { permission: left.field }),
  ...("isLast" in left && { nobody_else: left.isLast }),
});

const columns: Column<LeftRow>[] = [
  { head: "PERSON", value: ({ person }) => person.name, importance: "high" },
  { head: "LEAVES", value: ({ kind }) => kind, importance: "high" },
  { head: "TARGET", value: ({ target }) => [target.kind, target.name].filter(Boolean).join(" "), importance: "high" },
  { head: "PERMISSION", value: ({ permission }) => permission, importance: "high", whole: true },
  { head: "NOBODY ELSE", value: ({ nobody_else }) => (nobody_else ? "yes" : "") },
];

/** Lists what people have, or have left behind. */
async function check(context: Context, names: readonly TextInput[]): Promise<Listing<LeftRow>> {
  await showReads(context);
  const snapshot = await fetchSnapshot(context);
  const people = new Map((await peopleNamed(snapshot, names)).map((person) => [person.user_id, person]));
  const left = responsibilitiesOf(reachIn(snapshot), [...people.values()]);
  const records = left.flatMap((each) => {
    const person = people.get(each.person);
    return person ? [rowOf(each, person)] : [];
  });
  const firsts = new Set(new Map([...records].reverse().map((record) => [record.person.id, record])).values());
  // Servers do not show groups and permissions of deactivated people.
  const isHidden = [...people.values()].some((person) => !snapshot.organization.realm_users.includes(person));
  return {
    kind: "listing",
    records,
    columns,
    // Each person once.
    id: (record) => (firsts.has(record) ? record.person.id : undefined),
    allFields: ["person", "kind", "target"],
    optionalFields: ["permission", "nobody_else"],
    ...(!records.length && {
      lines: [
        `Nothing is left behind by ${namesOf([...people.values()])}${isHidden ? ", as far as the server shows" : ""}.`,
      ],
    }),
  };
}

export const offboards =
  (shell: Shell) =>
  async (context: Context, options: Options, operands: TextInput[] = []): Promise<Conclusion> => {
    const names: TextInput[] = [];
    for (const typed of operands)
      names.push(...((await itemsFromFile(context.world, operand, typed, { people: true })) ?? itemsOf(typed)));
    for (const name of names) if (!namesGroup(name)) readUser(name.text, operand);
    if (options.to !== undefined) readUser(options.to.text, "--to");
    if (!names.length) return { kind: "changes", sentences: [noChanges], outcomes: [], ids: [] };
    if (options.check) {
      const other = (["to", "comment", "delete", "journal"] as const).find((name) => options[name] !== undefined);
      if (other) throw new Usage(`--check cannot be combined with --${other}`);
      return check(context, names);
    }
    if (options.delete)
      await context.checkSupported(deactivateUser, [{ param: deletionBinds.delete, flag: "--delete" }]);
    const words = operands.map(({ text }) => text);
    const input = inputOf(context, names, options, words);
    return applyInput(shell)(context, { kind: "users offboard", input, options });
  };

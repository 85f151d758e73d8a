/** Judges the changes of a command or a run, asks about what they do, and stops what a guard stops. */
import { canPrompt } from "../argv/confirm.ts";
import { joinFirst } from "../common/counted.ts";
import { joinQuestions, type Question } from "../common/question.ts";
import { hasImpacts, type Judgment, judge, judgedSubject } from "../effects/judge.ts";
import { everything } from "../effects/judging.ts";
import {
  askingOf,
  overrideFlagsOf,
  questionOf,
  sentencesOf,
  unreadText,
  type Violation,
  violationsOf,
  violationText,
} from "../effects/policy.ts";
import type { Present } from "../effects/present.ts";
import { presentOn } from "../effects/server-present.ts";
import type { Allowed, Change } from "../engine/change.ts";
import { Usage } from "../errors.ts";
import type { ChangeEffect } from "../model/effect.ts";
import { programLine } from "../output/line.ts";
import type { Call } from "../wire/call.ts";
import type { Context } from "./context.ts";

/** Reads what is there now, sharing the run's look-ups of names. */
const presentOf = ({ server, names, line }: Context): Present => ({
  ...presentOn(server),
  account: (id) => names.person(id, { many: line !== undefined }),
});

interface Judged {
  /** With their effects, and with questions about them. */
  readonly changes: Change[];
  /** What questions say about the run as a whole. Empty if there is nothing. */
  readonly notes: string;
  /** What the effects add to a question that the command asks about all its changes. */
  readonly additions: string;
}

/** Returns the failure of a run that a guard stops. */
function guardFailure(violations: readonly Violation[]): Usage {
  const impossible = violations.find(({ overrideFlag }) => overrideFlag === undefined);
  if (impossible) return new Usage(impossible.says, { outcome: "not_sent", hint: impossible.hint });
  const says = violations.flatMap(({ isSentence, says }) => (isSentence ? says : [])).join("; ");
  const others = violations.filter(({ isSentence }) => !isSentence);
  if (!others.length)
    return new Usage(says, { outcome: "not_sent", hint: `If you mean it, add: ${overrideFlagsOf(violations)}` });
  const texts = others.map(({ says, limit }) => `${says}${limit === undefined ? "" : `: ${limit}`}`);
  const isFinal = others.some(({ isFinal }) => isFinal);
  const message = [...(says ? [says] : []), `this would ${texts.join("; ")}`].join("; ");
  return new Usage(`${message}. To do that, ${isFinal ? "pass" : "add"}: ${overrideFlagsOf(violations)}`, {
    outcome: "not_sent",
  });
}

/** Returns what is asked about the guards. Throws `Usage` for what no question answers. */
export function checkViolations({ world, flags }: Context, violations: readonly Violation[]): string {
  if (!violations.length) return "";
  const asks = !flags.yes && canPrompt(world, flags);
  const refused = asks ? violations.filter(({ isFinal }) => isFinal) : violations;
  if (refused.length) throw guardFailure(refused);
  return violationText(violations);
}

const withText = (question: Question, text: string): Question => ({
  ...question,
  consequence: [question.consequence, text].filter(Boolean).join(" ") || undefined,
});

/** Names the lines of a few rows. */
function withLines(violation: Violation, lineOf: (n: number) => number | undefined): Violation {
  const lines = [...new Set(violation.changes.flatMap((n) => lineOf(n) ?? []))].sort((one, other) => one - other);
  const where = lines.length === 1 ? "line" : "lines";
  return lines.length
    ? { ...violation, says: `${violation.says} (${where} ${joinFirst(lines.map(String))})` }
    : violation;
}

/**
 * Judges changes together, before they are shown or sent. `allowed`: the flags of the run. `lineOf`: the line of a change
 * in the input of a batch.
 */
export async function judged(
  context: Context,
  changes: readonly Change[],
  allowed: Allowed = {},
  lineOf?: (n: number) => number | undefined,
): Promise<Judged> {
  const subjects = changes.map(judgedSubject);
  if (!hasImpacts(subjects)) return { changes: [...changes], notes: "", additions: "" };
  const { yes, dryRun } = context.flags;
  // Only runs with rows have a summary.
  const shown = dryRun ? everything : { asks: !yes, takes: lineOf !== undefined, shows: false };
  // At a terminal the question says how many messages are deleted.
  const copied = canPrompt(context.world, context.flags) ? false : allowed.keep;
  const depth = { ...shown, counts: copied !== false && typeof copied !== "string" };
  const asks = !dryRun && !yes;
  const judgment: Judgment = await judge(subjects, presentOf(context), depth);
  const found = violationsOf(
    judgment,
    { ...allowed, keep: copied },
    changes.map((change) => change.allowed),
  );
  const violations = lineOf ? found.map((one) => withLines(one, lineOf)) : found;
  const notes = [checkViolations(context, violations), asks ? unreadText(judgment) : ""].filter(Boolean).join(" ");
  // Where nothing is asked, a line says it.
  const isAsked = changes.some(({ confirm }) => confirm) || judgment.effects.flat().some(({ asks }) => asks);
  if ((dryRun || (asks && !isAsked)) && !violations.length && judgment.unread.length)
    await context.note(programLine(unreadText(judgment)));
  const asked = new Set(violations.flatMap(({ changes: [first] }) => first ?? []));
  /** The effects of changes that one question is about: a command names all its things in it. */
  const together = new Map<string, ChangeEffect[]>();
  for (const [n, { confirm }] of changes.entries())
    if (confirm)
      together.set(confirm.question, [...(together.get(confirm.question) ?? []), ...(judgment.effects[n] ?? [])]);
  const result = changes.map((change, n): Change => {
    const effects = judgment.effects[n] ?? [];
    if (change.unchanged || (!effects.length && !asked.has(n))) return change;
    const about = (change.confirm && together.get(change.confirm.question)) ?? effects;
    const question = asks ? questionOf(change, about, asked.has(n)) : change.confirm;
    return { ...change, ...(effects.length && { judged: effects }), ...(question && { confirm: question }) };
  });
  return { changes: result, notes, additions: sentencesOf(askingOf(judgment.effects.flat()), true) };
}

/** Returns what is asked. `question`: what the command asks about all its changes, in place of the questions of each. */
export function questionAbout(
  { changes, notes = "", additions = "" }: Partial<Judged> & Pick<Judged, "changes">,
  question?: Question,
): Question | undefined {
  const reasons = changes.flatMap(({ confirm, unchanged }) => (confirm && !unchanged ? [confirm] : []));
  if (question) return withText(question, [additions, notes].filter(Boolean).join(" "));
  return reasons.length ? withText(joinQuestions(reasons), notes) : undefined;
}

/** Adds what a call does, for a dry run of a command that changes something on this machine too. */
export async function judgedCall(context: Context, call: Call): Promise<Call & Pick<Change, "judged">> {
  const { changes } = await judged(context, [{ ...call, target: "", done: "", verifyWith: "" }]);
  return changes[0] ?? call;
}

/** Confirms, shows or sends the changes of one command, and reports the results. */

import { canPrompt } from "../argv/confirm.ts";
import { outputForm, outputOptions } from "../argv/global-flags.ts";
import { headText } from "../client/response-reader.ts";
import type { Server } from "../client/server.ts";
import {
  type Allowed,
  type Change,
  type ChangeResult,
  createdBy,
  noChanges,
  sentenceOf,
  showsSecret,
  unchangedSentence,
} from "../engine/change.ts";
import { Engine } from "../engine/engine.ts";
import {
  type ChangeAndResult,
  overallFailure,
  resultRecord,
  singleResults,
  type Tally,
} from "../engine/result-summary.ts";
import { concernsAll, transport } from "../engine/transport.ts";
import { beforeSending, Cancelled, Failure, Partial, Refused, undefinedOnFailure } from "../errors.ts";
import { changed, type OnlyCopy, type Result } from "../output/form.ts";
import { programLine } from "../output/line.ts";
import { checkOutputOptions, loadPrinter } from "../output/printer.ts";
import type { AnyOperation } from "../wire/operation.ts";
import { shapeOf } from "../wire/shape.ts";
import { checkChannels } from "./checks/channels.ts";
import { type Conclusion, type Context, type Plan, requests, showRequest } from "./context.ts";

/** Judges and sends the changes of a command. `allowed`: what its flags allow although a guard would stop it. */
export async function commit(context: Context, unjudged: Plan, allowed: Allowed = {}): Promise<Conclusion> {
  const { world, flags } = context;
  const { judged } = await import("./judge-changes.ts");
  const plan = { ...unjudged, ...(await beforeSending(() => judged(context, unjudged.changes, allowed))) };
  const { changes, list } = plan;
  const [only, another] = changes;
  // A list can be empty, such as one of people who left.
  if (!only && list) return flags.dryRun ? nothingToSend(context, noChanges) : listResult([]);
  if (only && changes.every(({ unchanged }) => unchanged)) {
    const sentence = another ? noChanges : unchangedSentence(only);
    if (flags.dryRun) return nothingToSend(context, sentence);
    if (!list) return unchangedConclusion(changes, sentence);
  }
  const server = await beforeSending(() => context.server());
  if (flags.dryRun) {
    const left = changes.filter(({ unchanged }) => !unchanged);
    return requests(
      await beforeSending(() => Promise.all(left.map((each) => showRequest(server, each, context.names)))),
    );
  }
  await beforeSending(() => prepareSending(context, server, plan));
  await plan.prepare?.();
  // A single command repeats its words, and `batch` the file.
  const engine = new Engine(transport(server), { clock: world.clock, signals: world.signals, merge: false });
  let made: ChangeAndResult[] = [];
  for await (const { results } of engine.run([{ row: 1, changes }]))
    made = changes.flatMap((change, n) => (results[n] ? { change, result: results[n] } : []));
  const isRefused = made.some(({ result }) => result.outcome === "refused");
  const instead = isRefused ? await insteadOf(plan, made) : undefined;
  if (instead) return commit(context, { ...plan, changes: instead, whenRefused: undefined });
  if (isRefused && changes.some(({ operation }) => operation.describeRefusal))
    made = await (await import("./name-refusals.ts")).nameRefusals(context, made);
  if (isRefused && changes.some(({ operation }) => operation.memberships))
    await (await import("./refused-members.ts")).hintAtMembers(context, made);
  const created = await createdIds(context, server, made);
  for (const { change, result } of made) {
    const { newChannel, target } = change;
    if (result.outcome === "done" && newChannel !== undefined && !Object.hasOwn(result.answer, "id"))
      await context.note(programLine(`the id of channel ${target} could not be read`));
    if (plan.readCurrent) await reportInForce(context, plan.readCurrent, change, result);
  }
  const parts = made.flatMap(singleResults);
  const result = list ? listResult(parts) : singleResult(made.at(-1));
  if (result && "ids" in result && created.length) result.ids = created;
  // If all parts of a request failed alike, its failure says more than a count.
  const wholes = new Set(made.map(({ result }) => result));
  const areAlike = parts.every(({ result }) => wholes.has(result));
  const ending = overallFailure(areAlike ? made : parts, runFailure) ?? (await ignoredFailure(context, made));
  const isSent = made.some(({ result: { outcome } }) => outcome !== "not_sent");
  const found = isSent ? await plan.verify?.(made) : undefined;
  const failure = ending ?? found;
  return failure ? { kind: "ended", failure, result } : result!;
}

/** Returns the changes that replace a refused creation. Undefined if the thing does not exist. */
async function insteadOf({ whenRefused }: Plan, made: readonly ChangeAndResult[]): Promise<Change[] | undefined> {
  const [first, ...others] = made;
  if (!whenRefused || !first || others.length || first.result.outcome !== "refused") return undefined;
  const { details } = first.result.failure;
  if (!(first.result.failure instanceof Refused) || details.code === "UNAUTHORIZED_PRINCIPAL") return undefined;
  try {
    const changes = await whenRefused();
    return changes.some(({ operation, unchanged }) => operation === first.change.operation && !unchanged)
      ? undefined
      : changes;
  } catch (failure) {
    if (!(failure instanceof Refused)) throw failure;
    throw new Refused(failure.message, { ...details, hint: failure.details.hint });
  }
}

/** For `-o ids`, reads ids that the answers do not contain. */
async function createdIds(
  { flags, note }: Context,
  server: Server,
  made: readonly ChangeAndResult[],
): Promise<string[]> {
  if (outputForm(flags) !== "ids") return [];
  const all = made.map(async ({ change: { operation, args }, result }) => {
    const isDone = result.outcome === "done";
    if (!operation.newIds || result.outcome === "not_sent" || (isDone && result.unchanged)) return [];
    const list = await undefinedOnFailure(server.call(operation.newIds.list, {}));
    if (!list) await note(programLine("cannot read the ids of what was created"));
    return !list ? [] : operation.newIds.ids(list, args, isDone ? result.answer : {});
  });
  return (await Promise.all(all)).flat();
}

/** Ends a command that has nothing to send. */
export async function nothingToSend({ note, flags }: Context, sentence: string): Promise<Conclusion> {
  await note(programLine(sentence));
  return flags.dryRun ? requests([]) : { kind: "changes", sentences: [], outcomes: [], ids: [] };
}

/** Runs the last checks before sending. */
async function prepareSending(context: Context, server: Server, plan: Plan): Promise<void> {
  const { changes: all, list, question } = plan;
  const { flags, world } = context;
  const changes = all.filter(({ unchanged }) => !unchanged);
  const fields = changes.some(({ raw }) => raw) ? undefined : changes.flatMap(answerFields);
  await checkOutputOptions(outputOptions(flags), list ? recordMembers : fields);
  await loadPrinter(outputOptions(flags));
  for (const change of changes) await server.featureLevel.check(change, change);
  await deprecations(context, changes);
  await checkChannels(context, changes);
  const reasons = changes.flatMap((change) => change.confirm ?? []);
  const approval = { changes: changes.length, organization: server };
  if (!reasons.length) return context.approve(approval);
  const asks = !flags.yes && canPrompt(world, flags);
  const compared = asks ? changes.filter(({ confirm, operation: { before, sets } }) => confirm && before && !sets) : [];
  if (compared.length) {
    const { differenceLines } = await import("./preview.ts");
    // On stderr also with `--quiet`, like the question.
    for (const line of await differenceLines(context, compared)) await context.warn(line);
  }
  const { questionAbout } = await import("./judge-changes.ts");
  const asked = asks && question ? await question() : undefined;
  await context.approve({ ...approval, question: questionAbout({ ...plan, changes }, asked) });
}

/** Adds the current state to a failed change: a part of it may be applied. */
async function reportInForce(
  { flags, warn }: Context,
  inForce: NonNullable<Plan["readCurrent"]>,
  change: Change,
  result: ChangeResult,
): Promise<void> {
  if (result.outcome === "done" || result.outcome === "not_sent") return;
  const { details } = result.failure;
  // An account without access could not read the state either.
  if (concernsAll(result.failure) || details.outcome === "not_sent") return;
  const say = async (sentence: string) => {
    if (outputForm(flags) !== "json") await warn(programLine(sentence));
  };
  try {
    const { values, sentence } = await inForce(change);
    details.more = { ...details.more, in_force: values };
    // A refusal comes after all parts, so nothing is left to check.
    if (details.outcome === "maybe_partial") delete details.hint;
    await say(sentence);
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    await say(`cannot read the current state: ${error.message}`);
  }
}

/** A raw answer is printed whole. */
const printsSecret = (change: Change): boolean =>
  showsSecret(change) || (change.raw !== undefined && change.operation.secretAnswer !== undefined);

/** For changes whose answers have secrets that the command shows. */
export function onlyCopyOf(changes: readonly Change[]): OnlyCopy | undefined {
  const shown = changes.find(printsSecret);
  if (!shown) return undefined;
  const what = changes.length > 1 ? "the changes were made, but their answers" : "the change was made, but its answer";
  const hint = shown.verifyWith && `Check with: ${shown.verifyWith}`;
  return { what, hint: hint || "Do not repeat the command: the answer cannot be read again." };
}

const recordMembers = ["operation", "target", "outcome", "answer", "error", "ignored", "unchanged", "differs"];

/** Checks `--fields` before sending: an error after the change would be too late. */
const answerFields = ({ operation, newChannel }: Change): string[] =>
  newChannel === undefined ? Object.keys(shapeOf(operation.result).entries ?? {}) : ["id"];

/** Warns once for each change that the server deprecates. */
export async function deprecations({ server, note }: Context, changes: Iterable<Change>): Promise<void> {
  const seen = new Set<AnyOperation>();
  for (const { operation, command } of changes) {
    const { deprecated } = operation;
    if (deprecated === undefined || seen.has(operation)) continue;
    seen.add(operation);
    const { host, level } = await server().then(async (s) => ({ host: s.host, level: await s.level() }));
    if (level >= deprecated)
      await note(programLine(`${host} (feature level ${level}) deprecates ${command}; a later release will remove it`));
  }
}

/** An interrupt can come after some changes were made. */
const runFailure = (tally: Tally): Failure | undefined => {
  const failure = tally.failure();
  if (failure instanceof Cancelled && tally.counts.done) return new Partial(tally.message, { more: tally.record() });
  return failure;
};

async function ignoredFailure(context: Context, made: readonly ChangeAndResult[]): Promise<Failure | undefined> {
  for (const { change, result } of made) {
    if (result.outcome !== "done" || !result.ignored.length) continue;
    const failure = await (await context.server()).ignoredFailure(result.ignored, change);
    if (!context.flags.allowIgnored) return failure;
    await context.warn(programLine(failure.message));
  }
  return undefined;
}

function singleResult(made: ChangeAndResult | undefined): Result | undefined {
  if (made?.result.outcome !== "done") return undefined;
  const { change, result } = made;
  const { answer, ignored } = result;
  if (result.unchanged)
    return changed(unchangedSentence(change), { ...answer, unchanged: true }, createdBy(change, answer));
  const onlyCopy = onlyCopyOf([change]);
  if (change.raw)
    return { ...changed("", answer), onlyCopy, raw: { ...(change.raw.include && { head: headText(answer) }) } };
  const whole = { ...change.knownAnswer, ...answer };
  return { ...changed(sentenceOf(change, answer, ignored), whole, createdBy(change, answer)), onlyCopy };
}

/** The result of a command that needs no request. */
function unchangedConclusion(changes: readonly Change[], sentence: string): Result {
  const known = changes.find(({ knownAnswer }) => knownAnswer);
  return changed(
    sentence,
    { ...known?.knownAnswer, unchanged: true },
    changes.flatMap((change) => createdBy(change, {})),
  );
}

function listResult(parts: readonly ChangeAndResult[]): Result {
  const done = parts.flatMap(({ change, result }) => (result.outcome === "done" ? [{ ...result, change }] : []));
  const sentences = done.map(({ change, answer, ignored, unchanged }) =>
    unchanged ? unchangedSentence(change) : sentenceOf(change, answer, ignored),
  );
  return {
    kind: "changes",
    sentences: parts.length ? sentences : [noChanges],
    outcomes: parts.map(({ change, result }) => ({
      operation: change.operation.name,
      target: change.target,
      ...resultRecord(change, result, printsSecret(change)),
    })),
    ids: done.flatMap(({ change, answer }) => createdBy(change, answer)),
    onlyCopy: onlyCopyOf(done.map(({ change }) => change)),
  };
}

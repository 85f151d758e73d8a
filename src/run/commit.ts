/** Confirms, shows or sends the changes of one command, and says what became of them. */

import { canAsk } from "../argv/confirm.ts";
import { choiceOf, formOf } from "../argv/flags.ts";
import { headOf } from "../client/response-reader.ts";
import type { Server } from "../client/server.ts";
import { type Change, type ChangeResult, createdBy, noChanges, sentenceOf } from "../engine/change.ts";
import { Engine } from "../engine/engine.ts";
import { outcome, overallFailure, type Tally } from "../engine/summary.ts";
import { concernsAll, transport } from "../engine/transport.ts";
import { Cancelled, Failure, orUndefined, Partial, Refused, unsent } from "../errors.ts";
import type { Result } from "../output/form.ts";
import { checkChoice, prepared } from "../output/present.ts";
import { asOne } from "../question.ts";
import type { AnyOperation } from "../wire/operation.ts";
import { type Conclusion, type Context, type Plan, type Requests, requests, showRequest } from "./context.ts";
import type { Made } from "./refusals.ts";

export async function commit(context: Context, plan: Plan): Promise<Conclusion> {
  const { world, flags } = context;
  const { changes, list } = plan;
  const [only] = changes;
  if (only && changes.every(({ unchanged }) => unchanged)) {
    const sentence = sentenceOf(only, {});
    if (flags.dryRun) return nothingSent(context, sentence);
    if (!list) return { kind: "change", sentence, answer: { unchanged: true }, ids: [] };
  }
  const server = await unsent(() => context.server());
  if (flags.dryRun) {
    const left = changes.filter(({ unchanged }) => !unchanged);
    return requests(await unsent(() => Promise.all(left.map((each) => showRequest(server, each, context.find)))));
  }
  await unsent(() => ready(context, server, plan));
  await plan.prepare?.();
  // One command's changes go as they are; `batch` has the file to go by.
  const engine = new Engine(transport(server), { clock: world.clock, signals: world.signals, merge: false });
  let results: ChangeResult[] = [];
  for await (const { results: each } of engine.run([{ row: 1, changes }])) results = each;
  let made = results.flatMap((result, n) => changes.slice(n, n + 1).map((change): Made => ({ change, result })));
  if (
    results.some(({ outcome }) => outcome === "refused") &&
    changes.some(({ operation }) => operation.refusalInWords)
  ) {
    made = await (await import("./refusals.ts")).named(context, made);
    results = made.map(({ result }) => result);
  }
  const created = await createdIds(context, server, changes, results);
  for (const { change, result } of made) {
    const { newChannel, target } = change;
    if (result.outcome === "done" && newChannel !== undefined && !Object.hasOwn(result.answer, "id"))
      await context.note(`zulipctl: the id of channel ${target} could not be read`);
    if (plan.inForce) await reportInForce(context, plan.inForce, change, result);
  }
  const parts = made.flatMap(partsOf);
  const result = list ? listOf(parts) : one(changes, results);
  if (result && "ids" in result && created.length) result.ids = created;
  // The failure of a request that was answered as a whole says more than a count of its parts.
  const counted = parts.some(({ result }) => !results.includes(result));
  const failure = counted
    ? overallFailure(
        parts.map(({ change }) => change),
        parts.map(({ result }) => result),
        overall,
      )
    : overallFailure(changes, results, overall);
  const ending = failure ?? (await ignored(context, changes, results));
  return ending ? { kind: "ended", failure: ending, result } : result!;
}

/** Reads the ids of what was made where `-o ids` asks for them and the answers do not tell. */
async function createdIds(
  { flags, note }: Context,
  server: Server,
  changes: readonly Change[],
  results: readonly ChangeResult[],
): Promise<string[]> {
  if (formOf(flags) !== "ids") return [];
  const all = changes.map(async ({ operation, args }, n) => {
    const result = results[n];
    if (!operation.madeIn || result?.outcome === "not_sent" || (result?.outcome === "done" && result.unchanged))
      return [];
    const list = await orUndefined(server.call(operation.madeIn.list, {}));
    if (!list) await note("zulipctl: cannot read the ids of what was created");
    return !list ? [] : operation.madeIn.ids(list, args, result?.outcome === "done" ? result.answer : {});
  });
  return (await Promise.all(all)).flat();
}

/** A dry run of what would send nothing. */
export async function nothingSent({ note }: Context, sentence: string): Promise<Requests> {
  await note(`zulipctl: ${sentence}`);
  return requests([]);
}

/** Everything that could still be said against it. */
async function ready(context: Context, server: Server, { changes: all, list, question }: Plan): Promise<void> {
  const { flags, world } = context;
  const changes = all.filter(({ unchanged }) => !unchanged);
  const fields = changes.some(({ raw }) => raw) ? undefined : changes.flatMap(members);
  await checkChoice(choiceOf(flags), list ? recordMembers : fields);
  await prepared(choiceOf(flags));
  for (const change of changes) await server.featureLevel.check(change, change);
  await deprecations(context, changes);
  const reasons = changes.flatMap((change) => change.confirm ?? []);
  const approval = { changes: changes.length, place: server };
  if (!reasons.length) return context.approve(approval);
  const asks = !flags.yes && canAsk(world, flags);
  const compared = asks ? changes.filter(({ confirm, operation }) => confirm && operation.before) : [];
  if (compared.length) {
    const { differencesOf } = await import("./preview.ts");
    // On stderr, also with `--quiet`, as the question is.
    for (const line of await differencesOf(context, compared)) await context.warn(line);
  }
  await context.approve({ ...approval, question: asks && question ? await question() : asOne(reasons) });
}

/** Adds what is in force now to the failure of a change, and says it: the call may have done a part of it. */
async function reportInForce(
  { flags, warn }: Context,
  inForce: NonNullable<Plan["inForce"]>,
  change: Change,
  result: ChangeResult,
): Promise<void> {
  if (result.outcome === "done" || result.outcome === "not_sent") return;
  const { details } = result.failure;
  // What was not let in has done nothing, and would not be let in to read.
  if (concernsAll(result.failure) || details.outcome === "not_sent") return;
  const say = async (sentence: string) => {
    if (formOf(flags) !== "json") await warn(`zulipctl: ${sentence}`);
  };
  try {
    const { values, sentence } = await inForce(change);
    details.more = { ...details.more, in_force: values };
    await say(sentence);
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    await say(`cannot read the current state: ${error.message}`);
  }
}

export const recordMembers = ["operation", "target", "outcome", "answer", "error", "ignored", "unchanged"];

/** What an answer is known to hold; a field beyond that would be missed only after the change was made. */
const members = ({ operation, newChannel }: Change): string[] =>
  newChannel === undefined ? Object.keys((operation.result as { entries?: object }).entries ?? {}) : ["id"];

/** Said once for each kind of change that the server announces to drop. */
export async function deprecations({ server, note }: Context, changes: Iterable<Change>): Promise<void> {
  const seen = new Set<AnyOperation>();
  for (const { operation, command } of changes) {
    const { deprecated } = operation;
    if (deprecated === undefined || seen.has(operation)) continue;
    seen.add(operation);
    const { host, level } = await server().then(async (s) => ({ host: s.host, level: await s.level() }));
    if (level >= deprecated)
      await note(`zulipctl: ${host} (feature level ${level}) deprecates ${command}; a later release will drop it`);
  }
}

/** The interruption may have come while changes were on their way, and some of them were made. */
const overall = (tally: Tally): Failure | undefined => {
  const failure = tally.failure();
  if (failure instanceof Cancelled && tally.done) return new Partial(tally.message, { more: tally.counts() });
  return failure;
};

async function ignored(context: Context, changes: Change[], results: ChangeResult[]): Promise<Failure | undefined> {
  for (const [n, result] of results.entries()) {
    if (result.outcome !== "done" || !result.ignored.length) continue;
    const failure = await (await context.server()).ignored(result.ignored, changes[n]);
    if (!context.flags.allowIgnored) return failure;
    await context.warn(`zulipctl: ${failure.message}`);
  }
  return undefined;
}

function one(changes: Change[], results: ChangeResult[]): Result | undefined {
  const [change, result] = [changes.at(-1), results.at(-1)];
  if (!change || result?.outcome !== "done") return undefined;
  const { answer, ignored } = result;
  if (result.unchanged) return { kind: "change", sentence: noChanges, answer: { unchanged: true }, ids: [] };
  if (change.raw)
    return {
      ...{ kind: "change", sentence: "", answer, ids: [] },
      raw: { ...(change.raw.include && { head: headOf(answer) }) },
    };
  return { kind: "change", sentence: sentenceOf(change, answer, ignored), answer, ids: createdBy(change, answer) };
}

/** What became of each of the things that one request was about. */
function partsOf({ change, result }: Made): Made[] {
  const { several } = change.operation;
  if (!several) return [{ change, result }];
  const parts = (resultOf: (target: string) => ChangeResult): Made[] =>
    several.of(change.args).map((target) => ({ change: { ...change, target }, result: resultOf(target) }));
  if (result.outcome !== "refused") return parts(() => result);
  const { details } = result.failure;
  const { errors, ...more } = details.more ?? {};
  const refusal = several.refused({ code: details.code, fields: { errors, ...more } });
  return parts((target) => {
    const why = refusal?.why(target);
    if (why === undefined) return refusal?.othersDone ? { outcome: "done", answer: {}, ignored: [] } : result;
    const failure = new Refused(why, { ...details, outcome: "not_applied", hint: undefined, more });
    return { outcome: "refused", failure };
  });
}

function listOf(parts: readonly Made[]): Result {
  const done = parts.flatMap(({ change, result }) => (result.outcome === "done" ? [{ ...result, change }] : []));
  return {
    kind: "changes",
    sentences: done.map(({ change, answer, ignored }) => sentenceOf(change, answer, ignored)),
    outcomes: parts.map(({ change, result }) => ({
      operation: change.operation.name,
      target: change.target,
      ...outcome(change, result),
    })),
    ids: done.flatMap(({ change, answer }) => createdBy(change, answer)),
  };
}

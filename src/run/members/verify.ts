/**
 * Reads the lists that a command has set as a whole again. A private channel must not end without anybody because two runs
 * set it at once, so who was taken out of it meanwhile is subscribed again: the last removal of all runs is followed by such
 * a look.
 */
import { memberKindNamed, operationNamed } from "../../api/registry.ts";
import { counted, joinFirst } from "../../common/counted.ts";
import { type Change, change, type SetList } from "../../engine/change.ts";
import { Engine } from "../../engine/engine.ts";
import type { ChangeAndResult } from "../../engine/result-summary.ts";
import { transport } from "../../engine/transport.ts";
import { Failure, Partial as PartlyDone, undefinedOnFailure } from "../../errors.ts";
import { kindNamed } from "../../model/kinds/index.ts";
import { listArguments, listNamed, portions } from "../../model/kinds/lists.ts";
import { programLine } from "../../output/line.ts";
import type { Context } from "../context.ts";
import { labels } from "../labels.ts";
import { mostMembersNamed } from "./spec.ts";

interface Checked {
  readonly set: SetList;
  /** One of the changes. */
  readonly change: Change;
  /** A removal was sent. */
  readonly hasRemoved: boolean;
}

/** Returns the lists that the changes set. */
function listsOf(made: readonly ChangeAndResult[]): Checked[] {
  const lists = new Map<string, Checked>();
  for (const { change, result } of made)
    for (const set of change.setLists ?? []) {
      const removes = change.afterAdditions === true && !change.unchanged && result.outcome !== "not_sent";
      const hasRemoved = removes || lists.get(set.key)?.hasRemoved === true;
      lists.set(set.key, { set, change, hasRemoved });
    }
  return [...lists.values()];
}

/** Reads who is missing and who is too many. Undefined if the list cannot be read. */
async function differenceOf(context: Context, { list, id, members: desired }: SetList) {
  const { read, args, members } = memberKindNamed(list).of(id);
  const server = await context.server();
  const answer = await undefinedOnFailure(server.call(read, args));
  if (!answer) return undefined;
  const [now, wanted] = [new Set(members(answer)), new Set(desired)];
  return {
    missing: desired.filter((each) => !now.has(each)),
    extra: [...now].filter((each) => !wanted.has(each)),
  };
}

/** Adds people to a list again. Returns the failure. `run`: the run that the log names. */
async function addAgain(
  context: Context,
  { set: { list, id, name }, change: { target, verifyWith } }: Checked,
  missing: readonly number[],
  run: string | undefined,
): Promise<Failure | undefined> {
  const { add } = listNamed(list);
  const operation = operationNamed(add.operation);
  if (!operation) throw new Error(`list ${list} names an operation that does not exist: ${add.operation}`);
  const changes = portions(missing).map((ids) =>
    change(operation, listArguments(add, { id, name }, ids), { target, done: "", verifyWith }),
  );
  const { clock, signals } = context.world;
  const engine = new Engine(transport(await context.server(), run), { clock, signals, merge: false });
  for await (const { results } of engine.run([{ row: 1, changes }]))
    for (const result of results) if (result.outcome !== "done") return result.failure;
  return undefined;
}

/** Returns what is wrong with a list, as a sentence without its end. Undefined if it is as the command says. */
async function checkList(context: Context, checked: Checked, run: string | undefined): Promise<string | undefined> {
  const { set, change } = checked;
  const { list, isClosed } = set;
  const { kind, one } = listNamed(list);
  const { flags, kind: nameKind } = memberKindNamed(list);
  let found = await differenceOf(context, set);
  let failure: Failure | undefined;
  if (found?.missing.length && isClosed && checked.hasRemoved) {
    const { missing } = found;
    failure = await addAgain(context, checked, missing, run).catch((error) => {
      if (error instanceof Failure) return error;
      throw error;
    });
    const again = `${counted(missing.length, one)} who had been taken out meanwhile`;
    if (!failure) await context.note(programLine(`Added ${again} to ${kind} "${change.target}" again.`));
    found = (await differenceOf(context, set)) ?? found;
  }
  if (!found || (!found.missing.length && !found.extra.length)) return undefined;
  const { missing, extra } = found;
  const label = await labels(context, nameKind, [...missing, ...extra]);
  const named = (ids: readonly number[]) =>
    joinFirst(
      ids.map((each) => String(label(each))),
      mostMembersNamed,
    );
  const texts = [
    missing.length && `${counted(missing.length, one)} missing (${named(missing)})`,
    extra.length && `${extra.length} too many (${named(extra)})`,
  ].filter(Boolean);
  const more = failure ? `; they could not be added again: ${failure.message}` : "";
  return `${kindNamed(kind).one} "${change.target}" is not as ${flags.whole} says: ${texts.join(", ")}${more}`;
}

/** Returns the failure if a list is not what was asked. `run`: the run that the log names. */
export async function verifySetLists(
  context: Context,
  made: readonly ChangeAndResult[],
  run?: string,
): Promise<Failure | undefined> {
  const wrong: string[] = [];
  for (const checked of listsOf(made)) {
    const text = await checkList(context, checked, run);
    if (text !== undefined) wrong.push(text);
  }
  if (!wrong.length) return undefined;
  return new PartlyDone(
    [
      ...wrong.slice(0, mostMembersNamed),
      ...(wrong.length > mostMembersNamed ? [`and ${wrong.length - mostMembersNamed} more`] : []),
    ].join("; "),
    {
      hint: "Somebody else changed the list meanwhile. Run the command again.",
    },
  );
}

/** Turns the desired members of channels and groups into changes. */

import { getOwnUser } from "../../api/users.ts";
import { canPrompt } from "../../argv/confirm.ts";
import { counted, joinFirst } from "../../common/counted.ts";
import { firstOfEach } from "../../common/first-of-each.ts";
import type { Question } from "../../common/question.ts";
import { type Change, change, noChanges, type SetList } from "../../engine/change.ts";
import { Refused, TooOld, Usage, undefinedOnFailure } from "../../errors.ts";
import { type Column, changed, type Result, type Row } from "../../output/form.ts";
import { programLine } from "../../output/line.ts";
import { type CurrentMembers, memberListsOf } from "../../resolve/member-lists.ts";
import type { Context, Plan, Planned } from "../context.ts";
import { labels } from "../labels.ts";
import { mayLockOut, steps } from "./closed-list.ts";
import {
  type ListChange,
  type MemberCall,
  type MemberListSpec,
  type MembersSpec,
  mostMembersNamed,
  type Owner,
  type TypedCall,
} from "./spec.ts";
import { staysOut } from "./stays-out.ts";

type Options = Readonly<Record<string, unknown>>;

interface Input {
  owners: readonly Owner[];
  /** The change of each list, as typed. */
  desired: readonly ListChange[];
  /** The calls that the flags ask for. */
  calls: readonly TypedCall[];
  values: Options;
}

const isEmpty = (lists: readonly ListChange[]): boolean =>
  lists.every(({ added, removed }) => !added.length && !removed.length);

/** Throws `Usage` for a member that is both added and removed. */
function checkLists(desired: readonly ListChange[]): void {
  for (const { list, added, removed } of desired) {
    const { kind, flags } = list.kind;
    const removals = new Set(removed);
    const both = added.filter((id) => removals.has(id));
    if (both.length) throw new Usage(`${flags.added} and ${flags.removed} both name ${kind} ${both.join(", ")}`);
  }
}

/** Formats `2 members added, 1 subgroup removed`. */
const wordsOf = (lists: readonly ListChange[]): string =>
  lists
    .flatMap(({ list: { kind }, added, removed }) => [
      ...(added.length ? [`${counted(added.length, kind.one)} added`] : []),
      ...(removed.length ? [`${counted(removed.length, kind.one)} removed`] : []),
    ])
    .join(", ");

/** Returns the part of the change that a call makes. */
const partOf = ({ params }: MemberCall, desired: readonly ListChange[]): ListChange[] =>
  desired.map(({ list, added, removed }, n) => ({
    list,
    added: params[n]?.added === undefined ? [] : added,
    removed: params[n]?.removed === undefined ? [] : removed,
  }));

const onlyRemoves = ({ params }: MemberCall): boolean => params.every(({ added }) => added === undefined);

/** Splits lists that are too long for one request. A call that is one transaction stays whole. */
function pieces({ calls }: MembersSpec, { operation }: MemberCall, part: ListChange[]): ListChange[][] {
  const largest = calls.length > 1 ? operation.merging?.largest : undefined;
  const length = Math.max(...part.flatMap(({ added, removed }) => [added.length, removed.length]));
  if (largest === undefined || length <= largest) return [part];
  const cut = (ids: readonly number[], from: number) => ids.slice(from, from + largest);
  return Array.from({ length: Math.ceil(length / largest) }, (_, n) =>
    part.map(({ list, added, removed }) => ({
      list,
      added: cut(added, n * largest),
      removed: cut(removed, n * largest),
    })),
  );
}

/** Returns the question about the people that `--set` removes. Reads names only if it is asked. */
async function lossOf(
  context: Context,
  { of }: MembersSpec,
  owner: Owner,
  desired: readonly ListChange[],
): Promise<Question | undefined> {
  const { world, flags, line } = context;
  const asks = line === undefined && !flags.yes && !flags.dryRun && canPrompt(world, flags);
  const losses: string[] = [];
  for (const { list, removed } of desired) {
    if (!removed.length) continue;
    const label = asks ? await labels(context, list.kind.kind, removed.slice(0, mostMembersNamed)) : String;
    const names = removed.map((id) => String(label(id)));
    losses.push(`${counted(removed.length, list.kind.one)} (${joinFirst(names, mostMembersNamed)})`);
  }
  if (!losses.length) return undefined;
  return { question: `Remove ${losses.join(" and ")} from ${of} "${owner.typed}"` };
}

type ReadLists = Map<MemberListSpec, CurrentMembers>;

/** Reads the lists that change. */
async function membersOfLists(
  context: Context,
  { of }: MembersSpec,
  owner: Owner,
  desired: readonly ListChange[],
): Promise<ReadLists> {
  const lists: ReadLists = new Map();
  try {
    for (const { list, added, removed, whole } of desired)
      if (whole || added.length + removed.length)
        lists.set(list, await memberListsOf(context).of(list.kind.of(owner.id)));
    return lists;
  } catch (failure) {
    // The server decides about a row that cannot be compared. A complete list that cannot be compared is not sent.
    if (context.line === undefined || !(failure instanceof Refused || failure instanceof TooOld)) throw failure;
    if (desired.some(({ whole }) => whole)) throw new Usage(`cannot read ${of} ${owner.typed}: ${failure.message}`);
    return new Map(desired.map(({ list, added }) => [list, { has: (id) => !added.includes(id), ids: () => [] }]));
  }
}

/** Looks up the owner's name if calls need it. */
async function nameOf(
  { names }: Context,
  { of, calls }: MembersSpec,
  { id, typed, name: known }: Owner,
): Promise<string> {
  const name = known ?? (calls.some(({ isNamed }) => isNamed) ? (await names.nameLookup(of))(id) : typed);
  if (name !== undefined) return name;
  throw new Usage(`<${of}>: ${of} ${id} not found, or not visible to this account`, {
    hint: `List them with: zulipctl ${of} list`,
  });
}

/** Returns the changes of one channel or group. */
async function changesOf(context: Context, spec: MembersSpec, owner: Owner, input: Input): Promise<Change[]> {
  const { calls, values } = input;
  const { line } = context;
  const namedOwner = { name: await nameOf(context, spec, owner), ...owner };
  const isPreview = context.flags.dryRun || values.diff;
  const sets: SetList[] = [];
  for (const { list, whole } of input.desired) {
    if (!whole) continue;
    const { list: key } = list.kind.of(owner.id);
    // What a complete list replaces must not change before it is sent.
    if (!isPreview) await context.lockList(key);
    const isClosed = await mayLockOut(context, list, owner.id);
    sets.push({ list: list.kind.name, id: owner.id, name: namedOwner.name, key, members: whole, isClosed });
  }
  const compares = values.ifChanged || values.once || sets.length > 0;
  // Answers do not tell which of several people were in the list.
  const removesSeveral = input.desired.some(({ removed }) => removed.length > 1);
  const readLists = () => membersOfLists(context, spec, owner, input.desired);
  const lists = compares ? await readLists() : removesSeveral ? await undefinedOnFailure(readLists()) : undefined;
  const earlier = values.once
    ? await (await import("./added-earlier.ts")).addedEarlier(context, `${spec.of} ${owner.id}`)
    : new Set<number>();
  const left = new Set<number>();
  const isLeft = (list: MemberListSpec, id: number) => {
    const hasLeft = list.kind.kind === "user" && earlier.has(id) && !lists?.get(list)?.has(id);
    if (hasLeft) left.add(id);
    return hasLeft;
  };
  const desired = input.desired.map(({ list, added: asked, removed, whole }): ListChange => {
    const added = asked.filter((id) => !isLeft(list, id));
    const members = new Set(whole);
    const current = (whole && lists?.get(list)?.ids()) ?? [];
    return whole ? { list, added: whole, removed: current.filter((id) => !members.has(id)) } : { list, added, removed };
  });
  const stays = left.size === 1 ? "stays" : "stay";
  if (left.size && line !== undefined) staysOut(context, `${spec.of} ${owner.id}`, left);
  else if (left.size)
    await context.note(
      programLine(
        `--once: ${counted(left.size, "person", "people")} added before ${left.size === 1 ? "has" : "have"} left ${spec.of} "${owner.typed}", and ${stays} out`,
      ),
    );
  const staysOutText = left.size &&
    line !== undefined && { already: `No changes: ${counted(left.size, "person", "people")} ${stays} out.` };
  const leavesClosed = sets.some(({ isClosed }) => isClosed) && desired.some(({ removed }) => removed.length);
  const me = leavesClosed ? (await (await context.server()).lookUp(getOwnUser, {})).user_id : undefined;
  const confirm = sets.length ? await lossOf(context, spec, owner, desired) : undefined;

  const more = Object.entries(spec.more?.(values) ?? {});
  const argsOf = ({ operation, args, params }: MemberCall, lists: readonly ListChange[]) => {
    const all = { ...args(namedOwner), ...Object.fromEntries(more.filter(([name]) => name in operation.params)) };
    for (const [n, { added, removed }] of lists.entries()) {
      if (added.length) all[params[n]!.added!] = added;
      if (removed.length) all[params[n]!.removed!] = removed;
    }
    return all;
  };
  const make = (call: TypedCall, piece: readonly ListChange[], more: Partial<Change>): Change =>
    change(call.operation, argsOf(call, piece), {
      target: owner.typed,
      done: more.unchanged ? noChanges : "Updated {of} {target}: {members}.",
      words: { of: spec.of, members: wordsOf(piece) },
      flags: call.flags,
      verifyWith: `zulipctl ${spec.checkCommand} ${owner.id}`,
      ...(onlyRemoves(call) && { afterAdditions: true }),
      ...(confirm && piece.some(({ removed }) => removed.length) && { confirm }),
      ...more,
    });
  const changes = calls.flatMap((call) => {
    const part = partOf(call, desired);
    if (!lists) return isEmpty(part) ? [] : pieces(spec, call, part).map((piece) => make(call, piece, {}));
    // A resumed run finds the parts of a row by number, so reading must not change them.
    // Only the removals of `--set` depend on reading: they are one part.
    const isOnePart = line !== undefined && sets.length > 0 && onlyRemoves(call);
    const splits = me !== undefined && line === undefined && onlyRemoves(call);
    return (isOnePart ? [part] : splits ? steps(part, me) : pieces(spec, call, part)).map((piece) => {
      const needed = piece.map(({ list, added, removed }) => {
        const has = (id: number) => lists.get(list)?.has(id) ?? false;
        return { list, added: added.filter((id) => !has(id)), removed: removed.filter(has) };
      });
      return make(call, needed, {
        ifChanged: true,
        ...(sets.length ? { setLists: sets } : { desiredArgs: argsOf(call, piece) }),
        ...(isEmpty(needed) && { unchanged: true, ...staysOutText }),
      });
    });
  });
  if (!lists || line !== undefined) return changes;
  const needed = changes.filter(({ unchanged }) => !unchanged);
  return needed.length ? needed : changes.slice(0, 1);
}

/** Lists the members. For several owners with a column for their names. */
async function listOf(context: Context, { of, show: load }: MembersSpec, { owners, values }: Input): Promise<Result> {
  const show = await load();
  const [first] = owners;
  if (first && owners.length === 1) return show(context, first, values);
  const records: Row[] = [];
  let columns: Column[] = [];
  for (const owner of owners) {
    const people = await show(context, owner, values);
    ({ columns } = people);
    for await (const person of people.records) records.push({ [of]: owner.typed, ...person });
  }
  const firsts = firstOfEach(records, (record) => record.user_id);
  return {
    kind: "listing",
    records,
    // Each person once.
    id: (record) => (firsts.has(record) ? record.user_id : undefined),
    columns: [{ head: of.toUpperCase(), value: (record) => record[of], importance: "high" }, ...columns],
  };
}

export async function planOf(context: Context, spec: MembersSpec, input: Input): Promise<Planned | Result> {
  const { owners, desired, calls, values } = input;
  if (!calls.length) return listOf(context, spec, input);
  const isList = spec.calls.length > 1;
  // Files can be empty.
  if (!owners.length || (isEmpty(desired) && !desired.some(({ whole }) => whole)))
    return isList ? { changes: [], list: true } : changed(noChanges, values.ifChanged ? { unchanged: true } : {});
  checkLists(desired);
  const changes = [];
  for (const owner of owners) changes.push(...(await changesOf(context, spec, owner, input)));
  const sets = desired.some(({ whole }) => whole);
  const verify: Plan["verify"] = async (made) => (await import("./verify.ts")).verifySetLists(context, made);
  return {
    changes,
    ...((isList || owners.length > 1) && { list: true as const }),
    ...(sets && { verify }),
  };
}

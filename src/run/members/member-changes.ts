/** Turns the desired members of channels and groups into changes. */

import { getOwnUser } from "../../api/users.ts";
import { canPrompt } from "../../argv/confirm.ts";
import { counted, joinFirst } from "../../common/counted.ts";
import type { Question } from "../../common/question.ts";
import { type Change, noChanges, type SetList } from "../../engine/change.ts";
import { Refused, TooOld, Usage, undefinedOnFailure } from "../../errors.ts";
import { changed, type Result } from "../../output/form.ts";
import { type CurrentMembers, memberListsOf } from "../../resolve/member-lists.ts";
import type { Context, Plan, Planned } from "../context.ts";
import { labels } from "../labels.ts";
import { mayLockOut, steps } from "./closed-list.ts";
import {
  type CurrentLists,
  changesNobody,
  memberArgs,
  memberChange,
  missingFrom,
  type NamedOwner,
  onlyRemoves,
  partOfCall,
  pieces,
} from "./requests.ts";
import { showMembers } from "./show-members.ts";
import {
  type ListChange,
  type MemberListSpec,
  type MembersSpec,
  mostMembersNamed,
  type Owner,
  type TypedCall,
} from "./spec.ts";
import { peopleWhoLeft, stayOut } from "./stays-out.ts";

interface MembersInput {
  owners: readonly Owner[];
  /** The change of each list, as typed. */
  desired: readonly ListChange[];
  /** The calls that the flags ask for. */
  calls: readonly TypedCall[];
  /** The values of the flags. */
  values: Readonly<Record<string, unknown>>;
}

/** Throws `Usage` for a member that is both added and removed. */
function checkLists(desired: readonly ListChange[]): void {
  for (const { list, added, removed } of desired) {
    const { kind, flags } = list.kind;
    const removals = new Set(removed);
    const both = added.filter((id) => removals.has(id));
    if (both.length) throw new Usage(`${flags.added} and ${flags.removed} both name ${kind} ${both.join(", ")}`);
  }
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

/** Reads the lists that change. */
async function membersOfLists(
  context: Context,
  { of }: MembersSpec,
  owner: Owner,
  desired: readonly ListChange[],
): Promise<CurrentLists> {
  const lists = new Map<MemberListSpec, CurrentMembers>();
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

/** Notes what each complete list replaces, and locks it: it must not change before the request is sent. */
async function setListsOf(
  context: Context,
  owner: NamedOwner,
  desired: readonly ListChange[],
  isPreview: boolean,
): Promise<SetList[]> {
  const sets: SetList[] = [];
  for (const { list, whole } of desired) {
    if (!whole) continue;
    const { list: key } = list.kind.of(owner.id);
    if (!isPreview) await context.lockList(key);
    const isClosed = await mayLockOut(context, list, owner.id);
    sets.push({ list: list.kind.name, id: owner.id, name: owner.name, key, members: whole, isClosed });
  }
  return sets;
}

/** Returns whom to add and remove, without people who stay out. A complete list removes whom it does not name. */
function withoutLeft(
  desired: readonly ListChange[],
  lists: CurrentLists | undefined,
  left: ReadonlySet<number>,
): ListChange[] {
  return desired.map(({ list, added, removed, whole }) => {
    if (!whole)
      return { list, added: list.kind.kind === "user" ? added.filter((id) => !left.has(id)) : added, removed };
    const members = new Set(whole);
    const current = lists?.get(list)?.ids() ?? [];
    return { list, added: whole, removed: current.filter((id) => !members.has(id)) };
  });
}

/** Returns the changes of one channel or group. */
async function changesOf(context: Context, spec: MembersSpec, owner: Owner, input: MembersInput): Promise<Change[]> {
  const { calls, values } = input;
  const isRow = context.line !== undefined;
  const named = { ...owner, name: await nameOf(context, spec, owner) };
  const sets = await setListsOf(context, named, input.desired, !!(context.flags.dryRun || values.diff));
  // Answers do not tell which of several people were in the list.
  const removesSeveral = input.desired.some(({ removed }) => removed.length > 1);
  const readLists = () => membersOfLists(context, spec, owner, input.desired);
  const compares = values.ifChanged || values.once || sets.length > 0;
  const lists = compares ? await readLists() : removesSeveral ? await undefinedOnFailure(readLists()) : undefined;
  const left = values.once ? await peopleWhoLeft(context, spec, owner, input.desired, lists) : new Set<number>();
  const desired = withoutLeft(input.desired, lists, left);
  const leavesClosed = sets.some(({ isClosed }) => isClosed) && desired.some(({ removed }) => removed.length);
  const me = leavesClosed ? (await (await context.server()).lookUp(getOwnUser, {})).user_id : undefined;
  const confirm = sets.length ? await lossOf(context, spec, owner, desired) : undefined;
  const common = { spec, owner: named, values, confirm };

  /** Splits what a call changes into requests. */
  function piecesOf(call: TypedCall): ListChange[][] {
    const part = partOfCall(call, desired);
    if (!lists) return changesNobody(part) ? [] : pieces(spec, call, part);
    // A resumed run finds the parts of a row by number, so reading must not change them.
    // Only the removals of `--set` depend on reading: they are one part.
    if (isRow && sets.length && onlyRemoves(call)) return [part];
    return me !== undefined && !isRow && onlyRemoves(call) ? steps(part, me) : pieces(spec, call, part);
  }

  const changes = calls.flatMap((call) =>
    piecesOf(call).map((piece) => {
      if (!lists) return memberChange(common, call, piece);
      const needed = missingFrom(lists, piece);
      return memberChange(common, call, needed, {
        ifChanged: true,
        ...(sets.length ? { setLists: sets } : { desiredArgs: memberArgs(common, call, piece) }),
        ...(changesNobody(needed) && {
          unchanged: true,
          ...(left.size && isRow && { already: `No changes: ${stayOut(left.size)}.` }),
        }),
      });
    }),
  );
  if (!lists || isRow) return changes;
  const needed = changes.filter(({ unchanged }) => !unchanged);
  return needed.length ? needed : changes.slice(0, 1);
}

export async function planOf(context: Context, spec: MembersSpec, input: MembersInput): Promise<Planned | Result> {
  const { owners, desired, calls, values } = input;
  if (!calls.length) return showMembers(context, spec, owners, values);
  const isList = spec.calls.length > 1;
  // Files can be empty.
  if (!owners.length || (changesNobody(desired) && !desired.some(({ whole }) => whole)))
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

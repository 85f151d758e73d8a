/** Compares desired members with the current lists. */
import { canAsk } from "../../argv/confirm.ts";
import { counted, firstOf } from "../../counted.ts";
import type { Change } from "../../engine/change.ts";
import { Refused, TooOld, Usage } from "../../errors.ts";
import type { Question } from "../../question.ts";
import { type Roster, rostersOf } from "../../resolve/rosters.ts";
import type { Context } from "../context.ts";
import { labels } from "../labels.ts";
import { carried, isEmpty, type Maker, pieces } from "./plan.ts";
import type { ListChange, MemberCall, MemberListSpec } from "./spec.ts";

/** The largest number of names. Others are counted. */
const most = 10;

/** Describes for the question who is removed. Reads names only if the question is desired. */
async function loss(
  context: Context,
  { spec, owner }: Maker,
  desired: readonly ListChange[],
): Promise<Question | undefined> {
  const { world, flags, line } = context;
  const asking = line === undefined && !flags.yes && !flags.dryRun && canAsk(world, flags);
  const all: string[] = [];
  for (const {
    list: { member, holds },
    removed: ids,
  } of desired) {
    if (!ids.length) continue;
    const called = asking ? await labels(context, holds, ids.slice(0, most)) : String;
    const names = ids.map((id) => String(called(id)));
    all.push(`${counted(ids.length, member)} (${firstOf(names, most)})`);
  }
  return all.length ? { question: `Remove ${all.join(" and ")} from ${spec.of} "${owner.typed}"` } : undefined;
}

type Rosters = Map<MemberListSpec, Roster>;

/** Reads the lists that change. */
async function rostersNow(context: Context, { owner }: Maker, desired: readonly ListChange[]): Promise<Rosters> {
  const from = rostersOf(context);
  const all: Rosters = new Map();
  for (const { list, added, removed, whole } of desired)
    if (whole || added.length + removed.length) all.set(list, await from.of(list.kind.of(owner.id)));
  return all;
}

/** Returns what is still to do. */
const missing = (desired: readonly ListChange[], rosters: Rosters): ListChange[] =>
  desired.map(({ list, added, removed }) => {
    const has = (id: number) => rosters.get(list)?.has(id) ?? false;
    return { list, added: added.filter((id) => !has(id)), removed: removed.filter(has) };
  });

/** Makes only the changes that are still needed, or `unchanged`. */
export async function compared(
  context: Context,
  maker: Maker,
  calls: readonly MemberCall[],
  typed: readonly ListChange[],
): Promise<Change[]> {
  const { spec, owner, values } = maker;
  const { line } = context;
  const whole = typed.flatMap(({ list, whole }) => (whole ? [list.kind.of(owner.id).list] : []));
  let rosters: Rosters;
  try {
    rosters = await rostersNow(context, maker, typed);
  } catch (failure) {
    // The server decides about a row that cannot be compared. A complete list that cannot be compared is not sent.
    if (line === undefined || !(failure instanceof Refused || failure instanceof TooOld)) throw failure;
    if (whole.length) throw new Usage(`cannot read ${spec.of} ${owner.typed}: ${failure.message}`);
    rosters = new Map(typed.map(({ list, added }) => [list, { has: (id) => !added.includes(id), ids: () => [] }]));
  }
  const desired = typed.map(({ whole, ...each }) => {
    if (!whole) return each;
    const kept = new Set(whole);
    const there = rosters.get(each.list)?.ids() ?? [];
    return { list: each.list, added: whole, removed: there.filter((id) => !kept.has(id)) };
  });
  const confirm = whole.length ? await loss(context, maker, desired) : undefined;
  const changes = calls.flatMap((call) => {
    const part = carried(call, desired);
    // A resumed run finds the parts of a row by number, so reading must not change them.
    // Only the removals of `--set` depend on reading: they are one part.
    const cut = whole.length && call.carries === "removed" ? [part] : pieces(spec, call, part);
    const parts =
      line === undefined
        ? pieces(spec, call, missing(part, rosters)).map((left) => ({ piece: part, left }))
        : cut.map((piece) => ({ piece, left: missing(piece, rosters) }));
    return parts.map(({ piece, left }) =>
      maker.make(call, left, {
        ifChanged: true,
        ...(whole.length ? { whole } : { desiredArgs: call.args(owner, piece, values) }),
        ...(isEmpty(left) && { unchanged: true }),
        ...(confirm && left.some(({ removed }) => removed.length) && { confirm }),
      }),
    );
  });
  if (line !== undefined) return changes;
  const left = changes.filter(({ unchanged }) => !unchanged);
  return left.length ? left : changes.slice(0, 1);
}

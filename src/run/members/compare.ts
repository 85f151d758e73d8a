/** What is wished of lists of members beside what is there already. */

import { canAsk } from "../../argv/confirm.ts";
import { counted, firstOf } from "../../counted.ts";
import type { Change } from "../../engine/change.ts";
import { Refused, TooOld, Usage } from "../../errors.ts";
import type { Question } from "../../question.ts";
import { type Roster, rostersOf } from "../../resolve/rosters.ts";
import type { Context } from "../context.ts";
import { carried, isEmpty, type Maker, type MemberOptions, pieces } from "./plan.ts";
import type { MemberCall, Wish } from "./spec.ts";

export interface Asked {
  wish: Wish;
  /** All there is to be in each list; one that is not given stays as it is. */
  sets: readonly (number[] | undefined)[];
}

/** Told by name at most; the others are counted. */
const most = 10;

/** What goes, for the question. Names cost a read, which is made only where the question will be asked. */
async function loss(context: Context, { spec, owner }: Maker, wish: Wish): Promise<Question | undefined> {
  const { world, flags, line } = context;
  const asking = line === undefined && !flags.yes && !flags.dryRun && canAsk(world, flags);
  const all: string[] = [];
  for (const [n, { member, holds }] of spec.lists.entries()) {
    const ids = wish[n]!.removed;
    if (!ids.length) continue;
    const named = ids.slice(0, most);
    const called = asking ? await (await import("../labels.ts")).labels(context, holds, named) : String;
    all.push(
      `${counted(ids.length, member)} (${firstOf(
        ids.map((id) => String(called(id))),
        most,
      )})`,
    );
  }
  return all.length ? { question: `Remove ${all.join(" and ")} from ${spec.of} "${owner.typed}"` } : undefined;
}

function beyond(ids: readonly number[], roster: Roster): number[] {
  const kept = new Set(ids);
  return roster.ids().filter((id) => !kept.has(id));
}

const untouched: Roster = { has: () => false, ids: () => [] };

/** Reads each list that the wish is about. */
async function rostersNow(context: Context, { spec, owner }: Maker, { wish, sets }: Asked): Promise<Roster[]> {
  const from = rostersOf(context);
  const all: Roster[] = [];
  for (const [n, { kind }] of spec.lists.entries()) {
    const { added, removed } = wish[n]!;
    all.push(sets[n] || added.length + removed.length ? await from.of(kind.of(owner.id)) : untouched);
  }
  return all;
}

/** What is not so yet. */
const lacking = (wish: Wish, rosters: readonly Roster[]): Wish =>
  wish.map(({ added, removed }, n) => ({
    added: added.filter((id) => !rosters[n]!.has(id)),
    removed: removed.filter(rosters[n]!.has),
  }));

/**
 * The changes that make of the lists what is wished, and no more; `unchanged` where all of it is so. `calls` are those
 * that the flags are about.
 */
export async function compared(
  context: Context,
  maker: Maker,
  calls: readonly MemberCall[],
  asked: Asked,
): Promise<Change[]> {
  const { spec, owner, values } = maker;
  const { sets } = asked;
  const whole = spec.lists.flatMap(({ kind }, n) => (sets[n] ? [kind.of(owner.id).list] : []));
  let rosters: Roster[];
  try {
    rosters = await rostersNow(context, maker, asked);
  } catch (failure) {
    // A row that cannot be compared is the server's to judge; a set that cannot be compared is nothing that can be sent.
    if (context.line === undefined || !(failure instanceof Refused || failure instanceof TooOld)) throw failure;
    if (whole.length) throw new Usage(`cannot read ${spec.of} ${owner.typed}: ${failure.message}`);
    rosters = asked.wish.map(({ added }) => ({ has: (id) => !added.includes(id), ids: () => [] }));
  }
  const wish = asked.wish.map(({ added, removed }, n) => {
    const set = sets[n];
    return set ? { added: set, removed: beyond(set, rosters[n]!) } : { added, removed };
  });
  const confirm = whole.length ? await loss(context, maker, wish) : undefined;
  const changes = calls.flatMap((call) =>
    piecesOf(context, maker, call, { wish, rosters, whole: whole.length > 0 }).map(({ piece, less }) => {
      const options: MemberOptions = {
        ifChanged: true,
        ...(whole.length ? { whole } : { asked: call.args(owner, piece, values) }),
      };
      if (isEmpty(less)) return maker.make(call, less, { ...options, unchanged: true });
      const goes = less.some(({ removed }) => removed.length);
      return maker.make(call, less, { ...options, ...(goes && confirm !== undefined && { confirm }) });
    }),
  );
  const left = changes.filter(({ unchanged }) => !unchanged);
  return context.line !== undefined ? changes : left.length ? left : changes.slice(0, 1);
}

/** What one call carries of a wish, in pieces, and what of each is not so yet. */
function piecesOf(
  { line }: Context,
  { spec }: Maker,
  call: MemberCall,
  { wish, rosters, whole }: { wish: Wish; rosters: readonly Roster[]; whole: boolean },
): { piece: Wish; less: Wish }[] {
  const part = carried(call, wish);
  if (line === undefined) return pieces(spec, call, lacking(part, rosters)).map((less) => ({ piece: part, less }));
  // A run that is resumed knows the parts of a row by their number, so that they must not depend on what reading shows.
  // Who goes because a set does not name them is known by reading alone: that is one part.
  const cut = whole && call.carries === "removed" ? [part] : pieces(spec, call, part);
  return cut.map((piece) => ({ piece, less: lacking(piece, rosters) }));
}

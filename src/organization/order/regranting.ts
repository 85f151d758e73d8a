/** Which rights are used that may come and go in the course of a plan, and by which of its requests. */
import { createGroup, updateMembers } from "../../api/groups.ts";
import { unsubscribe } from "../../api/subscriptions.ts";
import type { OrderContext } from "./context.ts";
import { argsOf, type Draft } from "./draft.ts";
import { grantsOrganization, type Right, regrants, rightsOf } from "./rights.ts";
import { Standing } from "./standing.ts";

/** A right that may come and go. */
export interface Use {
  readonly right: Right;
  /** The requests that take it, by number. */
  readonly users: readonly number[];
  /** Those by which the caller may get or lose it. */
  readonly by: ReadonlySet<number>;
}

const isMove = ({ operation }: Draft): boolean => operation === updateMembers;

/** What it brings, without what it takes away. */
const brings = (draft: Draft): Draft => {
  const { delete: _, delete_subgroups: __, ...args } = argsOf(draft);
  return { ...draft, args, pieces: [] };
};

export const keyOf = (right: Right): string =>
  "channel" in right ? `channel ${right.channel}` : `${right.organization} ${right.group} ${right.by}`;

function usedIn(context: OrderContext, drafts: readonly Draft[]): { right: Right; users: number[] }[] {
  const used = new Map<string, { right: Right; users: number[] }>();
  for (const [n, draft] of drafts.entries())
    for (const right of rightsOf(draft, context)) {
      const use = used.get(keyOf(right));
      if (use) use.users.push(n);
      else used.set(keyOf(right), { right, users: [n] });
    }
  return [...used.values()];
}

/** The requests among these that have a part in who has the right, in any order of all of them. */
const changing = (
  drafts: readonly Draft[],
  regranting: readonly number[],
  right: Right,
  groups: ReadonlySet<number>,
): Set<number> =>
  new Set(
    regranting.filter((n) => {
      const draft = drafts[n]!;
      const id = draft.args.user_group_id as number | undefined;
      if (isMove(draft)) return groups.has(id!);
      if ("channel" in right) return true;
      const { organization, group, by = [] } = right;
      const args = argsOf(draft);
      return id === undefined ? organization in args : id === group && by.some((name) => name in args);
    }),
  );

/** Whether the caller reads a channel whatever else is changed: it is open and stays so, or the caller stays in it. */
function readsThroughout(now: Standing, channel: number, drafts: readonly Draft[]): boolean {
  const { open, mine } = now.accessTo(channel) ?? { open: true };
  return (
    (open && !drafts.some((draft) => argsOf(draft).is_private === true)) ||
    (mine === true && !drafts.some(({ operation }) => operation === unsubscribe))
  );
}

/** Requests that may give the caller a right or take one, those about a channel apart. */
function regrantingIn(drafts: readonly Draft[], me: number) {
  const of: number[] = [];
  const ofChannels = new Map<number, number[]>();
  for (const [n, draft] of drafts.entries()) {
    if (!regrants(draft, me)) continue;
    const channel = draft.args.stream_id as number | undefined;
    if (channel === undefined) of.push(n);
    else ofChannels.set(channel, [...(ofChannels.get(channel) ?? []), n]);
  }
  return { of, ofChannels };
}

/** Those that may come and go; not what the caller has all the time. */
export function usesOf(context: OrderContext, drafts: readonly Draft[]): Use[] {
  const { of, ofChannels } = regrantingIn(drafts, context.me);
  const now = new Standing(context.snapshot);
  const inside = (id: number): readonly number[] => ofChannels.get(id) ?? [];
  const used = usedIn(context, drafts).filter(
    ({ right }) =>
      !("channel" in right) ||
      !readsThroughout(
        now,
        right.channel,
        inside(right.channel).map((n) => drafts[n]!),
      ),
  );
  if (!used.length) return [];
  // As if everybody who comes into a group were there and nobody had gone, with what is granted now and then.
  const all = new Standing(context.snapshot);
  for (const draft of drafts) if (draft.operation === createGroup) all.do(draft);
  const changes = [...of, ...[...ofChannels.values()].flat()].map((n) => drafts[n]!);
  for (const draft of changes) if (isMove(draft)) all.do(brings(draft));
  const before = used.map(({ right }) => all.groupsOf(right));
  for (const draft of changes) if (!isMove(draft)) all.do(draft);
  // Whoever manages all groups the whole time needs nothing of each.
  const always = new Set(
    grantsOrganization.filter((organization) => {
      const right = { organization };
      return now.holds(right) && !changing(drafts, of, right, all.groupsOf(right)).size;
    }),
  );
  const moves = of.filter((n) => isMove(drafts[n]!));
  return used.flatMap(({ right, users }, n) => {
    if ("organization" in right && always.has(right.organization)) return [];
    const groups = new Set([...before[n]!, ...all.groupsOf(right)]);
    const some = "channel" in right ? [...inside(right.channel), ...moves] : of;
    return [{ right, users, by: changing(drafts, some, right, groups) }];
  });
}

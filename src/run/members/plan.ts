/** From what was typed of lists of members to the changes that it comes to. */

import type { Given } from "../../argv/given.ts";
import { namesOf } from "../../argv/text.ts";
import { counted } from "../../counted.ts";
import { type Change, change, noChanges } from "../../engine/change.ts";
import { NothingAsked, Usage } from "../../errors.ts";
import type { Result } from "../../output/form.ts";
import type { Question } from "../../question.ts";
import type { MemberFlags } from "../../wire/membership.ts";
import type { Context, Planned } from "../context.ts";
import { losesChannel } from "./last-subscriber.ts";
import {
  flagsOf,
  type MemberCall,
  type MemberListSpec,
  type MembersSpec,
  type OtherFlags,
  type Owner,
  optionOf,
  type Wish,
} from "./spec.ts";

type Way = keyof MemberFlags;
const ways: readonly Way[] = ["added", "removed", "whole"];

/** One flag of one list. */
interface ListFlag {
  list: number;
  way: Way;
  flag: string;
  /** What commander calls it. */
  option: string;
}

/** The same with the items that were typed for it. */
interface Typed extends ListFlag {
  names: string[];
}

export type Options = Readonly<Record<string, unknown>> & { ifChanged?: boolean; diff?: boolean };

const listFlags = ({ lists }: MembersSpec): ListFlag[] =>
  ways.flatMap((way) =>
    lists.map(({ kind: { flags } }, list) => ({ list, way, flag: flags[way], option: optionOf(flags[way]) })),
  );

/** The items of each list that is given. Of a set `''` says that there are none. */
async function typedOf({ world }: Context, flags: readonly ListFlag[], options: Options): Promise<Typed[]> {
  const all: Typed[] = [];
  for (const each of flags) {
    const given = options[each.option] as Given[] | undefined;
    const values = each.way === "whole" ? given?.filter(({ text }) => text !== "") : given;
    if (values) all.push({ ...each, names: await namesOf(world, each.flag, values) });
  }
  return all;
}

function checkLists(
  typed: readonly Typed[],
  spec: MembersSpec,
  { flags }: Context,
  { diff }: Options,
  owner: string,
): void {
  const set = typed.find(({ way }) => way === "whole");
  const other = typed.find(({ way }) => way !== "whole");
  if (set && other) throw new Usage(`${set.flag} cannot be combined with ${other.flag}`);
  const empty = typed.find(({ way, names }) => way === "whole" && names.length === 0);
  if (!empty || flags.yes || flags.dryRun || diff) return;
  const { member, any = member } = spec.lists[empty.list]!;
  throw new Usage(
    `confirmation required: ${empty.flag} is empty. Remove every ${any} from ${spec.of} "${owner}"? Pass --yes to confirm.`,
  );
}

/** Whether what a flag says concerns the call. */
const concerns = ({ carries }: MemberCall, way: Way): boolean =>
  carries === "all" || way === "whole" || carries === way;

async function checkSupported(
  { checkSupported }: Context,
  { calls }: MembersSpec,
  typed: readonly Typed[],
  others: readonly { param: string; flag: string }[],
): Promise<void> {
  for (const call of calls) {
    const own = typed
      .filter(({ way, names }) => concerns(call, way) && (names.length > 0 || way === "whole"))
      .flatMap(({ list, way, flag }) => {
        const { added, removed } = call.params[list]!;
        const param = way === "removed" ? removed : (added ?? removed);
        return param === undefined ? [] : [{ param, flag }];
      });
    const known = others.filter(({ param }) => Object.hasOwn(call.operation.params, param));
    if (own.length) await checkSupported(call.operation, [...own, ...known]);
  }
}

async function ownerOf({ find }: Context, { of, named }: MembersSpec, typed: string): Promise<Owner> {
  const id = await find[of](typed, `<${of}>`);
  if (!named) return { id, typed, name: typed };
  const name = (await find.callsAll(of))(id);
  if (name === undefined)
    throw new Usage(`<${of}>: ${of} ${id} not found, or not visible to this account`, {
      hint: `List them with: zulipctl ${of} list`,
    });
  return { id, typed, name };
}

/** Each once; a second mention changes nothing for the server either. */
async function idsOf(
  { find, line }: Context,
  { lists }: MembersSpec,
  { list, flag, names, way }: Typed,
): Promise<number[]> {
  const found = new Set<number>();
  const kind = lists[list]?.holds ?? "user";
  for (const name of names) {
    const id = await find[kind](name, flag);
    // One such row would have a whole merged request refused.
    if (line !== undefined && kind === "user" && way !== "removed" && (await find.deactivated?.(id)))
      throw Object.assign(
        new Usage(`${flag}: user "${name}" is deactivated`, {
          hint: `Reactivate with: zulipctl users reactivate ${id}`,
        }),
        { at: flag },
      );
    found.add(id);
  }
  return [...found];
}

function refuseBoth(wish: Wish, { lists }: MembersSpec): void {
  for (const [n, { kind, holds }] of lists.entries()) {
    const gone = new Set(wish[n]!.removed);
    const both = wish[n]!.added.filter((id) => gone.has(id));
    if (!both.length) continue;
    throw new Usage(`${kind.flags.added} and ${kind.flags.removed} both name ${holds} ${both.join(", ")}`);
  }
}

const count = (ids: readonly number[], member: string, did: string) =>
  ids.length ? [`${counted(ids.length, member)} ${did}`] : [];

/** `2 members added`, `1 subgroup removed`; none where nothing is wished for. */
const wordsOf = (wish: Wish, lists: readonly MemberListSpec[]): string[] =>
  lists.flatMap(({ member }, n) => [
    ...count(wish[n]!.added, member, "added"),
    ...count(wish[n]!.removed, member, "removed"),
  ]);

export const isEmpty = (wish: Wish): boolean => wish.every(({ added, removed }) => !added.length && !removed.length);

export type MemberOptions = Pick<Change, "confirm" | "asked" | "unchanged" | "ifChanged" | "whole">;

/** Makes changes of wishes. */
export interface Maker {
  readonly spec: MembersSpec;
  readonly owner: Owner;
  readonly values: Options;
  /** The call that is made of a wish, as a change. */
  make(call: MemberCall, wish: Wish, options?: MemberOptions): Change;
}

/** `flagsFor` gives the flags that were typed, by the parameters of a call. */
export function makerOf(
  spec: MembersSpec,
  owner: Owner,
  values: Options,
  flagsFor: (call: MemberCall) => Readonly<Record<string, string>> = () => ({}),
  confirm?: Question,
): Maker {
  return {
    spec,
    owner,
    values,
    make: (call, wish, options = {}) =>
      change(call.operation, call.args(owner, wish, values) as never, {
        target: owner.typed,
        done: options.unchanged ? noChanges : `Updated ${spec.of} {target}: {members}.`,
        words: { members: wordsOf(wish, spec.lists).join(", ") },
        flags: flagsFor(call),
        verifyWith: `${spec.see} ${owner.id}`,
        ...(call.carries === "removed" && { afterAdditions: true, ...(confirm !== undefined && { confirm }) }),
        ...options,
      }),
  };
}

/** The part of a wish that a call carries. */
export const carried = ({ carries }: MemberCall, wish: Wish): Wish =>
  wish.map(({ added, removed }) => ({
    added: carries === "removed" ? [] : added,
    removed: carries === "added" ? [] : removed,
  }));

/** In pieces that are no larger than one request may be. A wish of one call goes whole: it is done as a whole or not at all. */
export function pieces({ calls }: MembersSpec, { operation }: MemberCall, wish: Wish): Wish[] {
  const largest = calls.length > 1 ? operation.merging?.largest : undefined;
  const length = Math.max(...wish.flatMap(({ added, removed }) => [added.length, removed.length]));
  if (largest === undefined || length <= largest) return [wish];
  const cut = (ids: readonly number[], from: number) => ids.slice(from, from + largest);
  return Array.from({ length: Math.ceil(length / largest) }, (_, n) =>
    wish.map(({ added, removed }) => ({ added: cut(added, n * largest), removed: cut(removed, n * largest) })),
  );
}

const planned = ({ calls }: MembersSpec, changes: Change[]): Planned =>
  calls.length > 1 ? { changes, list: true } : changes;

/** Nobody is named: lists may come from files, and files may be empty. */
function nothing({ calls }: MembersSpec, { ifChanged }: Options): Result {
  if (calls.length > 1) return { kind: "changes", sentences: [noChanges], outcomes: [], ids: [] };
  return { kind: "change", sentence: noChanges, answer: ifChanged ? { unchanged: true } : {}, ids: [] };
}

export function planOf(spec: MembersSpec, { sending, listing }: OtherFlags) {
  const flags = listFlags(spec);
  return async (context: Context, options: Options, name: string): Promise<Planned | Result> => {
    const typed = await typedOf(context, flags, options);
    const sent = sending.filter(({ option, given }) => options[option] === given);
    const listed = listing.find(({ option }) => options[option]);
    const needy = options.ifChanged ? "--if-changed" : sent[0]?.flag;
    if (!typed.length && needy)
      throw new NothingAsked(`${needy} requires a flag that says what to change, such as --add or --delete`);
    if (typed[0] && listed) throw new Usage(`${listed.flag} cannot be combined with ${typed[0].flag}`);
    checkLists(typed, spec, context, options, name);
    await checkSupported(context, spec, typed, sent);
    if (!typed.length) {
      const id = await context.find[spec.of](name, `<${spec.of}>`);
      return (await spec.show())(context, { id, typed: name }, options);
    }
    const owner = await ownerOf(context, spec, name);
    const idsFor = async (list: number, way: Way) => {
      const one = typed.find((each) => each.list === list && each.way === way);
      return one && idsOf(context, spec, one);
    };
    const wish: { added: number[]; removed: number[] }[] = [];
    const sets: (number[] | undefined)[] = [];
    for (const list of spec.lists.keys())
      wish.push({ added: (await idsFor(list, "added")) ?? [], removed: (await idsFor(list, "removed")) ?? [] });
    refuseBoth(wish, spec);
    for (const list of spec.lists.keys()) sets.push(await idsFor(list, "whole"));
    const whole = sets.some((set) => set !== undefined);
    if (!whole && isEmpty(wish)) return nothing(spec, options);
    const flagsFor = (call: MemberCall) => ({
      ...flagsOf(spec, call, sets.map(Boolean)),
      ...Object.fromEntries(sent.map(({ param, flag }) => [param, flag])),
    });
    const maker = makerOf(spec, owner, options, flagsFor, await losesChannel(context, spec, owner, wish));
    const calls = spec.calls.filter((call) => typed.some(({ way }) => concerns(call, way)));
    if (whole || options.ifChanged) {
      const { compared } = await import("./compare.ts");
      return planned(spec, await compared(context, maker, calls, { wish, sets }));
    }
    return planned(
      spec,
      calls.flatMap((call) => {
        const part = carried(call, wish);
        return isEmpty(part) ? [] : pieces(spec, call, part).map((piece) => maker.make(call, piece));
      }),
    );
  };
}

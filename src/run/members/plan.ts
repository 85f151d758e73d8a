/** Turns the typed lists of members into changes. */
import { getChannel } from "../../api/channels.ts";
import { namesOf } from "../../argv/text.ts";
import type { TextInput } from "../../argv/text-input.ts";
import { counted } from "../../counted.ts";
import { type Change, change, noChanges } from "../../engine/change.ts";
import { NothingAsked, orUndefined, Usage } from "../../errors.ts";
import type { Result } from "../../output/form.ts";
import type { Question } from "../../question.ts";
import { rostersOf } from "../../resolve/rosters.ts";
import type { MemberFlags } from "../../wire/membership.ts";
import type { Context, Planned } from "../context.ts";
import { ownersOf, shown, withName } from "./owners.ts";
import {
  flagsOf,
  type ListChange,
  type MemberCall,
  type MemberListSpec,
  type MembersSpec,
  type OtherFlags,
  type Owner,
  optionOf,
} from "./spec.ts";

type Part = keyof MemberFlags;
const parts: readonly Part[] = ["added", "removed", "whole"];

export type Options = Readonly<Record<string, unknown>> & { ifChanged?: boolean; diff?: boolean };

/** A flag of a list and its typed items. */
interface Typed {
  list: MemberListSpec;
  part: Part;
  flag: string;
  names: string[];
}

/** Reads the items of each flag. For `--set`, `''` means an empty list. */
async function typedOf({ world }: Context, { lists }: MembersSpec, options: Options): Promise<Typed[]> {
  const typed: Typed[] = [];
  for (const part of parts)
    for (const list of lists) {
      const flag = list.kind.flags[part];
      const all = options[optionOf(flag)] as TextInput[] | undefined;
      const values = part === "whole" ? all?.filter(({ text }) => text !== "") : all;
      if (values) typed.push({ list, part, flag, names: await namesOf(world, flag, values) });
    }
  return typed;
}

function checkLists(
  typed: readonly Typed[],
  spec: MembersSpec,
  { flags }: Context,
  { diff }: Options,
  owner: string,
): void {
  const set = typed.find(({ part }) => part === "whole");
  const other = typed.find(({ part }) => part !== "whole");
  if (set && other) throw new Usage(`${set.flag} cannot be combined with ${other.flag}`);
  const empty = typed.find(({ part, names }) => part === "whole" && names.length === 0);
  if (!empty || flags.yes || flags.dryRun || diff) return;
  const { member, any = member } = empty.list;
  throw new Usage(
    `confirmation required: ${empty.flag} is empty. Remove every ${any} from ${spec.of} "${owner}"? Pass --yes to confirm.`,
  );
}

/** Returns whether a flag concerns the call. */
const concerns = ({ carries }: MemberCall, part: Part): boolean =>
  carries === "all" || part === "whole" || carries === part;

async function checkSupported(
  { checkSupported }: Context,
  { calls, lists }: MembersSpec,
  typed: readonly Typed[],
  others: readonly { param: string; flag: string }[],
): Promise<void> {
  for (const call of calls) {
    const own = typed
      .filter(({ part, names }) => concerns(call, part) && (names.length > 0 || part === "whole"))
      .flatMap(({ list, part, flag }) => {
        const { added, removed } = call.params[lists.indexOf(list)] ?? {};
        const param = part === "removed" ? removed : (added ?? removed);
        return param === undefined ? [] : [{ param, flag }];
      });
    const known = others.filter(({ param }) => Object.hasOwn(call.operation.params, param));
    if (own.length) await checkSupported(call.operation, [...own, ...known]);
  }
}

/** Removes duplicates, which change nothing. */
async function idsOf({ find, line }: Context, { list, flag, names, part }: Typed) {
  const found = new Set<number>();
  const kind = list.holds;
  for (const name of names) {
    const id = await find[kind](name, flag);
    // One such row would make the server refuse a merged request.
    if (line !== undefined && kind === "user" && part !== "removed" && (await find.deactivated(id)))
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

/** Reads the desired changes. Throws `Usage` for an item that is both added and removed. */
async function desiredOf(context: Context, spec: MembersSpec, typed: readonly Typed[]): Promise<ListChange[]> {
  const desired = [];
  for (const list of spec.lists) {
    const { kind, holds } = list;
    const change: { added: number[]; removed: number[]; whole?: number[] } = { added: [], removed: [] };
    for (const each of typed) if (each.list === list) change[each.part] = await idsOf(context, each);
    desired.push({ list, ...change });
    const { added, removed } = change;
    const gone = new Set(removed);
    const both = added.filter((id) => gone.has(id));
    if (both.length)
      throw new Usage(`${kind.flags.added} and ${kind.flags.removed} both name ${holds} ${both.join(", ")}`);
  }
  return desired;
}

export const isEmpty = (desired: readonly ListChange[]): boolean =>
  desired.every(({ added, removed }) => !added.length && !removed.length);

/** Formats `2 members added, 1 subgroup removed`. */
const wordsOf = (desired: readonly ListChange[]): string =>
  desired
    .flatMap(({ list: { member }, added, removed }) => [
      [added.length, member, "added"] as const,
      [removed.length, member, "removed"] as const,
    ])
    .flatMap(([count, member, did]) => (count ? [`${counted(count, member)} ${did}`] : []))
    .join(", ");

/** Makes a change of a call. */
export interface Maker {
  readonly spec: MembersSpec;
  readonly owner: Owner;
  readonly values: Options;
  make(
    call: MemberCall,
    desired: readonly ListChange[],
    options?: Pick<Change, "confirm" | "desiredArgs" | "unchanged" | "ifChanged" | "whole">,
  ): Change;
}

/** `flagsFor` returns the typed flags by parameter. */
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
    make: (call, desired, options = {}) =>
      change(call.operation, call.args(owner, desired, values) as never, {
        target: owner.typed,
        done: options.unchanged ? noChanges : `Updated ${spec.of} {target}: {members}.`,
        words: { members: wordsOf(desired) },
        flags: flagsFor(call),
        verifyWith: `${spec.see} ${owner.id}`,
        ...(call.carries === "removed" && { afterAdditions: true, ...(confirm !== undefined && { confirm }) }),
        ...options,
      }),
  };
}

/** Returns the arguments of a call. */
export const carried = ({ carries }: MemberCall, desired: readonly ListChange[]): ListChange[] =>
  desired.map(({ list, added, removed }) => ({
    list,
    added: carries === "removed" ? [] : added,
    removed: carries === "added" ? [] : removed,
  }));

/** Splits lists that are too long for one request. A call that is one transaction stays whole. */
export function pieces(
  { calls }: MembersSpec,
  { operation }: MemberCall,
  desired: readonly ListChange[],
): (readonly ListChange[])[] {
  const largest = calls.length > 1 ? operation.merging?.largest : undefined;
  const length = Math.max(...desired.flatMap(({ added, removed }) => [added.length, removed.length]));
  if (largest === undefined || length <= largest) return [desired];
  const cut = (ids: readonly number[], from: number) => ids.slice(from, from + largest);
  return Array.from({ length: Math.ceil(length / largest) }, (_, n) =>
    desired.map(({ list, added, removed }) => ({
      list,
      added: cut(added, n * largest),
      removed: cut(removed, n * largest),
    })),
  );
}

/**
 * Returns why a removal needs confirmation: a private channel would have no subscribers. Undefined if the account
 * cannot read the channel.
 */
async function losesChannel(
  context: Context,
  { of }: MembersSpec,
  owner: Owner,
  desired: readonly ListChange[],
): Promise<Question | undefined> {
  const [change] = desired;
  const { yes, dryRun } = context.flags;
  if (of !== "channel" || yes || dryRun || !change?.removed.length || change.added.length) return undefined;
  const members = (await orUndefined(rostersOf(context).of(change.list.kind.of(owner.id))))?.ids() ?? [];
  const removed = new Set(change.removed);
  if (!members.length || members.some((id) => !removed.has(id))) return undefined;
  const server = await context.server();
  const found = await orUndefined(server.call(getChannel, { stream_id: owner.id }));
  if (!found?.stream.invite_only) return undefined;
  const whom = change.removed.length > 1 ? "all subscribers" : "the last subscriber";
  return {
    question: `Remove ${whom} of the private channel "${owner.typed}"`,
    consequence: "Nobody can get in again.",
  };
}

/** A list of nobody is allowed: files can be empty. */
function nothing({ calls }: MembersSpec, { ifChanged }: Options): Result {
  if (calls.length > 1) return { kind: "changes", sentences: [noChanges], outcomes: [], ids: [] };
  return { kind: "change", sentence: noChanges, answer: ifChanged ? { unchanged: true } : {}, ids: [] };
}

interface Desired {
  typed: readonly Typed[];
  desired: readonly ListChange[];
  flagsFor: (call: MemberCall) => Readonly<Record<string, string>>;
}

/** The desired changes of one channel or group. */
async function changesOf(
  context: Context,
  spec: MembersSpec,
  owner: Owner,
  options: Options,
  { typed, desired, flagsFor }: Desired,
): Promise<Change[]> {
  const maker = makerOf(spec, owner, options, flagsFor, await losesChannel(context, spec, owner, desired));
  const calls = spec.calls.filter((call) => typed.some(({ part }) => concerns(call, part)));
  if (options.ifChanged || desired.some((each) => each.whole))
    return (await import("./compare.ts")).compared(context, maker, calls, desired);
  return calls.flatMap((call) => {
    const part = carried(call, desired);
    return isEmpty(part) ? [] : pieces(spec, call, part).map((piece) => maker.make(call, piece));
  });
}

export const planOf =
  (spec: MembersSpec, { sending, listing }: OtherFlags) =>
  async (context: Context, options: Options, operand: TextInput): Promise<Planned | Result> => {
    const typed = await typedOf(context, spec, options);
    const sent = sending.filter(({ option, sentIf }) => options[option] === sentIf);
    const listed = listing.find(({ option }) => options[option]);
    const needy = options.ifChanged ? "--if-changed" : sent[0]?.flag;
    if (!typed.length && needy)
      throw new NothingAsked(`${needy} requires a flag that says what to change, such as --add or --delete`);
    if (typed[0] && listed) throw new Usage(`${listed.flag} cannot be combined with ${typed[0].flag}`);
    checkLists(typed, spec, context, options, operand.text);
    await checkSupported(context, spec, typed, sent);
    const owners = await ownersOf(context, spec, operand);
    if (!typed.length) return shown(context, spec, owners, options);
    const named = await Promise.all(owners.map((owner) => withName(context, spec, owner)));
    const desired = await desiredOf(context, spec, typed);
    const whole = desired.map((each) => Boolean(each.whole));
    if (!named.length || (!whole.includes(true) && isEmpty(desired))) return nothing(spec, options);
    const flagsFor = (call: MemberCall) => ({
      ...flagsOf(spec, call, whole),
      ...Object.fromEntries(sent.map(({ param, flag }) => [param, flag])),
    });
    const changes = [];
    for (const owner of named)
      changes.push(...(await changesOf(context, spec, owner, options, { typed, desired, flagsFor })));
    return spec.calls.length > 1 || named.length > 1 ? { changes, list: true } : changes;
  };

/** What a verb on lists of members is, said once: reading, refusing, asking, merging and reporting go by it. */
import type { AnyListing } from "../../output/form.ts";
import type { MemberKind } from "../../wire/membership.ts";
import type { AnyOperation } from "../../wire/operation.ts";
import type { Context } from "../context.ts";

/** The thing that has the lists. */
export interface Owner {
  id: number;
  typed: string;
  /** What it is called, where its calls name it. */
  name: string;
}

/** What is asked of one list. */
export interface ListChange {
  readonly list: MemberListSpec;
  readonly added: number[];
  readonly removed: number[];
  /** All there is to be in it. */
  readonly whole?: number[];
}

/** One of the lists. */
export interface MemberListSpec {
  readonly kind: MemberKind;
  readonly holds: "user" | "group";
  /** One of those in it: `subscriber`. */
  readonly member: string;
  /** One of all those that a set of nothing leaves none of, where `member` says less: `direct member`. */
  readonly any?: string;
  /** What help says of the flags. */
  readonly docs: { readonly added: string; readonly removed: string; readonly whole: string };
}

/** One of the calls that a command comes to. */
export interface MemberCall {
  readonly operation: AnyOperation;
  /** The part of what is asked that it can carry. */
  readonly carries: "all" | "added" | "removed";
  /** Its parameter for each list. */
  readonly params: readonly { readonly added?: string; readonly removed?: string }[];
  /** `values` are those of the flags beyond the lists' own. */
  readonly args: (
    owner: Owner,
    lists: readonly ListChange[],
    values: Readonly<Record<string, unknown>>,
  ) => Record<string, unknown>;
}

export interface MembersSpec {
  readonly of: "group" | "channel";
  readonly lists: readonly MemberListSpec[];
  /** In the order in which they are made. Several calls give a list of outcomes, also where one of them is made. */
  readonly calls: readonly MemberCall[];
  /** The calls name their owner, which is looked up where an id is given. */
  readonly named?: true;
  /** The command that shows whether it happened, but for the id. */
  readonly see: string;
  /** Without flags. */
  readonly show: () => Promise<
    (
      context: Context,
      owner: Pick<Owner, "id" | "typed">,
      values: Readonly<Record<string, unknown>>,
    ) => Promise<AnyListing>
  >;
}

/** A flag beyond those of the lists. */
export interface OtherFlag {
  option: string;
  flag: string;
}

export interface OtherFlags {
  /** Of what is sent: each with its parameter, and with the value that says that it was typed. */
  sending: readonly (OtherFlag & { param: string; given: boolean })[];
  /** Of what is listed. */
  listing: readonly OtherFlag[];
}

/** What commander calls a flag: `--add-subgroups` is `addSubgroups`. */
export const optionOf = (flag: string): string =>
  flag.slice(2).replace(/-([a-z])/g, (_, letter: string) => letter.toUpperCase());

/** By parameter of a call, the flag of a list that stands for it: of a list that is `whole`, the one that says all of it. */
export function flagsOf(
  { lists }: Pick<MembersSpec, "lists">,
  { params }: MemberCall,
  whole: readonly boolean[] = [],
): Record<string, string> {
  const spelled: Record<string, string> = {};
  for (const [n, { added, removed }] of params.entries()) {
    const flags = lists[n]?.kind.flags;
    if (!flags) continue;
    if (added !== undefined) spelled[added] = whole[n] ? flags.whole : flags.added;
    if (removed !== undefined) spelled[removed] = whole[n] ? flags.whole : flags.removed;
  }
  return spelled;
}

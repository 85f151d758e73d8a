/** Describes a verb for lists of members. Reading, checking, asking, merging and reporting use it. */
import type { AnyListing } from "../../output/form.ts";
import type { MemberKind } from "../../wire/membership.ts";
import type { AnyOperation } from "../../wire/operation.ts";
import type { Context } from "../context.ts";

/** The thing that owns the lists. */
export interface Owner {
  id: number;
  typed: string;
  /** The parameter with the owner's name. */
  name: string;
}

/** The desired change of one list. */
export interface ListChange {
  readonly list: MemberListSpec;
  readonly added: number[];
  readonly removed: number[];
  /** The complete list. */
  readonly whole?: number[];
}

/** One of the lists. */
export interface MemberListSpec {
  readonly kind: MemberKind;
  readonly holds: "user" | "group";
  /** One member: `subscriber`. */
  readonly member: string;
  /** One member for `--set` with an empty list, if `member` is unclear: `direct member`. */
  readonly any?: string;
  /** The texts for help. */
  readonly docs: { readonly added: string; readonly removed: string; readonly whole: string };
}

/** One of the calls that a command can make. */
export interface MemberCall {
  readonly operation: AnyOperation;
  /** Returns the part of the change that it can make. */
  readonly carries: "all" | "added" | "removed";
  /** The parameters by list. */
  readonly params: readonly { readonly added?: string; readonly removed?: string }[];
  /** `values`: the values of other flags. */
  readonly args: (
    owner: Owner,
    lists: readonly ListChange[],
    values: Readonly<Record<string, unknown>>,
  ) => Record<string, unknown>;
}

export interface MembersSpec {
  readonly of: "group" | "channel";
  readonly lists: readonly MemberListSpec[];
  /** The calls in order. With several calls the result is a list. */
  readonly calls: readonly MemberCall[];
  /** The calls contain the owner's name, which is looked up for an id. */
  readonly named?: true;
  /** The command that shows the result, without the id. */
  readonly see: string;
  /** Lists the members without flags. */
  readonly show: () => Promise<
    (
      context: Context,
      owner: Pick<Owner, "id" | "typed">,
      values: Readonly<Record<string, unknown>>,
    ) => Promise<AnyListing>
  >;
}

/** A flag besides those of the lists. */
export interface OtherFlag {
  option: string;
  flag: string;
}

export interface OtherFlags {
  /** Parameters that are sent, with the value of the typed flag. */
  sending: readonly (OtherFlag & { param: string; sentIf: boolean })[];
  /** Flags for listing. */
  listing: readonly OtherFlag[];
}

/** Returns commander's name of a flag: `--add-subgroups` is `addSubgroups`. */
export const optionOf = (flag: string): string =>
  flag.slice(2).replace(/-([a-z])/g, (_, letter: string) => letter.toUpperCase());

/** Returns by parameter the flag of a list. For a `whole` list it is `--set`. */
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

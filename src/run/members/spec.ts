/** Describes a verb for lists of members. Reading, checking, asking, merging and reporting use it. */
import type { AnyListing } from "../../output/form.ts";
import type { MemberKind } from "../../wire/membership.ts";
import type { AnyOperation } from "../../wire/operation.ts";
import type { Context } from "../context.ts";

/** The channel or group that has the lists, as typed. */
export interface Owner {
  id: number;
  typed: string;
}

/** The desired change of one list. */
export interface ListChange {
  readonly list: MemberListSpec;
  readonly added: readonly number[];
  readonly removed: readonly number[];
  /** The complete list. */
  readonly whole?: readonly number[] | undefined;
}

/** One of the lists. */
export interface MemberListSpec {
  readonly kind: MemberKind;
  /** One member: `subscriber`. */
  readonly member: string;
  /** The texts for help. */
  readonly docs: { readonly added: string; readonly removed: string; readonly whole: string };
}

/** One of the calls that a command can make. */
export interface MemberCall {
  readonly operation: AnyOperation;
  /** The parameters with added and removed members, by list. */
  readonly params: readonly { readonly added?: string; readonly removed?: string }[];
  /** Returns the other arguments. `name`: the name of the owner. `values`: the values of other flags. */
  readonly args: (
    owner: Owner & { name: string },
    values: Readonly<Record<string, unknown>>,
  ) => Record<string, unknown>;
}

/** A call with the flags that ask for it, by parameter. */
export type TypedCall = MemberCall & { readonly flags: Readonly<Record<string, string>> };

export interface MembersSpec {
  readonly of: "group" | "channel";
  readonly lists: readonly MemberListSpec[];
  /** The calls in order. With several calls the result is a list. */
  readonly calls: readonly MemberCall[];
  /** The calls contain the owner's name, which is looked up for an id. */
  readonly named?: true;
  /** The command that shows the result, without the id. */
  readonly checkCommand: string;
  /** Lists the members without flags. */
  readonly show: () => Promise<
    (context: Context, owner: Owner, values: Readonly<Record<string, unknown>>) => Promise<AnyListing>
  >;
}

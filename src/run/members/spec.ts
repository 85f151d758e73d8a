/** Describes a verb for lists of members. Reading, checking, asking, merging and reporting use it. */

import { listArguments, listNamed } from "../../model/kinds/lists.ts";
import type { AnyListing } from "../../output/form.ts";
import type { ListKind } from "../../wire/membership.ts";
import type { AnyOperation } from "../../wire/operation.ts";
import type { Context } from "../context.ts";
import type { NamedThing } from "../named-thing.ts";

/** The largest number of names in a text. Others are counted. */
export const mostMembersNamed = 10;

/** The channel or group that has the lists, as typed. */
export interface Owner extends NamedThing {
  /** The name, if the run cannot look it up: earlier rows have made it. */
  name?: string;
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
  readonly kind: ListKind;
  /** The texts for help. */
  readonly docs: { readonly added: string; readonly removed: string; readonly whole: string };
}

/** One of the calls that a command can make. */
export interface MemberCall {
  readonly operation: AnyOperation;
  /** The parameters with added and removed members, by list. */
  readonly params: readonly { readonly added?: string; readonly removed?: string }[];
  /** Returns the other arguments. `name`: the name of the owner. */
  readonly args: (owner: { readonly id: number; readonly name: string }) => Record<string, unknown>;
  /** They have the name of the owner. */
  readonly isNamed: boolean;
}

/** Returns the calls that change lists, as the statements of the lists say. */
export const callsOf = (lists: readonly MemberListSpec[], operations: readonly AnyOperation[]): MemberCall[] => {
  const stated = lists.map(({ kind }) => listNamed(kind.name));
  return operations.map((operation) => {
    const all = stated.flatMap(({ add, remove }) => [add, remove]).filter((call) => call.operation === operation.name);
    return {
      operation,
      params: stated.map(({ add, remove }) => ({
        ...(add.operation === operation.name && { added: add.members }),
        ...(remove.operation === operation.name && { removed: remove.members }),
      })),
      args(owner) {
        const given: Record<string, unknown> = Object.assign({}, ...all.map((call) => listArguments(call, owner, [])));
        // A call for one list always has its members: without people, servers take the account itself.
        if (all.length > 1) for (const { members } of all) delete given[members];
        return given;
      },
      isNamed: all.some(({ named }) => named !== undefined),
    };
  });
};

/** A call with the flags that ask for it, by parameter. */
export type TypedCall = MemberCall & { readonly flags: Readonly<Record<string, string>> };

export interface MembersSpec {
  readonly of: "group" | "channel";
  readonly lists: readonly MemberListSpec[];
  /** The calls in order. With several calls the result is a list. */
  readonly calls: readonly MemberCall[];
  /** Returns arguments from the values of other flags. A call takes those that are its parameters. */
  readonly more?: (values: Readonly<Record<string, unknown>>) => Readonly<Record<string, unknown>>;
  /** The command that shows the result, without the id. */
  readonly checkCommand: string;
  /** Lists the members without flags. */
  readonly show: () => Promise<
    (context: Context, owner: Owner, values: Readonly<Record<string, unknown>>) => Promise<AnyListing>
  >;
}

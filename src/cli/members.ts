/** Verbs on lists of members: without flags who is in them, with flags who is added, who removed, or who all there is. */
import type { Given } from "../argv/given.ts";
import { type MembersSpec, optionOf } from "../run/members/spec.ts";
import { plans } from "./conversation.ts";
import { groups, oneOrList, toggle, users } from "./kinds.ts";
import type { Verb, VerbDescription } from "./verb.ts";
import { kebab, type Word, type Words } from "./word.ts";

/** What a verb on lists of members is declared by. */
export interface MembersDescription extends MembersSpec, Omit<VerbDescription, "operands" | "flags"> {
  /** Flags beyond those of the lists, for what is sent: each with its parameter. */
  readonly sending?: Readonly<Record<string, { readonly word: Word; readonly param: string }>>;
  /** Flags for what is listed. */
  readonly listing?: Words;
}

const kinds: Record<"user" | "group", (doc: string) => Word<number[], Given[]>> = { user: users, group: groups };

const flagOf = (option: string, { onlyNegated }: Word): string => `--${onlyNegated ? "no-" : ""}${kebab(option)}`;

/** A verb on the lists that a channel or a group has. */
export function members({ sending = {}, listing = {}, ...stated }: MembersDescription): Verb {
  const own = (["added", "removed", "whole"] as const).map((way) =>
    stated.lists.map(({ kind, holds, docs }) => [optionOf(kind.flags[way]), kinds[holds](docs[way])] as const),
  );
  // The three flags of a list stand together in help.
  const flags = stated.lists.flatMap((_, list) => own.map((all) => all[list]!));
  return plans({
    ...stated,
    operands: { owners: oneOrList(stated.of) },
    preview: "diff",
    flags: {
      ...listing,
      ...Object.fromEntries(flags),
      ...Object.fromEntries(Object.entries(sending).map(([option, { word }]) => [option, word])),
      ifChanged: toggle("read first, and send only what is not so yet; nothing left to send is success"),
    },
    run: async () => {
      const { planOf } = await import("../run/members/plan.ts");
      return planOf(stated, {
        sending: Object.entries(sending).map(([option, { word, param }]) => ({
          option,
          param,
          flag: flagOf(option, word),
          given: !word.onlyNegated,
        })),
        listing: Object.entries(listing).map(([option, word]) => ({ option, flag: flagOf(option, word) })),
      });
    },
  });
}

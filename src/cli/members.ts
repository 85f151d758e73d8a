/** Verbs for lists of members: without flags they list, with flags they add, remove or set members. */
import type { TextInput } from "../argv/text-input.ts";
import { type MembersSpec, optionOf } from "../run/members/spec.ts";
import { plans } from "./conversation.ts";
import { groups, oneOrList, toggle, users } from "./kinds.ts";
import type { Verb, VerbDescription } from "./verb.ts";
import { kebab, type Word, type Words } from "./word.ts";

/** The declaration of such a verb. */
export interface MembersDescription extends MembersSpec, Omit<VerbDescription, "operands" | "flags"> {
  /** Other flags for changes, with their parameters. */
  readonly sending?: Readonly<Record<string, { readonly word: Word; readonly param: string }>>;
  /** Flags for listing. */
  readonly listing?: Words;
}

const kinds: Record<"user" | "group", (doc: string) => Word<number[], TextInput[]>> = { user: users, group: groups };

const flagOf = (option: string, { onlyNegated }: Word): string => `--${onlyNegated ? "no-" : ""}${kebab(option)}`;

/** Makes a verb for the lists of a channel or group. */
export function members({ sending = {}, listing = {}, ...stated }: MembersDescription): Verb {
  const own = (["added", "removed", "whole"] as const).map((way) =>
    stated.lists.map(({ kind, holds, docs }) => [optionOf(kind.flags[way]), kinds[holds](docs[way])] as const),
  );
  // The three flags of a list are together in help.
  const flags = stated.lists.flatMap((_, list) => own.flatMap((all) => all.slice(list, list + 1)));
  return plans({
    ...stated,
    operands: { owners: oneOrList(stated.of) },
    preview: "diff",
    flags: {
      ...listing,
      ...Object.fromEntries(flags),
      ...Object.fromEntries(Object.entries(sending).map(([option, { word }]) => [option, word])),
      ifChanged: toggle("read first, and send only needed additions and removals"),
    },
    run: async () => {
      const { planOf } = await import("../run/members/plan.ts");
      return planOf(stated, {
        sending: Object.entries(sending).map(([option, { word, param }]) => ({
          option,
          param,
          flag: flagOf(option, word),
          sentIf: !word.onlyNegated,
        })),
        listing: Object.entries(listing).map(([option, word]) => ({ option, flag: flagOf(option, word) })),
      });
    },
  });
}

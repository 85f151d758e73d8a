/** The flags that choose messages. */
import type { NarrowTerm } from "../../api/messages.ts";
import { addressOf } from "../../api/users.ts";
import type { Values } from "../../cli/word.ts";
import { Usage } from "../../errors.ts";
import { type Narrow, operators, readNarrow, readNarrowJson } from "../../notation/narrow.ts";
import type { Context } from "../../run/context.ts";
import type { AnyOperation } from "../../wire/operation.ts";
import type { narrowFlags } from "./words.ts";

type Narrowing = Values<Record<never, never>, typeof narrowFlags>;

export interface Asked {
  narrow: Narrow;
  flag: string;
}

/** Returns the filter. Undefined without a flag. Throws `Usage` if it is invalid. */
export function narrowOf({ narrow, narrowJson }: Narrowing): Asked | undefined {
  if (narrow !== undefined && narrowJson !== undefined)
    throw new Usage("--narrow cannot be combined with --narrow-json");
  if (narrow !== undefined) return { narrow: readNarrow(narrow), flag: "--narrow" };
  if (narrowJson !== undefined) return { narrow: readNarrowJson(narrowJson), flag: "--narrow-json" };
  return undefined;
}

const hasAddress = ({ operator, operand }: NarrowTerm): boolean =>
  typeof operand === "string" && operand.includes("@") && /^(person|people)$/.test(operators[operator]?.operand ?? "");

/** Servers find people by the visible address: `user12@…` if the real one is hidden. */
async function withShownAddresses(find: Context["find"], terms: NarrowTerm[]): Promise<NarrowTerm[]> {
  if (!terms.some(hasAddress)) return terms;
  const shown = new Map((await find.everybody()).map((user) => [addressOf(user)?.toLowerCase(), user.email]));
  const each = (address: string) => shown.get(address.trim().toLowerCase()) ?? address;
  return terms.map((term) =>
    hasAddress(term) ? { ...term, operand: String(term.operand).split(",").map(each).join(",") } : term,
  );
}

/** Returns the filter as it is sent. Throws if the server does not support it. */
export async function termsFor(
  { server, find }: Context,
  operation: AnyOperation,
  { narrow, flag }: Asked,
): Promise<NarrowTerm[]> {
  if (narrow.needs.length)
    await (await server()).featureLevel.require(operation, (level) =>
      narrow.needs
        .filter((need) => level < need.level)
        .map(({ what, level: needs }) => ({ flag: `${flag}: ${what}`, needs })),
    );
  return withShownAddresses(find, narrow.terms(narrow.me ? await find.user("me", flag) : undefined));
}

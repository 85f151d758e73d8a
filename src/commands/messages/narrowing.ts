/** The filter of a command about messages. */
import type { NarrowTerm } from "../../api/messages.ts";
import { Usage } from "../../errors.ts";
import { type Narrow, readNarrow, readNarrowJson } from "../../notation/narrow.ts";
import type { Context } from "../../run/context.ts";
import type { AnyOperation } from "../../wire/operation.ts";

export interface NarrowFlags {
  narrow?: string;
  narrowJson?: string;
}

interface Asked {
  narrow: Narrow;
  flag: string;
}

/** Undefined where no flag gives one. Throws `Usage` for what is no filter. */
export function narrowOf({ narrow, narrowJson }: NarrowFlags): Asked | undefined {
  if (narrow !== undefined && narrowJson !== undefined)
    throw new Usage("--narrow and --narrow-json contradict each other");
  if (narrow !== undefined) return { narrow: readNarrow(narrow), flag: "--narrow" };
  if (narrowJson !== undefined) return { narrow: readNarrowJson(narrowJson), flag: "--narrow-json" };
  return undefined;
}

/** As it is sent. Refuses what the server does not know, before anything is looked up. */
export async function termsFor(
  { server, find }: Context,
  operation: AnyOperation,
  { narrow, flag }: Asked,
): Promise<NarrowTerm[]> {
  if (narrow.needs.length)
    await (await server()).insist(operation, (level) =>
      narrow.needs
        .filter((need) => level < need.level)
        .map(({ what, before, level: needs }) => ({
          flag: `${flag}: ${what}${before ? ` (${before} there)` : ""}`,
          needs,
        })),
    );
  return narrow.terms(narrow.me ? await find.user("me", flag) : undefined);
}

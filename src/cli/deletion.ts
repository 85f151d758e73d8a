/** What is said and asked before things are deleted that nobody can bring back. */
import type { Server } from "../client/server.ts";
import { Refused } from "../errors.ts";
import type { Context } from "../run/context.ts";

/** As many are told by what they hold; more would hide the question. */
const most = 5;

/** Longer texts are cut: the question is to be read, not the text. */
const longest = 60;

const brief = (text: string): string => {
  const signs = [...text.replace(/\s+/g, " ").trim()];
  return signs.length > longest ? `${signs.slice(0, longest - 1).join("")}…` : signs.join("");
};

/**
 * For a verb that deletes things by their ids. `tell` reads what each of them is: it is asked where the question will be,
 * and where the server refuses that the ids stand alone.
 */
export const deletion = (what: string, tell: (server: Server) => Promise<ReadonlyMap<number, string>>) => ({
  confirm: (ids: readonly number[]): string =>
    ids.length === 1 ? `This deletes ${what} ${ids[0]} for good` : `This deletes ${ids.length} ${what}s for good`,
  question: async ({ server }: Context, ids: readonly number[], otherwise: string): Promise<string> => {
    let known: ReadonlyMap<number, string>;
    try {
      known = await tell(await server());
    } catch (error) {
      if (error instanceof Refused) return otherwise;
      throw error;
    }
    const told = ids.slice(0, most).map((id) => `${id} (${known.has(id) ? brief(known.get(id)!) : "there is none"})`);
    if (ids.length === 1) return `This deletes ${what} ${told[0]} for good`;
    const more = ids.length > most ? ` and ${ids.length - most} more` : "";
    return `This deletes ${ids.length} ${what}s for good: ${told.join(", ")}${more}`;
  },
});

/** What is said and asked before things are deleted that nobody can bring back. */
import type { Server } from "../client/server.ts";
import type { Question } from "../question.ts";
import { questionAbout } from "./question.ts";

export const irreversible = "This cannot be undone.";

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
  confirm: (ids: readonly number[]): Question => ({
    question: ids.length === 1 ? `Delete ${what} ${ids[0]}` : `Delete ${ids.length} ${what}s`,
    consequence: irreversible,
  }),
  question: questionAbout<number>({
    async read(server) {
      const known = await tell(server);
      return (id) => `${id} (${known.has(id) ? brief(known.get(id)!) : "not found"})`;
    },
    one: (told) => `Delete ${what} ${told}`,
  }),
});

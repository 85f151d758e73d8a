/** Questions that say what the things are that a verb deletes. */
import type { Server } from "../client/server.ts";
import { firstOf } from "../counted.ts";
import { Refused } from "../errors.ts";
import type { Question } from "../question.ts";
import type { Context } from "../run/context.ts";

/** How many are described; more would hide the question. */
const most = 5;

interface Asked<T> {
  /** Reads what the things are, and gives what describes one of them. */
  read: (server: Server) => Promise<(thing: T) => string>;
  /** What is to be done with one of them. */
  one: (described: string) => string;
}

/** For `changesEach`: the question with what each thing is; `otherwise` where the server refuses to say that. */
export const questionAbout =
  <T>({ read, one }: Asked<T>) =>
  async ({ server }: Pick<Context, "server">, things: readonly T[], otherwise: Question): Promise<Question> => {
    let described: string[];
    try {
      described = things.map(await read(await server()));
    } catch (error) {
      if (error instanceof Refused) return otherwise;
      throw error;
    }
    if (described.length === 1) return { ...otherwise, question: described.map(one).join() };
    return { ...otherwise, consequence: `${firstOf(described, most)}. ${otherwise.consequence}` };
  };

export const irreversible = "This cannot be undone.";

/** For a verb that deletes things by their ids. `read` gives what they are; where the server refuses, ids stand alone. */
export const deletion = (
  what: string,
  read: (server: Server) => Promise<ReadonlyMap<number, string>>,
  { several = (count: number) => `${count} ${what}s`, missing = "not found" } = {},
) => ({
  confirm: (ids: readonly number[]): Question => ({
    question: `Delete ${ids.length === 1 ? `${what} ${ids[0]}` : several(ids.length)}`,
    consequence: irreversible,
  }),
  question: questionAbout<number>({
    async read(server) {
      const known = await read(server);
      return (id) => `${id} (${known.get(id) ?? missing})`;
    },
    one: (described) => `Delete ${what} ${described}`,
  }),
});

/** Longer texts are cut: the question is to be read, not the text. */
const longest = 60;

export const brief = (text: string): string => {
  const signs = [...text.replace(/\s+/g, " ").trim()];
  return signs.length > longest ? `${signs.slice(0, longest - 1).join("")}…` : signs.join("");
};

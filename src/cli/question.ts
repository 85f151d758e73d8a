/** Questions that describe what a verb deletes. */
import type { Server } from "../client/server.ts";
import { firstOf } from "../counted.ts";
import { Refused } from "../errors.ts";
import type { Question } from "../question.ts";
import type { Context } from "../run/context.ts";

/** The largest number of descriptions in a question. */
const most = 5;

interface Asked<T> {
  /** Reads all things, and returns a description for each. */
  read: (server: Server) => Promise<(thing: T) => string>;
  /** What happens to each. */
  one: (described: string) => string;
}

/** For `changesEach`: describes each thing. `otherwise`: the question if the server refuses the read. */
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

/** For verbs that delete things by id. If the server refuses the read, the question has ids. */
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

/** Cuts long texts. */
const longest = 60;

export const brief = (text: string): string => {
  const signs = [...text.replace(/\s+/g, " ").trim()];
  return signs.length > longest ? `${signs.slice(0, longest - 1).join("")}…` : signs.join("");
};

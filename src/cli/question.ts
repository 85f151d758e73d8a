/** Questions that tell what the things are which a person is asked about. */
import type { Server } from "../client/server.ts";
import { firstOf } from "../counted.ts";
import { Refused } from "../errors.ts";
import type { Question } from "../question.ts";
import type { Context } from "../run/context.ts";

/** As many are told by what they are; more would hide the question. */
const most = 5;

interface Asked<T> {
  /** Reads what the things are, and gives how one of them is told. */
  read: (server: Server) => Promise<(thing: T) => string>;
  /** What is to be done with one of them. */
  one: (told: string) => string;
}

/**
 * For `changesEach`: the sentence with what each thing is, read where it will be asked; `otherwise` where the server
 * refuses that.
 */
export const questionAbout =
  <T>({ read, one }: Asked<T>) =>
  async ({ server }: Pick<Context, "server">, things: readonly T[], otherwise: Question): Promise<Question> => {
    let tell: (thing: T) => string;
    try {
      tell = await read(await server());
    } catch (error) {
      if (error instanceof Refused) return otherwise;
      throw error;
    }
    const all = things.map(tell);
    if (all.length === 1) return { ...otherwise, question: one(all[0]!) };
    return { ...otherwise, consequence: `${firstOf(all, most)}. ${otherwise.consequence}` };
  };

export const irreversible = "This cannot be undone.";

/**
 * For a verb that deletes things by their ids. `read` tells what each of them is: it is asked where the question will be,
 * and where the server refuses that the ids stand alone.
 */
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

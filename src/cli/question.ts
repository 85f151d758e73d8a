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
    if (things.length === 1) return { ...otherwise, question: one(tell(things[0]!)) };
    return { ...otherwise, consequence: `${firstOf(things.map(tell), most)}. ${otherwise.consequence}` };
  };

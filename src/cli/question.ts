/** Questions that tell what the things are which a person is asked about. */
import type { Server } from "../client/server.ts";
import { firstOf } from "../counted.ts";
import { Refused } from "../errors.ts";
import type { Context } from "../run/context.ts";

/** As many are told by what they are; more would hide the question. */
const most = 5;

interface Asked<T> {
  /** Reads what the things are, and gives how one of them is told. */
  read: (server: Server) => Promise<(thing: T) => string>;
  one: (told: string) => string;
  several: (count: number, told: string) => string;
}

/**
 * For `changesEach`: the sentence with what each thing is, read where it will be asked; `otherwise` where the server
 * refuses that.
 */
export const questionAbout =
  <T>({ read, one, several }: Asked<T>) =>
  async ({ server }: Pick<Context, "server">, things: readonly T[], otherwise: string): Promise<string> => {
    let tell: (thing: T) => string;
    try {
      tell = await read(await server());
    } catch (error) {
      if (error instanceof Refused) return otherwise;
      throw error;
    }
    return things.length === 1 ? one(tell(things[0]!)) : several(things.length, firstOf(things.map(tell), most));
  };

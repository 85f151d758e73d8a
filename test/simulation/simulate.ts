/** `npm run simulate -- --seeds <n> [--from <seed>] [--seed <seed>]`: many stories, or one of them told at length. */
import { breach } from "./law.ts";
import { live } from "./life.ts";

export interface Failed {
  seed: number;
  breach: string;
}

/** One seed; undefined where nothing is wrong. */
export async function simulate(seed: number): Promise<Failed | undefined> {
  try {
    const found = breach(await live(seed));
    return found === undefined ? undefined : { seed, breach: found };
  } catch (error) {
    return { seed, breach: error instanceof Error ? (error.stack ?? error.message) : String(error) };
  }
}

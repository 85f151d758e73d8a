/** One story from its seed to the verdict on it. */
import { breach } from "./law.ts";
import { live } from "./life.ts";

export interface Failed {
  seed: number;
  breach: string;
}

/** Undefined where nothing is wrong. */
export async function simulate(seed: number): Promise<Failed | undefined> {
  try {
    const found = breach(await live(seed));
    return found === undefined ? undefined : { seed, breach: found };
  } catch (error) {
    return { seed, breach: error instanceof Error ? (error.stack ?? error.message) : String(error) };
  }
}

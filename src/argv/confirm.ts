import { Cancelled, Usage } from "../errors.ts";
import { sanitizeLine } from "../output/sanitize.ts";
import type { World } from "../world.ts";
import type { Flags } from "./flags.ts";

export const canAsk = ({ stdin, stderr }: Pick<World, "stdin" | "stderr">, { input }: Pick<Flags, "input">): boolean =>
  input && stdin.isTerminal && stderr.isTerminal;

interface Words {
  /** What else could be done where nobody can be asked. */
  hint?: string;
  /** What is said after a no. */
  declined?: string;
}

const unsent = "cancelled; nothing was sent";

/** Resolves where the person agrees or `--yes` did; throws `Usage` where nobody can be asked, `Cancelled` on no. */
export async function confirm(
  world: World,
  flags: Flags,
  statement: string,
  { hint, declined = unsent }: Words = {},
): Promise<void> {
  if (flags.yes) return;
  if (!canAsk(world, flags))
    throw new Usage(`${statement}; nobody can be asked here, so confirm it with --yes`, { hint });
  // It may hold names that the server gave.
  const yes = await world.prompts.confirm(sanitizeLine(`${statement}. Go on?`)).catch((error: Error) => {
    // A prompt that is broken off says what is so where nothing was sent yet.
    throw error instanceof Cancelled && declined !== unsent ? new Cancelled(declined, error.signal) : error;
  });
  if (!yes) throw new Cancelled(declined);
}

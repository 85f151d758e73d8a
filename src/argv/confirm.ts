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

/** Resolves where the person agrees or `--yes` did; throws `Usage` where nobody can be asked, `Cancelled` on no. */
export async function confirm(
  world: World,
  flags: Flags,
  statement: string,
  { hint, declined = "cancelled; nothing was sent" }: Words = {},
): Promise<void> {
  if (flags.yes) return;
  if (!canAsk(world, flags))
    throw new Usage(`${statement}; nobody can be asked here, so confirm it with --yes`, { hint });
  // It may hold names that the server gave.
  if (!(await world.prompts.confirm(sanitizeLine(`${statement}. Go on?`)))) throw new Cancelled(declined);
}

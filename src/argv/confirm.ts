import { type OrganizationName, type Question, questionText } from "../common/question.ts";
import { Cancelled, Usage } from "../errors.ts";
import { sanitizeLine } from "../output/sanitize.ts";
import type { World } from "../world/world.ts";
import type { Flags } from "./global-flags.ts";

type Terminals = Pick<World, "stdin" | "stderr">;

/** Returns why zulipctl cannot prompt. Undefined if it can. */
function whyNoPrompt({ stdin, stderr }: Terminals, { input }: Pick<Flags, "input">): string | undefined {
  if (!input) return "--no-input is given";
  if (!stdin.isTerminal) return "stdin is not a terminal";
  return stderr.isTerminal ? undefined : "stderr is not a terminal";
}

export const canPrompt = (terminals: Terminals, flags: Pick<Flags, "input">): boolean =>
  whyNoPrompt(terminals, flags) === undefined;

interface ConfirmOptions {
  /** An alternative if nobody can be asked. */
  hint?: string;
  /** The message after a no. */
  declined?: string;
}

const unsent = "canceled; nothing was sent";

/** Resolves after a yes or with `--yes`. Throws `Cancelled` after a no, and `Usage` if zulipctl cannot prompt. */
export const confirm = (
  world: World,
  flags: Flags,
  question: Question,
  place: OrganizationName,
  words: ConfirmOptions = {},
): Promise<void> => confirmText(world, flags, questionText(question, place), words);

/** Asks a question that already names the organizations. */
export async function confirmText(
  world: World,
  flags: Flags,
  text: string,
  { hint, declined = unsent }: ConfirmOptions = {},
): Promise<void> {
  if (flags.yes) return;
  const why = whyNoPrompt(world, flags);
  if (why !== undefined) throw new Usage(`confirmation required: ${why}. ${text} Pass --yes to confirm.`, { hint });
  // It may contain names from the server.
  const yes = await world.prompts.confirm(sanitizeLine(text)).catch((error: Error) => {
    // The prompt says that nothing was sent.
    throw error instanceof Cancelled && declined !== unsent ? new Cancelled(declined, error.signal) : error;
  });
  if (!yes) throw new Cancelled(declined);
}

/** How plans and `undo` end after they have read again what they changed. */
import { joinFirst } from "../../common/counted.ts";
import { saysVerified } from "../../engine/result-summary.ts";
import { type Failure, Partial } from "../../errors.ts";
import { programLine } from "../../output/line.ts";
import type { Context } from "../context.ts";

/** Ends a run that found all its changes. `now`: `everything is applied`. */
export async function endVerified(
  { note }: Pick<Context, "note">,
  failed: Failure | undefined,
  now: string,
): Promise<Failure | undefined> {
  if (!saysVerified(failed, now)) await note(programLine(`verified: ${now}`));
  return failed;
}

/** The server accepted changes that are not there. `state`: what they should be. */
export const notInEffect = (titles: readonly string[], state: "applied" | "back", hint?: string): Partial =>
  new Partial(`the server accepted these changes, but they are not ${state}: ${joinFirst(titles, 10)}`, {
    ...(hint !== undefined && { hint }),
  });

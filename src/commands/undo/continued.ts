/** An undo that was killed, or took back a part, and is continued. */
import { programLine } from "../../output/line.ts";
import type { Context } from "../../run/context.ts";
import type { Choice } from "../../undo/choose.ts";
import type { Item } from "../../undo/item.ts";

/** Returns whether the part that a killed undo meant has nothing to send: then the rest of the runs is meant. */
export const isPartDone = ({ continued }: Choice, items: readonly Item[]): boolean =>
  continued?.only !== undefined && items.every((item) => item.left);

/** Says which undo is continued, and how. `isRest`: with the rest of its runs. */
export async function noteContinued({ note }: Context, { title, continued }: Choice, isRest: boolean): Promise<void> {
  if (!continued) return;
  const { undo, isKilled } = continued;
  await note(
    isKilled && !isRest
      ? programLine(
          `the undo ${undo} of ${title} has changes without an answer or not sent: continuing it. To take back what it did: zulipctl undo ${undo}`,
        )
      : programLine(
          `the undo ${undo} took back a part of ${title}: taking back the rest. To bring its changes back: zulipctl undo ${undo}`,
        ),
  );
}

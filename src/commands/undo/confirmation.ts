/** What a person sees of an undo before it is sent: the plan, who gains and loses access, the question. */
import type { Server } from "../../client/server.ts";
import { counted } from "../../common/counted.ts";
import { firstEffects } from "../../effects/policy.ts";
import { Refused } from "../../errors.ts";
import { markCounts } from "../../organization/plan/lines.ts";
import { seesOnlyPart } from "../../organization/snapshot.ts";
import { write } from "../../output/buffered-writer.ts";
import { chalkFor, resultColorLevel } from "../../output/color.ts";
import { foldingFor } from "../../output/line.ts";
import type { Context } from "../../run/context.ts";
import { accessDifferences, concernsAccess } from "../../undo/access.ts";
import type { LoggedRun } from "../../undo/entries.ts";
import type { Item } from "../../undo/item.ts";
import type { Reading } from "../../undo/state.ts";
import { titleOf } from "../../undo/thing.ts";
import { undoText } from "./plan-text.ts";

/** Returns who gains and who loses permissions. */
async function accessText({ snapshot: read }: Reading, items: readonly Item[]): Promise<string[]> {
  const sent = items.filter(({ left }) => !left);
  if (!sent.some(concernsAccess)) return [];
  try {
    const [{ applyTo }, { accessChanges }, { accessSentences }] = await Promise.all([
      import("../../organization/prediction.ts"),
      import("../../permissions/access-changes.ts"),
      import("../org/render.ts"),
    ]);
    const snapshot = await read();
    if (seesOnlyPart(snapshot.organization))
      throw new Refused("only administrators and owners see the whole organization");
    const differences = accessDifferences(snapshot, sent);
    return await accessSentences(accessChanges(snapshot, applyTo(snapshot, differences), differences));
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    return [`It is not known who gains and who loses access: ${error.message}`];
  }
}

export async function printUndoPlan(
  context: Context,
  server: Server,
  { logged, reading, items }: { logged: LoggedRun; reading: Reading; items: readonly Item[] },
) {
  const { title, command, run, isSeveral } = logged;
  const { world, flags, names } = context;
  const output = world.stderr;
  const chalk = chalkFor(resultColorLevel(flags.color, output, world.env));
  const fold = await foldingFor(output);
  const access = await accessText(reading, items);
  const head = `${server.site} as ${server.email}: undo ${title}${isSeveral ? "" : `: ${command}`}`;
  const options = { chalk, fold, access, showCommand: `zulipctl log show ${run}` };
  await write(output, await undoText({ names, head }, items, options));
}

/** Asks, with the first destructive effects. */
export async function askToUndo(
  context: Context,
  server: Server,
  { sent, title, notes }: { sent: readonly Item[]; title: string; notes: string },
): Promise<void> {
  const marks = sent.map(({ effects = [] }) => ({
    destructive: effects.length,
    irreversible: effects.some(({ irreversible }) => irreversible),
  }));
  const effects = firstEffects(sent.map((item) => ({ title: titleOf(item), effects: item.effects })));
  const count = counted(sent.length, "change");
  await context.approve({
    changes: sent.length,
    question: {
      question: `Undo ${count}${markCounts(marks)} of ${title}`,
      consequence: [effects, notes].filter(Boolean).join(" ") || undefined,
    },
    organization: server,
  });
}

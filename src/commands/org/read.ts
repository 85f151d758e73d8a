/** The first leg of a plan: reads the files, and the server or a snapshot. */

import { Refused, Usage } from "../../errors.ts";
import { roles } from "../../model/person.ts";
import type { Document } from "../../organization/content.ts";
import { readsOf, takeSnapshot } from "../../organization/fetch-snapshot.ts";
import { callerRole, readSnapshot, type Snapshot } from "../../organization/snapshot.ts";
import type { Context } from "../../run/context.ts";
import { documentOf, sourcesOf } from "./files.ts";

/** What is compared: the desired state, and the current one. */
export interface Compared {
  readonly document: Document;
  readonly snapshot: Snapshot;
}

/** In bytes. The largest organizations need less than a hundredth of it. */
const largestSnapshot = 1024 ** 3 / 2;

/** Reads the snapshot that a flag names. */
export async function readSnapshotFile({ world }: Context, path: string, flag = "--from"): Promise<Snapshot> {
  const text = await world.files.read(path, largestSnapshot).catch((error: Error) => {
    throw new Usage(`${flag}: cannot read ${path}: ${error.message}`, { cause: error });
  });
  if (text === undefined) throw new Usage(`${flag}: file not found: ${path}`);
  return readSnapshot(text, path);
}

/** Throws `Refused` for a snapshot of an account that does not see everything. */
export function checkWhole(snapshot: Snapshot, from: string): void {
  if (callerRole(snapshot) > roles.administrator)
    throw new Refused(
      `${from} is what ${snapshot.email} sees: only administrators and owners see the whole organization`,
      {
        hint: "Take a snapshot as one of them.",
      },
    );
}

/** With `--dry-run`, shows the reads and ends the command. */
export async function showReads(context: Context, findings = false): Promise<void> {
  if (context.flags.dryRun) await context.showInstead(readsOf(await (await context.server()).level(), { findings }));
}

/** Takes a snapshot. `findings`: with the data that `permissions findings` needs. */
export const fetchSnapshot = async ({ command, server, world }: Context, findings = false): Promise<Snapshot> =>
  takeSnapshot(await server(), { command, now: world.clock.now(), findings });

/** Reads files, and the snapshot of `--from` or of the server. With `--dry-run`, shows the reads and ends the command. */
export async function read(
  context: Context,
  operands: readonly string[],
  from: string | undefined,
  readSaved: (context: Context, path: string, flag: string) => Promise<Snapshot> = readSnapshotFile,
): Promise<Compared> {
  const document = await documentOf(context, await sourcesOf(context, operands));
  if (from === undefined) {
    await showReads(context);
    return { document, snapshot: await fetchSnapshot(context) };
  }
  const snapshot = await readSaved(context, from, "--from");
  checkWhole(snapshot, from);
  return { document, snapshot };
}

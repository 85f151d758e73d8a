/** Waits for the file of an export, and downloads it. */
import { type DataExport, getExportFile, getExports } from "../../api/exports.ts";
import { Cancelled, Failure, Partial, Refused, signalOf, Unreachable } from "../../errors.ts";
import type { Changed } from "../../output/form.ts";
import { durationText } from "../../output/progress.ts";
import { timeText } from "../../output/when.ts";
import type { Context } from "../../run/context.ts";
import { type Destination, saveDownload } from "../../run/saving.ts";

/** How long to wait, in seconds. */
export const defaultWait = 3600;

export const onEarlierServer = "on the earlier server";

const listHint = { hint: "List them with: zulipctl export list" };

/** Throws `Refused` for an unknown id. */
export function exportOf(exports: readonly DataExport[], id: number): DataExport {
  const record = exports.find((each) => each.id === id);
  if (!record) throw new Refused(`export ${id} not found`, listHint);
  return record;
}

/** The link of an export that is not pending. Throws `Refused` without a link. */
function linkOf(record: DataExport): string {
  const { id, failed_timestamp, deleted_timestamp, export_url } = record;
  if (record.export_from_prior_server)
    throw new Refused(`export ${id} is ${onEarlierServer}: this server does not have its file`, listHint);
  if (failed_timestamp)
    throw new Refused(`export ${id} failed on the server (${timeText(failed_timestamp)})`, listHint);
  if (deleted_timestamp)
    throw new Refused(`the file of export ${id} was deleted (${timeText(deleted_timestamp)})`, listHint);
  if (!export_url) throw new Refused(`the server sent no link to the file of export ${id}`, listHint);
  return export_url;
}

/** Milliseconds between two reads, at first and at most. */
const firstPause = 2000;
const longestPause = 30_000;

/** Waits for an export. Throws `Unreachable` if it is not ready after so many seconds, and `Refused` if it has no file. */
export async function waitForExport(context: Context, id: number, seconds: number): Promise<DataExport> {
  const record = await waitUntilMade(context, id, seconds, `export ${id}`);
  linkOf(record);
  return record;
}

/**
 * The same for an export that this command has requested. That it was requested stays true if the server does not answer any
 * more, so this throws `Partial` then.
 */
export async function waitForRequested(context: Context, id: number, seconds: number): Promise<DataExport> {
  const record = await waitUntilMade(context, id, seconds, "it").catch((error) => {
    if (!(error instanceof Failure) || error instanceof Cancelled) throw error;
    const { hint = `Wait for it with: zulipctl export wait ${id}` } = error.details;
    throw new Partial(`export ${id} was requested, but ${error.message}`, { hint, cause: error });
  });
  linkOf(record);
  return record;
}

async function waitUntilMade(
  { server, waits, world }: Context,
  id: number,
  seconds: number,
  subject: string,
): Promise<DataExport> {
  const { clock, signals } = world;
  const from = await server();
  const until = clock.monotonic() + seconds * 1000;
  const hint = `The server continues. Wait again with: zulipctl export wait ${id}`;
  const wait = waits.begin();
  try {
    for (let pause = firstPause; ; pause = Math.min(pause * 1.5, longestPause)) {
      const record = exportOf((await from.call(getExports, {})).exports, id);
      if (!record.pending) return record;
      const left = until - clock.monotonic();
      if (left <= 0) throw new Unreachable(`${subject} is not ready after ${durationText(seconds)}`, { hint });
      wait.update({ what: `export ${id} is being made`, next: "giving up", until });
      await clock.sleep(Math.min(pause, left), signals.stop).catch(() => {
        throw new Cancelled("interrupted while waiting", signalOf(signals.stop.reason), { hint });
      });
    }
  } finally {
    wait.end();
  }
}

/** Downloads the file of an export. `name`: for a directory; by default that of the link. Undefined for stdout. */
export async function downloadTo(
  context: Context,
  record: DataExport,
  place: Destination,
  name?: string,
): Promise<Changed | undefined> {
  const export_url = linkOf(record);
  return saveDownload(context, place, {
    operation: getExportFile,
    args: { export_url },
    what: "Export",
    id: record.id,
    name: name ?? export_url.split(/[?#]/)[0]?.split("/").at(-1) ?? "",
  });
}

/** The same for an export that this command has requested: it was made, whether its file can be saved or not. */
export async function downloadRequested(...saving: Parameters<typeof downloadTo>): Promise<Changed | undefined> {
  const [, { id }] = saving;
  try {
    return await downloadTo(...saving);
  } catch (error) {
    if (!(error instanceof Failure) || error instanceof Cancelled) throw error;
    throw new Partial(`export ${id} is ready, but could not be saved: ${error.message}`, {
      hint: `Get it with: zulipctl export download ${id} --to <file>`,
      cause: error,
    });
  }
}

import { type DataExport, getExports } from "../../api/exports.ts";
import { Cancelled, signalOf, Unreachable } from "../../errors.ts";
import type { Changed, Result } from "../../output/form.ts";
import { inWords } from "../../output/rate.ts";
import type { Context } from "../../run/context.ts";
import { exportOf, linkOf } from "./state.ts";

export const defaultWait = 3600;

/** Milliseconds between two draws: at first, and at most. */
const first = 2000;
const last = 30_000;

const signs = ["|", "/", "-", "\\"];

/** The export once it is ready; throws `Unreachable` where that takes longer than so many seconds. */
export async function awaited({ server, waits, world }: Context, id: number, seconds: number): Promise<DataExport> {
  const { clock, signals } = world;
  const reading = await server();
  const begun = clock.monotonic();
  const until = begun + seconds * 1000;
  const hint = `The server continues. Wait again with: zulipctl export wait ${id}`;
  const waiting = waits.begin();
  let draws = 0;
  const drawn = () => {
    const now = clock.monotonic();
    const sign = signs[draws++ % signs.length];
    const [so, left] = [inWords((now - begun) / 1000), inWords(Math.max(0, until - now) / 1000)];
    return `zulipctl: ${sign} export ${id} is being made, ${so} so far; giving up in ${left}`;
  };
  try {
    for (let pause = first; ; pause = Math.min(pause * 1.5, last)) {
      const found = exportOf((await reading.call(getExports, {})).exports, id);
      if (!found.pending) {
        linkOf(found);
        return found;
      }
      const left = until - clock.monotonic();
      if (left <= 0) throw new Unreachable(`export ${id} is not ready after ${inWords(seconds)}`, { hint });
      waiting.now({ what: `export ${id} is being made`, next: "giving up", until, drawn });
      await clock.sleep(Math.min(pause, left), signals.stop).catch(() => {
        throw new Cancelled("interrupted while waiting", signalOf(signals.stop.reason), { hint });
      });
    }
  } finally {
    waiting.end();
  }
}

export const ready = (found: DataExport): Changed => ({
  kind: "change",
  sentence: `Export ${found.id} is ready: ${found.export_url}`,
  answer: found,
  ids: [found.id],
});

export async function wait(
  context: Context,
  { waitTimeout = defaultWait }: { waitTimeout?: number },
  id: number,
): Promise<Result> {
  // Under `--dry-run` the read is shown, and nothing waited for.
  if (context.flags.dryRun) await context.ask(getExports, {});
  return ready(await awaited(context, id, waitTimeout));
}

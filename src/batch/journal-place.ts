/** Where a run's journal lies, and what a run is called. */
import { join, resolve } from "node:path";
import { alreadyThere } from "../engine/journal.ts";
import { Usage } from "../errors.ts";
import type { World } from "../world.ts";

export interface JournalFlags {
  journal?: string;
  resume?: string;
}

export interface JournalPlace {
  run: string;
  path: string;
  /** What `--resume` takes to find it again. */
  again: string;
}

const ending = ".jsonl";
const isRun = (text: string): boolean => /^\d{4}-\d\d-\d\dT[\d-]{8}-[a-z0-9]{6}$/.test(text);

/** Runs begun later sort later, those of one second too: each goes beyond the marks of those before it. */
function newRun({ now, random }: Pick<World["clock"], "now" | "random">, taken: readonly string[] = []): string {
  const time = new Date(now()).toISOString().slice(0, 19).replaceAll(":", "-");
  const marks = taken
    .filter((run) => isRun(run) && run.startsWith(time))
    .map((run) => Number.parseInt(run.slice(-6), 36));
  const after = Math.max(-1, ...marks);
  // Two that begin at the same moment differ by chance; a thousandth of what is left leaves room for more.
  const mark = after + 1 + Math.floor((random() * (36 ** 6 - after - 2)) / 1000);
  return `${time}-${mark.toString(36).padStart(6, "0")}`;
}

export async function journalPlace(world: World, { journal, resume }: JournalFlags): Promise<JournalPlace> {
  const { files, places, clock } = world;
  const directory = join(places.state, "batch");
  const of = (run: string): JournalPlace => ({ run, path: join(directory, run + ending), again: run });
  const file = (path: string): JournalPlace => ({ run: newRun(clock), path, again: path });
  const runs = async () =>
    (await files.list(directory)).filter((name) => name.endsWith(ending)).map((name) => name.slice(0, -ending.length));
  if (resume === undefined) {
    if (journal === undefined) return of(newRun(clock, await runs()));
    // Found out before a person is asked anything.
    if (await exists(files, journal)) throw alreadyThere(journal);
    return file(journal);
  }
  if (resume !== "last") {
    const place = isRun(resume) ? of(resume) : file(resume);
    if (journal !== undefined && resolve(journal) !== resolve(place.path))
      throw new Usage(`--resume ${resume} and --journal ${journal} name two different journals`);
    return place;
  }
  if (journal !== undefined) return file(journal);
  const last = (await runs()).filter(isRun).sort().at(-1);
  if (last === undefined)
    throw new Usage("--resume last: there is no earlier run", { hint: "Start one without --resume." });
  return of(last);
}

async function exists(files: World["files"], path: string): Promise<boolean> {
  try {
    for await (const _ of files.stream(path)) return true;
    return true;
  } catch {
    return false;
  }
}

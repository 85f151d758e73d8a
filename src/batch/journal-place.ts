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

/** The marks alone say which run began later: each goes beyond all before it, while the clock may be set back. */
const markOf = (run: string): number => Number.parseInt(run.slice(-6), 36);

/** Two runs that begin at the same moment differ by chance; steps of this size leave room for a million runs. */
const step = 2000;

function newRun({ now, random }: Pick<World["clock"], "now" | "random">, taken: readonly string[] = []): string {
  const time = new Date(now()).toISOString().slice(0, 19).replaceAll(":", "-");
  const after = Math.max(-1, ...taken.filter(isRun).map(markOf));
  const mark = after + 1 + Math.floor(random() * step);
  return `${time}-${mark.toString(36).padStart(6, "0")}`;
}

/** `kind`: journals of one command are not found among those of another. */
export async function journalPlace(
  world: World,
  { journal, resume }: JournalFlags,
  kind = "batch",
): Promise<JournalPlace> {
  const { files, places, clock } = world;
  const directory = join(places.state, kind);
  const of = (run: string): JournalPlace => ({ run, path: join(directory, run + ending), again: run });
  const file = async (path: string): Promise<JournalPlace> => {
    const found = await files.identity(path);
    // What is written there is gone, or gone astray, and the next run would take that for a run without requests.
    if (found && !found.plain) throw new Usage(`${path} is no plain file: no journal can be kept there`);
    return { run: newRun(clock), path, again: path };
  };
  const runs = async () =>
    (await files.list(directory)).filter((name) => name.endsWith(ending)).map((name) => name.slice(0, -ending.length));
  if (resume === undefined) {
    if (journal === undefined) return of(newRun(clock, await runs()));
    const place = await file(journal);
    // Found out before a person is asked anything.
    if (await files.identity(journal)) throw alreadyThere(journal);
    return place;
  }
  if (resume !== "last") {
    const place = isRun(resume) ? of(resume) : await file(resume);
    if (journal !== undefined && resolve(journal) !== resolve(place.path))
      throw new Usage(`--resume ${resume} and --journal ${journal} name two different journals`);
    return place;
  }
  if (journal !== undefined) return file(journal);
  const last = (await runs())
    .filter(isRun)
    .reduce<string | undefined>(
      (latest, run) => (latest === undefined || markOf(run) > markOf(latest) ? run : latest),
      undefined,
    );
  if (last === undefined)
    throw new Usage("--resume last: there is no earlier run", { hint: "Start one without --resume." });
  return of(last);
}

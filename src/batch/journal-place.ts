/** Where a run's journal lies, and what a run is called. */
import { join, resolve } from "node:path";
import type { RunKind } from "../engine/journal.ts";
import { alreadyExists } from "../engine/run.ts";
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

/** By name, a run stands behind those that began earlier: milliseconds and chance follow the time. */
function newRun({ now, random }: Pick<World["clock"], "now" | "random">, taken: readonly string[] = []): string {
  const began = new Date(now()).toISOString();
  let mark = Number(began.slice(20, 23)) * 36 ** 4 + Math.floor(random() * 36 ** 4);
  const name = () => `${began.slice(0, 19).replaceAll(":", "-")}-${mark.toString(36).padStart(6, "0")}`;
  while (taken.includes(name())) mark++;
  return name();
}

/** Journals of one command are not found among those of another. */
const directoryOf = ({ places }: Pick<World, "places">, kind: RunKind): string =>
  join(places.state, kind === "batch" ? "batch" : "organization");

export const journalOf = (world: Pick<World, "places">, run: string, kind: RunKind = "batch"): string =>
  join(directoryOf(world, kind), run + ending);

/** The runs whose journals lie in the state directory, the oldest first. */
export async function runsOf(world: Pick<World, "places" | "files">, kind: RunKind = "batch"): Promise<string[]> {
  const names = (await world.files.list(directoryOf(world, kind))).filter((name) => name.endsWith(ending));
  return names
    .map((name) => name.slice(0, -ending.length))
    .filter(isRun)
    .sort();
}

/** The journal of a run: by its name, the last one's, or that in a file. `given` is what names it, for messages. */
export async function journalNamed(
  world: World,
  run: string,
  { given, hint, kind }: { given: string; hint?: string; kind?: RunKind | undefined },
): Promise<JournalPlace> {
  const { files, clock } = world;
  if (isRun(run)) return { run, path: journalOf(world, run, kind), again: run };
  if (run !== "last") return inFile({ files, clock }, run);
  const last = (await runsOf(world, kind)).at(-1);
  if (last === undefined) throw new Usage(`${given}: no earlier run found`, hint === undefined ? {} : { hint });
  return { run: last, path: journalOf(world, last, kind), again: last };
}

async function inFile({ files, clock }: Pick<World, "files" | "clock">, path: string): Promise<JournalPlace> {
  const found = await files.identity(path);
  // What is written there is gone, or gone astray, and the next run would take that for a run without requests.
  if (found && !found.plain) throw new Usage(`${path} is not a regular file: no journal can be kept there`);
  return { run: newRun(clock), path, again: path };
}

export async function journalPlace(
  world: World,
  { journal, resume }: JournalFlags,
  kind?: RunKind,
): Promise<JournalPlace> {
  const { files, clock } = world;
  if (resume === undefined) {
    if (journal === undefined) {
      const run = newRun(clock, await runsOf(world, kind));
      return { run, path: journalOf(world, run, kind), again: run };
    }
    const place = await inFile(world, journal);
    // Found out before a person is asked anything.
    if (await files.identity(journal)) throw alreadyExists(journal);
    return place;
  }
  if (resume === "last" && journal !== undefined) return inFile(world, journal);
  const place = await journalNamed(world, resume, {
    given: `--resume ${resume}`,
    hint: "Start a run without --resume.",
    kind,
  });
  if (journal !== undefined && resolve(journal) !== resolve(place.path))
    throw new Usage(`--resume ${resume} and --journal ${journal} are different journals`);
  return place;
}

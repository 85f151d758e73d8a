/** Finds the input of `audit`: a file, a folder, stdin, or the newest export of `audit fetch`. */

import { basename, join } from "node:path";
import { stdinBytes, unreadableMessage } from "../../argv/read-text.ts";
import type { ExportSource } from "../../audit/read-export.ts";
import { counted } from "../../common/counted.ts";
import { day } from "../../common/unit-sizes.ts";
import { Failure, Usage } from "../../errors.ts";
import { programLine } from "../../output/line.ts";
import { durationText } from "../../output/progress.ts";
import type { Context } from "../../run/context.ts";
import type { World } from "../../world/world.ts";

/** The number of exports kept for a site. */
const maxSaved = 2;

const pattern = /^(\d{4}-\d\d-\d\d)T(\d\d)-(\d\d)-(\d\d)Z(-\d+)?\.tar\.gz$/;

const directoryOf = ({ directories }: Pick<World, "directories">, site: string): string =>
  join(directories.state, "exports", encodeURIComponent(new URL(site).host));

/** Returns the path of an export made now. */
export function newPath({ directories, clock }: World, site: string, id: number): string {
  const time = new Date(clock.now()).toISOString().slice(0, 19).replaceAll(":", "-");
  return join(directoryOf({ directories }, site), `${time}Z-${id}.tar.gz`);
}

interface SavedExport {
  name: string;
  path: string;
  /** In milliseconds. */
  fetched: number;
}

/** The file with the name of the export that was fetched last. The clock may have been wrong, so names do not tell. */
const lastFile = ({ directories }: Pick<World, "directories">, site: string): string =>
  join(directories.state, "exports", `.last-${encodeURIComponent(new URL(site).host)}`);

/** Lists the exports of a site: the one fetched last, then the others by name, the newest first. */
export async function savedExports(world: Pick<World, "directories" | "files">, site: string): Promise<SavedExport[]> {
  const directory = directoryOf(world, site);
  const names = await world.files.list(directory);
  const last = (await world.files.read(lastFile(world, site)))?.trim();
  const saved = names
    .sort()
    .reverse()
    .flatMap((name) => {
      const [, date, hour, minute, second] = pattern.exec(name) ?? [];
      const fetched = Date.parse(`${date}T${hour}:${minute}:${second}Z`);
      return date === undefined ? [] : [{ name, path: join(directory, name), fetched }];
    });
  return [...saved.filter(({ name }) => name === last), ...saved.filter(({ name }) => name !== last)];
}

/** Makes this export the one that is read, and removes those that are too many. */
export async function keepExport(world: World, site: string, path: string): Promise<void> {
  await world.files.write(lastFile(world, site), `${basename(path)}\n`);
  for (const old of (await savedExports(world, site)).slice(maxSaved)) await world.files.remove(old.path);
}

/** Formats the time since then, in milliseconds. */
export function ageOf({ clock }: Pick<World, "clock">, then: number): string {
  const age = Math.max(0, clock.now() - then);
  const days = Math.floor(age / day);
  return days < 2 ? durationText(age / 1000) : counted(days, "day");
}

async function* readable({ files }: Pick<World, "files">, from: string): AsyncGenerator<Uint8Array> {
  try {
    yield* files.stream(from);
  } catch (error) {
    if (error instanceof Failure) throw error;
    throw new Usage(`--from: ${unreadableMessage(from, error)}`);
  }
}

/** Returns the export to read, and names it on stderr. Throws `Usage` if there is none. */
export async function sourceOf(context: Context, from: string | undefined): Promise<ExportSource> {
  const { world } = context;
  const onRead = (requested: number) =>
    context.note(programLine(`read ${from === "-" ? "stdin" : from}, requested ${ageOf(world, requested * 1000)} ago`));
  if (from === "-") return { name: "stdin", bytes: stdinBytes(world, "--from"), onRead };
  if (from !== undefined) {
    const kind = await world.files.kind(from);
    if (kind === undefined) throw new Usage(`--from: file not found: ${from}`);
    if (kind === "directory") return { name: from, folder: from, onRead };
    return { name: from, bytes: readable(world, from), onRead };
  }
  const { site } = await context.site();
  const [newest] = await savedExports(world, site);
  if (!newest)
    throw new Usage(`no export of ${new URL(site).host} has been fetched`, {
      hint: "Fetch one with: zulipctl audit fetch. Or name a file with --from.",
    });
  await context.note(programLine(`reading ${newest.name}, fetched ${ageOf(world, newest.fetched)} ago`));
  return { name: newest.path, bytes: world.files.stream(newest.path) };
}

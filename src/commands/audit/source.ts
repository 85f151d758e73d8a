/** Finds the input of `audit`: a file, a folder, stdin, or the newest export of `audit fetch`. */
import { join } from "node:path";
import { stdinBytes } from "../../argv/text.ts";
import type { Source } from "../../audit/export.ts";
import { counted } from "../../counted.ts";
import { Usage } from "../../errors.ts";
import { inWords } from "../../output/progress.ts";
import type { Context } from "../../run/context.ts";
import type { World } from "../../world.ts";

/** The number of exports kept for a site. */
export const kept = 2;

const ending = ".tar.gz";
const pattern = /^(\d{4}-\d\d-\d\d)T(\d\d)-(\d\d)-(\d\d)Z(-\d+)?\.tar\.gz$/;

export const directoryOf = ({ places }: Pick<World, "places">, site: string): string =>
  join(places.state, "exports", encodeURIComponent(new URL(site).host));

/** Returns the file name of an export made at this time, in milliseconds. */
export const nameOf = (now: number, id: number): string =>
  `${new Date(now).toISOString().slice(0, 19).replaceAll(":", "-")}Z-${id}${ending}`;

/** Returns from its name when an export was fetched, in milliseconds. */
export function fetchedAt(name: string): number | undefined {
  const [, date, hour, minute, second] = pattern.exec(name) ?? [];
  return date === undefined ? undefined : Date.parse(`${date}T${hour}:${minute}:${second}Z`);
}

/** Lists exports, the newest first. */
export async function keptOf(world: Pick<World, "places" | "files">, site: string): Promise<string[]> {
  const names = await world.files.list(directoryOf(world, site));
  return names
    .filter((name) => pattern.test(name))
    .sort()
    .reverse();
}

export function ageInWords(seconds: number): string {
  const days = Math.floor(seconds / 86_400);
  return days < 2 ? inWords(Math.max(0, seconds)) : counted(days, "day");
}

/** Returns the export to read, and names it on stderr. Throws `Usage` if there is none. */
export async function sourceOf(context: Context, from: string | undefined): Promise<Source> {
  const { world } = context;
  const age = (since: number) => ageInWords(world.clock.now() / 1000 - since);
  const onRead = (requested: number) =>
    context.note(`zulipctl: read ${from === "-" ? "stdin" : from}, requested ${age(requested)} ago`);
  if (from === "-") return { name: "stdin", bytes: stdinBytes(world, "--from"), onRead };
  if (from !== undefined) {
    const kind = await world.files.kind(from);
    if (kind === undefined) throw new Usage(`--from: file not found: ${from}`);
    if (kind === "directory") return { name: from, folder: from, onRead };
    return { name: from, bytes: world.files.stream(from), onRead };
  }
  const { site } = await context.site();
  const [newest] = await keptOf(world, site);
  if (newest === undefined)
    throw new Usage(`no export of ${new URL(site).host} has been fetched`, {
      hint: "Fetch one with: zulipctl audit fetch. Or name a file with --from.",
    });
  const path = join(directoryOf(world, site), newest);
  await context.note(`zulipctl: reading ${newest}, fetched ${age((fetchedAt(newest) ?? 0) / 1000)} ago`);
  return { name: path, bytes: world.files.stream(path) };
}

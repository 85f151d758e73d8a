/** The server's feature level: asked once, remembered per site for a day, asked again when a server surprises us. */
import type { World } from "../world.ts";

const day = 24 * 3600 * 1000;

interface Remembered {
  [site: string]: { level: number; at: number };
}

const path = (world: World) => `${world.places.cache}/levels.json`;

async function remembered(world: World): Promise<Remembered> {
  try {
    const found: unknown = JSON.parse((await world.files.read(path(world))) ?? "{}");
    return typeof found === "object" && found !== null ? (found as Remembered) : {};
  } catch {
    // A cache that cannot be read is no cache.
    return {};
  }
}

/** Undefined where the level is not known, or was asked more than a day ago. */
export async function recall(world: World, site: string): Promise<number | undefined> {
  const all = await remembered(world);
  const entry = Object.hasOwn(all, site) ? all[site] : undefined;
  const age = world.clock.now() - Number(entry?.at);
  return Number.isInteger(entry?.level) && age >= 0 && age < day ? entry!.level : undefined;
}

/** Remembers the level, or forgets it where it is undefined. A cache that cannot be written is done without. */
export async function remember(world: World, site: string, level: number | undefined): Promise<void> {
  const { [site]: _, ...others } = await remembered(world);
  const fresh = Object.entries(others).filter(([, { at }]) => world.clock.now() - at < day);
  const all = Object.fromEntries(fresh);
  if (level !== undefined) all[site] = { level, at: world.clock.now() };
  try {
    await world.files.write(path(world), `${JSON.stringify(all)}\n`);
  } catch {
    // An unwritable cache directory costs one request a run and nothing else.
  }
}

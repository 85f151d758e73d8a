/** The server's feature level: asked once, remembered per site for a day, asked again when a server surprises us. */
import { type Outcome, TooOld } from "../errors.ts";
import type { World } from "../world.ts";

/** The level that something needs, and the one that there is. */
export type Lacking = { needs: number; has: number };

/** The level of Zulip 10. On older servers there are the eleven operations alone. */
export const oldest = 371;

/** Throws `TooOld` for the level of a server that is older. */
export function requireOldest(level: number, host: string): void {
  if (level < oldest)
    throw new TooOld(`this command requires Zulip 10 (feature level ${oldest}) or newer; ${host} has level ${level}`, {
      more: { needs: oldest, has: level },
    });
}

/** `what` is too new for the server. */
export const tooOld = (what: string, host: string, { needs, has }: Lacking, outcome?: Outcome): TooOld =>
  new TooOld(`${what} requires feature level ${needs}; ${host} has level ${has}`, { outcome, more: { needs, has } });

const day = 24 * 3600 * 1000;

interface Entry {
  level: number;
  at: number;
}

const path = (world: World) => `${world.places.cache}/levels.json`;

const isEntry = (value: unknown): value is Entry => {
  const { level, at } = Object(value);
  return Number.isSafeInteger(level) && typeof at === "number";
};

async function remembered(world: World): Promise<Map<string, Entry>> {
  try {
    const found: unknown = JSON.parse((await world.files.read(path(world))) ?? "{}");
    const now = world.clock.now();
    const entries = Object.entries(found ?? {}).filter((entry): entry is [string, Entry] => isEntry(entry[1]));
    return new Map(entries.filter(([, { at }]) => now >= at && now - at < day));
  } catch {
    // A cache that cannot be read is no cache.
    return new Map();
  }
}

/** Undefined where the level is not known, or was asked more than a day ago. */
export async function rememberedLevel(world: World, site: string): Promise<number | undefined> {
  return (await remembered(world)).get(site)?.level;
}

export async function remember(world: World, site: string, level: number): Promise<void> {
  const all = (await remembered(world)).set(site, { level, at: world.clock.now() });
  try {
    await world.files.write(path(world), `${JSON.stringify(Object.fromEntries(all))}\n`);
  } catch {
    // An unwritable cache directory costs one request a run and nothing else.
  }
}

/** What one run knows of the level. */
export class Level {
  readonly #world: World;
  readonly #site: string;
  readonly #ask: () => Promise<number>;
  #known?: Promise<number>;
  #certain: boolean;

  /** `fixed` is taken instead of asking. */
  constructor(world: World, site: string, ask: () => Promise<number>, fixed?: number) {
    this.#world = world;
    this.#site = site;
    this.#ask = ask;
    this.#certain = fixed !== undefined;
    if (fixed !== undefined) this.#known = Promise.resolve(fixed);
  }

  known(): Promise<number> {
    return this.#keep(this.#known ?? rememberedLevel(this.#world, this.#site).then((level) => level ?? this.#asked()));
  }

  /** The first of what `gaps` finds to be missing at the server's level; a remembered one is asked again before that is said. */
  async missing<G>(gaps: (level: number) => G[]): Promise<{ gap: G; has: number } | undefined> {
    if (!gaps(await this.known()).length) return undefined;
    const has = await this.surprised();
    const [gap] = gaps(has);
    return gap && { gap, has };
  }

  /** Asked anew, unless that was done in this run or the level is fixed. */
  async surprised(): Promise<number> {
    await this.#known?.catch(() => undefined);
    return this.#certain ? this.known() : this.#keep(this.#asked());
  }

  /** A failure to learn it is not kept: the next request asks again. */
  #keep(level: Promise<number>): Promise<number> {
    this.#known = level;
    level.catch(() => {
      if (this.#known === level) this.#known = undefined;
    });
    return level;
  }

  async #asked(): Promise<number> {
    const level = await this.#ask();
    this.#certain = true;
    await remember(this.#world, this.#site, level);
    return level;
  }
}

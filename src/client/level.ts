/** The server's feature level. It is cached for a day, and read again before anything is refused because of it. */
import { type Failure, type Outcome, TooOld } from "../errors.ts";
import type { Call, Spelling } from "../wire/call.ts";
import { findGaps, flagsIn, type Gap, type TypedFlag } from "../wire/encode.ts";
import { type AnyOperation, isChange, isRead } from "../wire/operation.ts";
import type { World } from "../world.ts";

/** The level of Zulip 10. Older servers support only the eleven operations. */
export const oldest = 371;

/** Throws `TooOld` for an older server. */
export function requireOldest(level: number, host: string): void {
  if (level < oldest)
    throw new TooOld(`this command requires Zulip 10 (feature level ${oldest}) or newer; ${host} has level ${level}`, {
      more: { needs: oldest, has: level },
    });
}

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

async function cached(world: World): Promise<Map<string, Entry>> {
  try {
    const found: unknown = JSON.parse((await world.files.read(path(world))) ?? "{}");
    const now = world.clock.now();
    const entries = Object.entries(found ?? {}).filter((entry): entry is [string, Entry] => isEntry(entry[1]));
    return new Map(entries.filter(([, { at }]) => now >= at && now - at < day));
  } catch {
    // An unreadable cache counts as empty.
    return new Map();
  }
}

async function cache(world: World, site: string, level: number): Promise<void> {
  const all = (await cached(world)).set(site, { level, at: world.clock.now() });
  // An unwritable cache only costs one request in each run.
  await world.files.write(path(world), `${JSON.stringify(Object.fromEntries(all))}\n`).catch(() => undefined);
}

/** The level of a server in one run, and its checks. */
export class FeatureLevel {
  readonly #world: World;
  readonly #site: string;
  readonly #host: string;
  readonly #read: () => Promise<number>;
  #known?: Promise<number>;
  /** Known from the server, not from the cache. */
  #certain: boolean;

  /** `fixed`: used without asking. */
  constructor(world: World, site: string, read: () => Promise<number>, fixed?: number) {
    this.#world = world;
    this.#site = site;
    this.#host = new URL(site).host;
    this.#read = read;
    this.#certain = fixed !== undefined;
    if (fixed !== undefined) this.#known = Promise.resolve(fixed);
  }

  get(): Promise<number> {
    return this.#keep(this.#known ?? cached(this.#world).then((all) => all.get(this.#site)?.level ?? this.#fetch()));
  }

  /** Reads the level again, at most once in a run. */
  async refreshed(): Promise<number> {
    await this.#known?.catch(() => undefined);
    return this.#certain ? this.get() : this.#keep(this.#fetch());
  }

  /** Throws `TooOld` below Zulip 10. */
  async requireOldest(): Promise<void> {
    const level = await this.get().catch((error: Failure) => {
      // The command's own request explains a server with another answer.
      if (error.details?.httpStatus === undefined) throw error;
      return oldest;
    });
    if (level < oldest) requireOldest(await this.refreshed(), this.#host);
  }

  /** Throws `TooOld` for a call that the server does not support. */
  check(call: Call, spelled?: Spelling): Promise<void> {
    return this.checkTyped(call.operation, flagsIn(call, spelled), spelled);
  }

  /** Throws `TooOld` for typed flags, before names are looked up. */
  async checkTyped(operation: AnyOperation, typed: readonly TypedFlag[], spelled?: Spelling): Promise<void> {
    // Calls that every server supports do not need the level.
    // A server refuses an unknown read harmlessly. Asking first would double every list.
    const { params, since } = operation;
    if (findGaps({ params, since: isRead(operation) ? undefined : since }, typed, 0).length)
      await this.require(operation, (level) => findGaps(operation, typed, level), spelled);
  }

  /** Throws `TooOld` for what `gapsAt` finds. */
  async require(operation: AnyOperation, gapsAt: (level: number) => Gap[], spelled?: Spelling): Promise<void> {
    if (!gapsAt(await this.get()).length) return;
    const has = await this.refreshed();
    const [gap] = gapsAt(has);
    if (gap) throw this.tooOld(operation, gap, { has, spelled, outcome: "not_sent" });
  }

  tooOld(
    operation: AnyOperation,
    { flag, needs }: Gap,
    { has, spelled, outcome }: { has: number; spelled?: Spelling | undefined; outcome: Outcome },
  ): TooOld {
    const what = flag ?? spelled?.command ?? `${operation.method} ${operation.path}`;
    return new TooOld(`${what} requires feature level ${needs}; ${this.#host} has level ${has}`, {
      outcome: isChange(operation) ? outcome : undefined,
      more: { needs, has },
    });
  }

  /** A failure is not cached: the next request asks again. */
  #keep(level: Promise<number>): Promise<number> {
    this.#known = level;
    level.catch(() => {
      if (this.#known === level) this.#known = undefined;
    });
    return level;
  }

  async #fetch(): Promise<number> {
    const level = await this.#read();
    this.#certain = true;
    await cache(this.#world, this.#site, level);
    return level;
  }
}

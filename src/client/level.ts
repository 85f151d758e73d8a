/** The server's feature level. It is cached for a day, and read again before anything is refused because of it. */
import { day } from "../common/unit-sizes.ts";
import { type Failure, type Outcome, TooOld } from "../errors.ts";
import type { Call, Spelling } from "../wire/call.ts";
import { flagsIn, type TypedFlag, type UnsupportedPart, unsupportedParts } from "../wire/encode.ts";
import { fits } from "../wire/fits.ts";
import { type AnyOperation, isChange, isRead } from "../wire/operation.ts";
import { integer, number, object, record, type Value } from "../wire/types.ts";
import type { World } from "../world/world.ts";

/** The level of Zulip 10. Older servers support only the commands of the first version. */
export const minimumLevel = 371;

/** Throws `TooOld` for an older server. */
export function requireOldest(level: number, host: string): void {
  if (level < minimumLevel)
    throw new TooOld(
      `this command requires Zulip 10 (feature level ${minimumLevel}) or newer; ${host} has level ${level}`,
      {
        more: { needs: minimumLevel, has: level },
      },
    );
}

const path = (world: World) => `${world.directories.cache}/levels.json`;

const cacheFile = record(object({ level: integer, at: number }));

/** Returns the valid entries by site. An unreadable cache counts as empty. */
async function readCache(world: World): Promise<Value<typeof cacheFile>> {
  try {
    const entries: unknown = JSON.parse((await world.files.read(path(world))) ?? "");
    const now = world.clock.now();
    if (!fits(cacheFile)(entries)) return {};
    return Object.fromEntries(Object.entries(entries).filter(([, { at }]) => now >= at && now - at < day));
  } catch {
    return {};
  }
}

async function writeCache(world: World, site: string, level: number): Promise<void> {
  const entries = { ...(await readCache(world)), [site]: { level, at: world.clock.now() } };
  // An unwritable cache only costs one request in each run.
  await world.files.write(path(world), `${JSON.stringify(entries)}\n`).catch(() => undefined);
}

/** The level of a server in one run, and its checks. */
export class FeatureLevel {
  readonly #host: string;
  #level?: Promise<number>;
  /** Known from the server, not from the cache. */
  #isFresh: boolean;
  readonly #isFixed: boolean;
  /** The level of the server, if another is fixed. */
  #measured?: Promise<number>;

  /** `fixed`: used without asking. */
  constructor(
    private readonly world: World,
    private readonly site: string,
    private readonly read: () => Promise<number>,
    fixed?: number,
  ) {
    this.#host = new URL(site).host;
    this.#isFixed = fixed !== undefined;
    this.#isFresh = this.#isFixed;
    if (fixed !== undefined) this.#level = Promise.resolve(fixed);
  }

  get(): Promise<number> {
    return this.#keep(this.#level ?? readCache(this.world).then((all) => all[this.site]?.level ?? this.#fetch()));
  }

  /** Reads the level again, at most once in a run. */
  async refresh(): Promise<number> {
    await this.#level?.catch(() => undefined);
    return this.#isFresh ? this.get() : this.#keep(this.#fetch());
  }

  /** Notes the level in an answer, which may be newer than the cache: the server may have been upgraded since. */
  async learn({ zulip_feature_level: level }: Readonly<Record<string, unknown>>): Promise<void> {
    if (this.#isFresh || typeof level !== "number") return;
    this.#isFresh = true;
    this.#level = Promise.resolve(level);
    const cached = (await readCache(this.world))[this.site];
    if (cached && cached.level !== level) await writeCache(this.world, this.site, level);
  }

  /** Asks the server, even if the level is fixed. */
  #measure(): Promise<number> {
    if (!this.#isFixed) return this.refresh();
    this.#measured ??= this.read();
    return this.#measured;
  }

  /** Throws `TooOld` below Zulip 10. */
  async requireOldest(): Promise<void> {
    const level = await this.get().catch((error: Failure) => {
      // The command's own request explains a server with another answer.
      if (error.details?.httpStatus === undefined) throw error;
      return minimumLevel;
    });
    if (level < minimumLevel) requireOldest(await this.refresh(), this.#host);
  }

  /** Throws `TooOld` for a call that the server does not support. */
  check(call: Call, spelled?: Spelling): Promise<void> {
    return this.checkFlags(call.operation, flagsIn(call, spelled), spelled);
  }

  /** Throws `TooOld` for typed flags, before names are looked up. */
  async checkFlags(operation: AnyOperation, typed: readonly TypedFlag[], spelled?: Spelling): Promise<void> {
    // Calls that every server supports do not need the level.
    // A server refuses an unknown read harmlessly. Asking first would double every list.
    const { params, since } = operation;
    if (!unsupportedParts({ params, since: isRead(operation) ? undefined : since }, typed, 0).length) return;
    const harmful = typed.filter(({ param }) => params[param]?.harmfulBelow);
    if (harmful.length) {
      const has = await this.#measure();
      const [unsupported] = unsupportedParts({ params }, harmful, has);
      if (unsupported) throw this.tooOld(operation, unsupported, { has, spelled, outcome: "not_sent" });
    }
    await this.require(operation, (level) => unsupportedParts(operation, typed, level), spelled);
  }

  /** Throws `TooOld` for what `unsupportedAt` finds. */
  async require(
    operation: AnyOperation,
    unsupportedAt: (level: number) => UnsupportedPart[],
    spelled?: Spelling,
  ): Promise<void> {
    if (!unsupportedAt(await this.get()).length) return;
    const has = await this.refresh();
    const [unsupported] = unsupportedAt(has);
    if (unsupported) throw this.tooOld(operation, unsupported, { has, spelled, outcome: "not_sent" });
  }

  tooOld(
    operation: AnyOperation,
    { flag, needs }: UnsupportedPart,
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
    this.#level = level;
    level.catch(() => {
      if (this.#level === level) this.#level = undefined;
    });
    return level;
  }

  async #fetch(): Promise<number> {
    const level = await this.read();
    this.#isFresh = true;
    await writeCache(this.world, this.site, level);
    return level;
  }
}

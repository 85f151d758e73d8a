/** A run with a journal: taken up where an earlier one ended, and by one process at a time. */
import { asError, Cancelled, Interrupted, Usage } from "../errors.ts";
import type { Lock, World } from "../world.ts";
import { Engine, type Options } from "./engine.ts";
import { type Counts, type Entry, elsewhere, FileJournal, type Header, type JournalKind } from "./journal.ts";
import type { JournalReplay } from "./journal-replay.ts";
import { replayJournal } from "./read-journal.ts";
import type { ChangeRow } from "./task.ts";
import type { Transport } from "./transport.ts";

type RunOptions = Omit<Options, "clock" | "signals" | "journal" | "earlier">;

async function locked(
  { files, signals }: Pick<World, "files" | "signals">,
  path: string,
  taken: string,
): Promise<Lock> {
  const lock = await files.lock(path, 0, signals.stop).catch((cause) => {
    if (cause instanceof Interrupted) throw new Cancelled("interrupted", cause.signal, { outcome: "not_sent" });
    throw new Usage(`cannot lock ${path}: ${asError(cause).message}`, { cause, hint: elsewhere });
  });
  if (!lock) throw new Usage(taken, { hint: "Wait until that run ends, or stop it.", outcome: "not_sent" });
  return lock;
}

export class Run {
  readonly path: string;
  /** What the journal says; undefined for a new run. */
  readonly earlier: JournalReplay | undefined;
  readonly #world: Pick<World, "files" | "clock" | "signals">;
  readonly #lock: Lock;
  readonly #alone: Lock | undefined;
  #journal: FileJournal | undefined;

  private constructor(
    world: Pick<World, "files" | "clock" | "signals">,
    path: string,
    lock: Lock,
    earlier: JournalReplay | undefined,
    alone: Lock | undefined,
  ) {
    this.#alone = alone;
    this.#world = world;
    this.path = path;
    this.#lock = lock;
    this.earlier = earlier;
  }

  /**
   * Takes the journal for this process, and reads it where it is resumed. `alone` is a path that one run at a time may
   * lock besides.
   */
  static async open(
    world: Pick<World, "files" | "clock" | "signals">,
    path: string,
    resume: boolean,
    kind?: JournalKind,
    alone?: string,
  ): Promise<Run> {
    const lock = await locked(world, path, `another run is using the journal ${path}`);
    let held: Lock | undefined;
    try {
      if (alone !== undefined) held = await locked(world, alone, `another ${kind} of this account is running`);
      return new Run(world, path, lock, resume ? await replayJournal(world.files, path, kind) : undefined, held);
    } catch (failure) {
      await held?.release();
      await lock.release();
      throw failure;
    }
  }

  /** Throws `Usage` where the journal is that of another input or account. */
  check(header: Header): void {
    const known = this.earlier?.header;
    if (!known) return;
    const same = (["site", "account", "input", "words", "rows"] as const).find((name) => known[name] !== header[name]);
    if (!same) return;
    const what = { site: "site", account: "account", input: "input", words: "command", rows: "input" }[same];
    throw new Usage(`the journal ${this.path} belongs to another ${what}`, {
      hint: "Pass the same file and command as the first time, or start a new run without --resume.",
    });
  }

  /**
   * Everything is examined and confirmed: the journal is written from now on. `names` are what names mean in this run.
   */
  async begin<R extends ChangeRow>(
    header: Header,
    names: readonly Entry[],
    rows: Iterable<ChangeRow>,
    transport: Transport,
    options: RunOptions,
  ): Promise<Engine<R>> {
    this.check(header);
    const { files, clock, signals } = this.#world;
    const { earlier } = this;
    const place = { path: this.path, lock: this.#lock };
    if (earlier) {
      const first = earlier.header ? { resumed: header.began } : header;
      this.#journal = await FileJournal.resume(files, place, earlier, [first, ...names]);
    } else this.#journal = await FileJournal.start(files, place, header, names);
    return new Engine<R>(transport, {
      ...options,
      clock,
      signals,
      journal: this.#journal,
      earlier: this.recalled(rows),
    });
  }

  /** What an engine needs to know of the earlier run; undefined for a new one. */
  recalled(rows: Iterable<ChangeRow>): Options["earlier"] {
    return this.earlier && { replay: this.earlier, lost: this.earlier.lost(rows) };
  }

  /** Every row has been told: whoever looks at the journal later need not work it out. */
  async ended(counts: Counts): Promise<void> {
    await this.#journal?.write({ ended: new Date(this.#world.clock.now()).toISOString(), counts });
  }

  async close(): Promise<void> {
    await this.#journal?.close();
    await this.#lock.release();
    await this.#alone?.release();
  }
}

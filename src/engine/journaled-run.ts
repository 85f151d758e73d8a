/** A run with a journal. It can be resumed, by one process at a time. */
import { asError, Cancelled, Interrupted, systemErrorCode, Usage } from "../errors.ts";
import { maskUrlsIn } from "../notation/url-secrets.ts";
import { jsonText } from "../output/sanitize.ts";
import type { Lock, World } from "../world/world.ts";
import type { Log } from "../world/writing.ts";
import { Engine } from "./engine.ts";
import type { EngineOptions } from "./engine-options.ts";
import {
  alreadyExists,
  type Header,
  type Journal,
  type JournalEntry,
  type JournalFile,
  type RowCounts,
  type RunInput,
  sentEntry,
} from "./journal.ts";
import { type JournalReplay, replayJournal } from "./journal-replay.ts";
import type { ChangeRow, Request, TaskKey } from "./task.ts";
import type { Transport } from "./transport.ts";

/** No secrets of URLs. A resumed run needs the names and arguments of its rows as they were. */
const kept = (entry: JournalEntry | Header): unknown =>
  "found" in entry || "name" in entry ? entry : maskUrlsIn(entry);

export type RunOptions = Omit<EngineOptions, "clock" | "signals" | "journal" | "replay">;
type RunWorld = Pick<World, "files" | "clock" | "signals">;

/** Undo has no flag for it. */
const elsewhere = ({ kind }: JournalFile): string =>
  `ZULIPCTL_STATE_DIR names another directory for journals${kind === "undo" ? "" : ", --journal <file> another file for this one"}.`;

const unwritable = (file: JournalFile, cause: unknown): Usage =>
  new Usage(`cannot write the journal ${file.path}: ${asError(cause).message}`, {
    cause,
    hint: elsewhere(file),
    outcome: "not_sent",
  });

async function locked({ files, signals }: RunWorld, path: string, taken: string, file: JournalFile): Promise<Lock> {
  const lock = await files.lock(path, 0, signals.stop).catch((cause) => {
    if (cause instanceof Interrupted) throw new Cancelled("interrupted", cause.signal, { outcome: "not_sent" });
    throw new Usage(`cannot lock ${path}: ${asError(cause).message}`, { cause, hint: elsewhere(file) });
  });
  if (!lock) throw new Usage(taken, { hint: "Wait until that run ends, or stop it.", outcome: "not_sent" });
  return lock;
}

export class JournaledRun implements Journal {
  /** Who reads its results closes it. */
  hasBegun = false;
  #log: Log | undefined;
  #last: number;
  #unwritable: Usage | undefined;

  private constructor(
    private readonly world: RunWorld,
    readonly journalFile: JournalFile,
    /** The one of the journal first. */
    private readonly locks: readonly Lock[],
    /** The content of the journal. Undefined for a new run. */
    readonly replay: JournalReplay | undefined,
  ) {
    this.#last = replay?.lastNumber ?? 0;
  }

  /** Locks the journal, and reads it for a resumed run. `alsoLock`: another path. */
  static async open(
    world: RunWorld,
    journalFile: JournalFile,
    resume: boolean,
    alsoLock?: string,
  ): Promise<JournaledRun> {
    const { path, kind } = journalFile;
    const another = "another zulipctl org apply, users offboard or undo of this account is running";
    const locks: Lock[] = [];
    try {
      locks.push(await locked(world, path, `another run is using the journal ${path}`, journalFile));
      if (alsoLock !== undefined) locks.push(await locked(world, alsoLock, another, journalFile));
      return new JournaledRun(
        world,
        journalFile,
        locks,
        resume ? await replayJournal(world.files, path, kind) : undefined,
      );
    } catch (failure) {
      for (const lock of locks) await lock.release();
      throw failure;
    }
  }

  /** The run that began the journal: its path may have been used before. */
  get name(): string {
    return this.replay?.header?.run ?? this.journalFile.run;
  }

  /** Throws `Usage` if the journal belongs to another input or account. */
  checkInput(input: RunInput): void {
    const known = this.replay?.header;
    if (!known) return;
    const other = (["site", "account", "input", "words", "rows"] as const).find((name) => known[name] !== input[name]);
    if (!other) return;
    const what = { site: "site", account: "account", input: "input", words: "command", rows: "input" }[other];
    throw new Usage(`the journal ${this.journalFile.path} belongs to another ${what}`, {
      hint:
        this.journalFile.kind === "batch"
          ? "Pass the same file and command as the first time. To send corrected rows, run the file that --failed wrote, without --resume."
          : "Pass the same file and command as the first time, or start a new run without --resume.",
    });
  }

  /**
   * Opens the journal after confirmation. `names`: the ids that names stand for in this run. `prepare`: called once the
   * journal can be written. If it fails, the run does not begin.
   */
  async begin<R extends ChangeRow>(
    input: RunInput,
    names: readonly JournalEntry[],
    transport: Transport,
    options: RunOptions,
    prepare?: () => Promise<void>,
  ): Promise<Engine<R>> {
    this.checkInput(input);
    this.checkHeld();
    const { files, clock, signals } = this.world;
    const { replay } = this;
    const { path, kind, run } = this.journalFile;
    const began = this.#now();
    this.#log = await files
      .append(path, replay ? { truncateTo: replay.length } : { exclusive: true })
      .catch((error) => {
        throw systemErrorCode(error) === "EEXIST"
          ? alreadyExists(this.journalFile)
          : unwritable(this.journalFile, error);
      });
    // A crash can leave a journal without a first line.
    const header: Header = { journal: `zulipctl ${kind}`, version: 1, run, ...input, began };
    try {
      await this.#write([replay?.header ? { resumed: began } : header, ...names]);
      await prepare?.();
    } catch (error) {
      // A new journal that says nothing would only be in the way of the next run.
      if (!replay && this.locks[0]?.isHeld()) await files.remove(path);
      throw error;
    }
    this.hasBegun = true;
    return new Engine<R>(transport, { ...options, clock, signals, journal: this, replay });
  }

  /** An earlier process knows the result, and nothing is left to do. */
  isFinished(key: TaskKey): boolean {
    const outcome = this.replay?.resultOf(key)?.outcome;
    return outcome === "done" || outcome === "refused";
  }

  checkHeld(): void {
    if (this.locks[0]?.isHeld()) return;
    throw new Usage(
      `the journal ${this.journalFile.path} is no longer this run's: its lock was taken by another run, or removed`,
      {
        hint: "Its journal has everything that this run sent.",
        outcome: "not_sent",
      },
    );
  }

  async writeSent(request: Request, from?: Readonly<Record<string, unknown>>): Promise<number> {
    await this.#write([sentEntry(++this.#last, request, from)]);
    return this.#last;
  }

  async write(entry: JournalEntry): Promise<void> {
    await this.#write([entry]);
  }

  async #write(entries: readonly (JournalEntry | Header)[]): Promise<void> {
    this.checkHeld();
    // After a failed sync the system may drop the data and report the next sync as done.
    if (this.#unwritable) throw this.#unwritable;
    try {
      await this.#log?.append(entries.map((entry) => `${jsonText(kept(entry))}\n`).join(""));
      await this.#log?.sync();
    } catch (error) {
      this.#unwritable = unwritable(this.journalFile, error);
      throw this.#unwritable;
    }
  }

  /** Records that all rows were reported, so that a reader need not count. */
  async ended(counts: RowCounts): Promise<void> {
    await this.write({ ended: this.#now(), counts });
  }

  /** Records that a later run made the rest of the changes. */
  async endedLater(counts: RowCounts): Promise<void> {
    const { journalFile, replay, world } = this;
    this.#log = await world.files.append(journalFile.path, { truncateTo: replay?.length }).catch((error) => {
      throw unwritable(journalFile, error);
    });
    await this.ended(counts);
  }

  #now(): string {
    return new Date(this.world.clock.now()).toISOString();
  }

  async close(): Promise<void> {
    await this.#log?.close();
    for (const lock of this.locks) await lock.release();
  }
}

/**
 * The runs of this machine, also those that changed nothing. A run is a command that was started to change something. Its
 * record is a line when it begins, and more lines with what is known later.
 */
import { MiB } from "../common/unit-sizes.ts";
import { Usage } from "../errors.ts";
import { jsonText } from "../output/sanitize.ts";
import type { World } from "../world/world.ts";
import { type RollingLog, rollingLogNames } from "../world/writing.ts";
import { type LogEntry, logPath, logSize } from "./change-log.ts";
import { maskedLine } from "./masking.ts";

export interface RunRecord {
  /** The day and a number: unique in a state directory. */
  readonly run: string;
  /** ISO 8601, UTC. */
  readonly began?: string | undefined;
  /** The first words of its command line, with masked secrets. */
  readonly command?: string | undefined;
  /** What the caller calls several runs. */
  readonly job?: string | undefined;
  readonly process?: string | undefined;
  readonly isUndo?: boolean | undefined;
  /** It was started to read: it is no run. */
  readonly isRead?: boolean | undefined;
  /** The configuration turns the log off. */
  readonly unlogged?: boolean | undefined;
  readonly site?: string | undefined;
  readonly account?: string | undefined;
  /** The run that began the journal, and the path of the journal. */
  readonly journal?: string | undefined;
  readonly path?: string | undefined;
  /** The runs that an undo takes back, and the targets of `--only`. */
  readonly undoes?: readonly string[] | undefined;
  readonly only?: readonly string[] | undefined;
  /** An undo left something alone that somebody else had changed: a later undo may take it back. */
  readonly hasConflicts?: boolean | undefined;
  /** A run before it could not be kept, as on a full disk. */
  readonly followsUnkept?: boolean | undefined;
  /** It began to send changes. */
  readonly sends?: boolean | undefined;
  /** The last change that was sent, as the log has it if no answer comes. Only runs that were killed have it. */
  readonly open?: LogEntry | undefined;
  readonly ended?: string | undefined;
  /** The number of lines that belong into the log, and of changes that were not refused. */
  readonly lines?: number | undefined;
  readonly changes?: number | undefined;
  /** By the number of a line, the ids of what it made. */
  readonly made?: Readonly<Record<string, readonly unknown[]>> | undefined;
}

export const runsPath = (state: string): string => `${state}/runs.ndjson`;
export const runsSize = { maxBytes: 2 * MiB, olderFiles: 2 };

/** The changes that runs without a journal send, each before it is sent. */
export const sendingPath = (state: string): string => `${state}/sending.ndjson`;
export const sendingSize = { maxBytes: MiB, olderFiles: 1 };

/** A run keeps so many of its changes, and none that is longer: those of other runs need the space. */
const mostOpen = 20;
const largestOpen = 16_384;

/** How long to wait for another process that begins a run, in milliseconds. */
const lockWait = 5000;

type RunWorld = Pick<World, "clock" | "files" | "directories" | "processes">;

const runName = /^(\d{8})-(\d{1,9})$/;

export const isRunName = (text: string): boolean => runName.test(text);

/** Compares names of runs by their order. */
export function compareRuns(one: string, other: string): number {
  const [, day = "", count] = runName.exec(one) ?? [];
  const [, otherDay = "", otherCount] = runName.exec(other) ?? [];
  return day === otherDay ? Number(count) - Number(otherCount) : day < otherDay ? -1 : 1;
}

/** Finds the last run in the newest part of the runs, or of the log if there are none. */
async function lastKnown({ files, directories }: RunWorld): Promise<string | undefined> {
  const { state } = directories;
  for (const [path, { olderFiles }] of [
    [runsPath(state), runsSize],
    [logPath(state), logSize],
  ] as const)
    for (const each of rollingLogNames(path, olderFiles)) {
      if ((await files.kind(each)) === undefined) continue;
      const found: string[] = [];
      for await (const part of files.streamFromEnd(each)) {
        const names = Buffer.from(part)
          .toString("utf8")
          .matchAll(/"run":"(\d{8}-\d{1,9})"/g);
        for (const [, name = ""] of names) found.push(name);
        break;
      }
      if (found.length) return found.sort(compareRuns).at(-1);
    }
  return undefined;
}

/** The newest name. Without this file, the last run could not be kept: a file can be removed on a full disk, too. */
const lastRunPath = ({ directories }: Pick<RunWorld, "directories">): string => `${directories.state}/last-run`;

/** Returns whether the last run of this machine could not be kept. */
export async function isLastUnkept(world: Pick<RunWorld, "directories" | "files">): Promise<boolean> {
  return (await world.files.kind(lastRunPath(world))) === undefined;
}

/** Keeps that a run cannot be kept, or what is needed of it. Never throws. */
export const markUnkept = (world: RunWorld): Promise<void> =>
  world.files.remove(lastRunPath(world)).catch(() => undefined);

/** Names the next run of this machine: `20261127-1`. Names never go back, even if the clock does. */
async function takeName(world: RunWorld): Promise<Pick<RunRecord, "run" | "followsUnkept">> {
  const { clock, files } = world;
  const path = lastRunPath(world);
  const lock = await files.lock(path, lockWait);
  try {
    // A file that is older than the logs, or damaged, gives no name twice.
    const kept = await files.read(path);
    const logged = await lastKnown(world);
    const known = [kept?.trim() ?? "", logged ?? ""].filter(isRunName);
    const last = known.sort(compareRuns).at(-1) ?? "";
    const [, day = "", count = "0"] = runName.exec(last) ?? [];
    const today = dayOf(clock.now());
    const run = day >= today ? `${day}-${Number(count) + 1}` : `${today}-1`;
    await files.write(path, `${run}\n`);
    return { run, ...(kept === undefined && logged !== undefined && { followsUnkept: true }) };
  } finally {
    await lock?.release();
  }
}

const dayOf = (time: number): string => new Date(time).toISOString().slice(0, 10).replaceAll("-", "");

/** By process, the run that began last. */
const lastRuns = new WeakMap<RunWorld["files"], Promise<unknown>>();

/** Runs of one process, as in `each`, wait for each other. A lock that another one holds is tried again only after 50 ms. */
function nextName(world: RunWorld): ReturnType<typeof takeName> {
  const run = Promise.resolve(lastRuns.get(world.files)).then(() => takeName(world));
  lastRuns.set(
    world.files,
    run.catch(() => undefined),
  );
  return run;
}

/** The largest number of words of a command that a record keeps: the noun, the verb and an operand. */
const mostWords = 3;

/** Operands can be long, and the secrets of a command are not known when it begins. */
function commandWords(argv: readonly string[]): string {
  const first = argv.findIndex((word) => !word.startsWith("-"));
  const words = argv.slice(Math.max(0, first)).slice(0, mostWords);
  return `${maskedLine(words, [], 100).replace(/^zulipctl ?/, "")}${argv.length > words.length ? " …" : ""}`;
}

const jobForm = /^[A-Za-z0-9._-]{1,64}$/;

/** Returns the name of a job. Throws `Usage` for an invalid one. */
export function jobName(text: string, from: string): string {
  if (!jobForm.test(text))
    throw new Usage(`${from}: invalid job "${text}": must be 1 to 64 letters, digits, and . _ -`, {
      outcome: "not_sent",
    });
  return text;
}

/** Returns the job of a run. */
export function jobOf({ env }: Pick<World, "env">, flag: string | undefined): string | undefined {
  if (flag !== undefined) return jobName(flag, "--job");
  const value = env.ZULIPCTL_JOB ?? "";
  return value === "" ? undefined : jobName(value, "ZULIPCTL_JOB");
}

type BegunRun = Pick<RunRecord, "job" | "isUndo" | "unlogged"> & { readonly argv: readonly string[] };

export class RunBook {
  private constructor(
    private readonly file: RollingLog,
    private readonly sending: RollingLog,
    readonly name: string,
  ) {}

  /** Begins a run. Throws if it cannot be written. */
  static async begin(world: RunWorld, about: BegunRun): Promise<RunBook> {
    try {
      return await RunBook.#begun(world, about);
    } catch (error) {
      // An undo sends nothing without its journal.
      if (!about.isUndo) await markUnkept(world);
      throw error;
    }
  }

  static async #begun(world: RunWorld, { argv, ...known }: BegunRun): Promise<RunBook> {
    const { run, ...unkept } = await nextName(world);
    const { files, directories, clock } = world;
    const { own } = await world.processes();
    const sending = files.rollingLog(sendingPath(directories.state), sendingSize);
    const book = new RunBook(files.rollingLog(runsPath(directories.state), runsSize), sending, run);
    const began = new Date(clock.now()).toISOString();
    await book.add({
      began,
      ...(!known.unlogged && { command: commandWords(argv) }),
      process: own,
      ...unkept,
      ...known,
    });
    return book;
  }

  /** Adds what is known now. */
  async add(more: Omit<RunRecord, "run">): Promise<void> {
    await this.file.add(`${jsonText({ run: this.name, ...more })}\n`);
  }

  /** Adds a change that is sent next. */
  async addOpen(open: LogEntry): Promise<void> {
    if ((open.n ?? 0) <= mostOpen && jsonText(open).length <= largestOpen)
      await this.sending.add(`${jsonText({ run: this.name, open })}\n`);
  }

  async close(): Promise<void> {
    await this.sending.close();
    await this.file.close();
  }
}

/** Names a run of a dry run, or where no name can be kept. It is not one of the state directory. */
export const unkeptName = ({ now, random }: World["clock"]): string =>
  `${dayOf(now())}-${Math.floor(1e8 + random() * 9e8)}`;

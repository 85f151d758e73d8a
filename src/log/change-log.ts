/**
 * The log of changes, one line each. No command depends on it: lines that cannot be written are reported and dropped.
 */
import { Redactor } from "../client/redactor.ts";
import type { Sender, SentChange } from "../client/sending.ts";
import { membersOf } from "../common/members.ts";
import { truncate } from "../common/truncate.ts";
import { fieldLabel } from "../model/field.ts";
import { isSecretName } from "../notation/name.ts";
import { commandLine } from "../notation/shell-words.ts";
import { jsonText } from "../output/sanitize.ts";
import { fieldWords } from "../resolve/field-words.ts";
import type { NameResolver } from "../resolve/resolver.ts";
import type { World } from "../world/world.ts";
import { type RollingLog, rollingLogNames } from "../world/writing.ts";

/** A line of the log. */
export interface LogEntry
  extends Pick<
    SentChange,
    "operation" | "target" | "thing" | "outcome" | "error" | "ids" | "before" | "at" | "from" | "to" | "ignored"
  > {
  /** ISO 8601, UTC. */
  time: string;
  /** Equal for all changes of a command line: the day and a number. */
  run: string;
  /** The name of the journal, if the run has one. */
  journal?: string | undefined;
  profile: string | undefined;
  site: string;
  account: string | undefined;
  /** The command line as typed, with masked secrets. */
  command: string;
  /** The row of a batch. */
  row?: number | string | undefined;
  /** `invite_required: true → false`. The old value is absent if it was not read. */
  changes?: string[];
  /** Names of the members that were added to the target and removed from it. */
  added?: string[];
  removed?: string[];
}

/** The size of a file in bytes, and the number of older files. */
export const logSize = { maxBytes: 10 * 1024 * 1024, olderFiles: 5 };

export const logPath = (state: string): string => `${state}/log.ndjson`;

/** How long to wait for another process that begins a run, in milliseconds. */
const lockWait = 5000;

type LogWorld = Pick<World, "clock" | "files" | "directories">;

const runName = /^(\d{8})-(\d{1,9})\s*$/;

/** Finds the last run in the newest lines of the log. Its number has nine digits. */
async function lastLoggedRun({ files, directories }: LogWorld): Promise<string> {
  for (const path of rollingLogNames(logPath(directories.state), logSize.olderFiles)) {
    const found = ((await files.read(path)) ?? "").matchAll(/"run":"(\d{8})-(\d{1,9})"/g);
    const last = Array.from(found, ([, day = "", count = ""]) => `${day}-${count.padStart(9, "0")}`)
      .sort()
      .at(-1);
    if (last !== undefined) return last;
  }
  return "";
}

/** Names the next run of this machine: `20261127-1`. Names never go back, even if the clock does. */
async function takeRun(world: LogWorld): Promise<string> {
  const { clock, files, directories } = world;
  const path = `${directories.state}/last-run`;
  const lock = await files.lock(path, lockWait);
  try {
    const kept = (await files.read(path)) ?? "";
    const last = runName.test(kept) ? kept : await lastLoggedRun(world);
    const [, day = "", count = "0"] = runName.exec(last) ?? [];
    const today = new Date(clock.now()).toISOString().slice(0, 10).replaceAll("-", "");
    const run = day >= today ? `${day}-${Number(count) + 1}` : `${today}-1`;
    await files.write(path, `${run}\n`);
    return run;
  } finally {
    await lock?.release();
  }
}

/** By process, the run that began last. */
const lastRuns = new WeakMap<LogWorld["files"], Promise<unknown>>();

/** Runs of one process, as in `each`, wait for each other. A lock that another one holds is tried again only after 50 ms. */
function nextRun(world: LogWorld): Promise<string> {
  const run = Promise.resolve(lastRuns.get(world.files)).then(() => takeRun(world));
  lastRuns.set(
    world.files,
    run.catch(() => undefined),
  );
  return run;
}

/** The largest number of characters of a command line. Each row of a batch repeats it. */
const maxCommandLength = 4000;

/** Masks `password=…`: the name of the parameter says that it is secret. */
const withoutNamed = (word: string): string =>
  word.replace(/^(--?[\w-]+=)?([\w -]+)=.+$/s, (whole, flag = "", name) =>
    isSecretName(name) ? `${flag}${name}=[secret]` : whole,
  );

/** Masks a short secret only where it is the whole value: other words may contain it by chance. */
function withoutShort(word: string, secret: string): string {
  if (secret === "" || secret.length > 4) return word;
  if (word === secret) return "[secret]";
  return word.endsWith(`=${secret}`) ? `${word.slice(0, -secret.length)}[secret]` : word;
}

/** Formats a command line with masked secrets. */
export function maskedLine(argv: readonly string[], secrets: readonly string[]): string {
  const redactor = new Redactor(secrets);
  const line = commandLine(argv.map((word) => redactor.text(secrets.reduce(withoutShort, withoutNamed(word)))));
  return truncate(line, maxCommandLength);
}

type Find = Pick<NameResolver, "nameOf">;

/** A change that was sent. */
export interface LoggedChange {
  /** Looks up names. */
  find: Find;
  sender: Sender & { profile?: string };
  change: SentChange;
  time: number;
}

export class ChangeLog {
  private constructor(
    private readonly argv: readonly string[],
    /** The name of the run. Undefined if nothing is logged. */
    readonly run: string | undefined,
    private readonly file: RollingLog,
  ) {}

  /** Commands that need the configuration report that it cannot be read; the log stays on. */
  static async open(
    world: Pick<World, "clock" | "files" | "directories" | "settings">,
    argv: readonly string[],
  ): Promise<ChangeLog> {
    const { files, directories, settings } = world;
    const document = (await settings.load().catch(() => undefined))?.document;
    const run = membersOf(document).log === false ? undefined : await nextRun(world);
    return new ChangeLog(argv, run, files.rollingLog(logPath(directories.state), logSize));
  }

  /** Returns the entry, if there is a log. Throws if the line cannot be written. */
  async add({ sender, change, time, find }: LoggedChange): Promise<LogEntry | undefined> {
    const { run } = this;
    if (run === undefined) return undefined;
    // The change was sent with the key, so it is known by now.
    const key = (await sender.key?.().catch(() => undefined))?.reveal();
    const { secrets = [], row, operation, target, thing, outcome, error, ids, before, at, from, to, ignored } = change;
    const entry: LogEntry = {
      time: new Date(time).toISOString(),
      run,
      journal: change.run,
      profile: sender.profile,
      site: sender.site,
      account: sender.email,
      command: maskedLine(this.argv, key === undefined ? secrets : [...secrets, key]),
      // A single command has no rows.
      row: change.run === undefined ? undefined : row,
      operation,
      target,
      thing,
      outcome,
      error,
      ids,
      before,
      at,
      from,
      to,
      ignored,
      ...(await changeInWords(change, find)),
    };
    await this.file.add(`${jsonText(entry)}\n`);
    return entry;
  }

  async close(): Promise<void> {
    await this.file.close();
  }
}

/** The largest number of characters of a value. */
const maxValueLength = 200;

const nameOf = async (find: Find, { kind, id }: { kind: "user" | "group"; id: number }): Promise<string> => {
  const name = await find.nameOf(kind, id);
  if (kind === "group") return `group ${name ?? id}`;
  return name ?? `user ${id}`;
};

async function changeInWords(
  { before = {}, set = [], added = [], removed = [] }: SentChange,
  names: Find,
): Promise<Pick<LogEntry, "changes" | "added" | "removed">> {
  // Names of a look-up that failed are left out.
  const find: Find = { nameOf: (kind, id) => names.nameOf(kind, id).catch(() => undefined) };
  const changes: string[] = [];
  for (const { value, ...field } of set) {
    const wordsOf = async (value: unknown) => truncate(await fieldWords(find, field, value), maxValueLength);
    const [label, to] = [fieldLabel(field.name), await wordsOf(value)];
    const from = Object.hasOwn(before, field.name) ? `${await wordsOf(before[field.name])} → ` : "";
    changes.push(`${label}: ${from}${to}`);
  }
  const namesOf = (members: typeof added) => Promise.all(members.map((member) => nameOf(find, member)));
  return {
    ...(changes.length && { changes }),
    ...(added.length && { added: await namesOf(added) }),
    ...(removed.length && { removed: await namesOf(removed) }),
  };
}

/**
 * The log of changes, one line each. No command depends on it: lines that cannot be written are reported and dropped.
 */

import type { Sender, SentChange, SentMember } from "../client/sending-types.ts";
import { truncate } from "../common/truncate.ts";
import { MiB } from "../common/unit-sizes.ts";
import { fieldLabel } from "../model/field.ts";
import { maskUrlsIn } from "../notation/url-secrets.ts";
import { jsonText } from "../output/sanitize.ts";
import { fieldWords } from "../resolve/field-words.ts";
import type { IdNames } from "../resolve/look-ups.ts";
import type { World } from "../world/world.ts";
import type { RollingLog } from "../world/writing.ts";
import { maskedLine } from "./masking.ts";

/** A line of the log. */
export interface LogEntry
  extends Pick<
    SentChange,
    | "operation"
    | "stated"
    | "target"
    | "thing"
    | "outcome"
    | "error"
    | "ids"
    | "before"
    | "at"
    | "from"
    | "to"
    | "ignored"
  > {
  /** ISO 8601, UTC. */
  time: string;
  /** Equal for all changes of a command line: the day and a number. */
  run: string;
  /** What the caller calls several runs. */
  job?: string | undefined;
  /** The number of the line in its run, from 1. */
  n?: number;
  /** The run that began the journal, if there is one. */
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
export const logSize = { maxBytes: 10 * MiB, olderFiles: 5 };

export const logPath = (state: string): string => `${state}/log.ndjson`;

/** A change that was sent. */
export interface LoggedChange {
  /** Looks up names. */
  names: IdNames;
  sender: Sender & { profile?: string };
  change: SentChange;
  time: number;
}

export class ChangeLog {
  readonly #file: RollingLog;
  #lines = 0;
  /** The masked command line, and the secrets that it was masked for: those of all rows of a batch are usually equal. */
  #masked: { readonly secrets: readonly string[]; readonly line: string } | undefined;

  constructor(
    world: Pick<World, "files" | "directories">,
    private readonly argv: readonly string[],
    private readonly run: Pick<LogEntry, "run" | "job">,
  ) {
    this.#file = world.files.rollingLog(logPath(world.directories.state), logSize);
  }

  #commandWithout(secrets: readonly string[]): string {
    const known = this.#masked;
    if (known?.secrets.length === secrets.length && known.secrets.every((one, n) => one === secrets[n]))
      return known.line;
    const line = maskedLine(this.argv, secrets);
    this.#masked = { secrets, line };
    return line;
  }

  /** Returns the entry of a change, without words. `n`: the number of its line. */
  async entryOf({ sender, change, time }: Omit<LoggedChange, "names">, n: number): Promise<LogEntry> {
    // The change was sent with the key, so it is known by now.
    const key = (await sender.key?.().catch(() => undefined))?.reveal();
    const { secrets = [] } = change;
    return maskUrlsIn({
      time: new Date(time).toISOString(),
      ...this.run,
      n,
      journal: change.run,
      profile: sender.profile,
      site: sender.site,
      account: sender.email,
      command: this.#commandWithout(key === undefined ? secrets : [...secrets, key]),
      // A single command has no rows.
      row: change.run === undefined ? undefined : change.row,
      operation: change.operation,
      stated: change.stated,
      target: change.target,
      thing: change.thing,
      outcome: change.outcome,
      error: change.error,
      ids: change.ids,
      before: change.before,
      at: change.at,
      from: change.from,
      to: change.to,
      ignored: change.ignored,
    });
  }

  /** Returns the entry. Throws if the line cannot be written. */
  async add({ names, ...made }: LoggedChange): Promise<LogEntry> {
    const entry = await this.entryOf(made, ++this.#lines);
    const kept = { ...entry, ...maskUrlsIn(await changeInWords(made.change, names)) };
    await this.#file.add(`${jsonText(kept)}\n`);
    return kept;
  }

  async close(): Promise<void> {
    await this.#file.close();
  }
}

/** The largest number of characters of a value. */
const maxValueLength = 200;

const nameOf = async (names: IdNames, { kind, id }: SentMember): Promise<string> => {
  const name = await names.nameOf(kind, id);
  if (kind === "group") return `group ${name ?? id}`;
  return name ?? `user ${id}`;
};

async function changeInWords(
  { before = {}, set = [], added = [], removed = [] }: SentChange,
  readNames: IdNames,
): Promise<Pick<LogEntry, "changes" | "added" | "removed">> {
  // Names of a look-up that failed are left out.
  const names: IdNames = { nameOf: (kind, id) => readNames.nameOf(kind, id).catch(() => undefined) };
  const changes: string[] = [];
  for (const { value, ...field } of set) {
    const wordsOf = async (value: unknown) => truncate(await fieldWords(names, field, value), maxValueLength);
    const [label, to] = [fieldLabel(field.name), await wordsOf(value)];
    const from = Object.hasOwn(before, field.name) ? `${await wordsOf(before[field.name])} → ` : "";
    changes.push(`${label}: ${from}${to}`);
  }
  const namesOf = (members: typeof added) => Promise.all(members.map((member) => nameOf(names, member)));
  return {
    ...(changes.length && { changes }),
    ...(added.length && { added: await namesOf(added) }),
    ...(removed.length && { removed: await namesOf(removed) }),
  };
}

/** Which runs an undo means. It never guesses: it means the last run, or runs that are named. */

import { joinFirst } from "../common/counted.ts";
import { commandLine } from "../common/shell-words.ts";
import { day } from "../common/unit-sizes.ts";
import { Usage } from "../errors.ts";
import { hasEffect } from "../log/read-log.ts";
import { compareRuns, isRunName, type RunRecord } from "../log/runs.ts";
import { type Chosen, type LoggedAccount, titleOfRuns } from "./entries.ts";
import type { History } from "./history.ts";

/** The runs that are meant. `continued`: the undo that they were left by, and its `--only`. */
export interface Choice extends Chosen {
  readonly continued?: {
    readonly undo: string;
    readonly only?: readonly string[] | undefined;
    readonly isKilled: boolean;
  };
  /** Runs of another account or site with the name of the job. */
  readonly others?: readonly string[];
}

/** Nothing is to be taken back. `hint`: what can be. */
export interface Nothing {
  readonly nothing: string;
  readonly hint?: string | undefined;
}

interface Asked {
  readonly runs: readonly string[];
  readonly job?: string | undefined;
  readonly account: LoggedAccount;
  /** The run of this undo. */
  readonly self: string;
  /** The words of the command line without the runs. */
  readonly words: readonly string[];
}

const sorted = (runs: readonly string[]): string[] => [...runs].sort(compareRuns);

/** How far apart the runs of a job may have begun, in milliseconds. */
const mostApart = day;

/** Returns the last run of this machine that changed something, with its parts. */
export async function lastChanged(history: History): Promise<Chosen> {
  const logged = await history.newest(hasEffect);
  for (const { run } of history.runs)
    if (logged?.run === run || (await history.hasChanged(run))) {
      const runs = history.partsOf(run);
      return { runs, title: titleOfRuns(runs.slice(0, 1)) };
    }
  if (!logged) throw new Usage("the log has no changes", { outcome: "not_sent", hint: "List runs with: zulipctl log" });
  return { runs: [logged.run], title: titleOfRuns([logged.run]) };
}

export class Chooser {
  constructor(
    private readonly history: History,
    private readonly asked: Asked,
  ) {}

  async choose(): Promise<Choice | Nothing> {
    const { runs, job } = this.asked;
    if (job !== undefined) return this.#job(job);
    if (!runs.length || (runs.length === 1 && runs[0] === "last")) return this.#last();
    return this.#named(runs);
  }

  #command = (run: string): string => commandLine([...this.asked.words, run]);

  #isOwn = ({ site, account }: RunRecord): boolean =>
    site === undefined || (site === this.asked.account.site && account === this.asked.account.email);

  async #refuseGoing(runs: readonly string[]): Promise<void> {
    for (const run of runs)
      if (await this.history.isGoing(run))
        throw new Usage(`run ${run} is still running`, {
          outcome: "not_sent",
          hint: "Wait until that run ends, or stop it.",
        });
  }

  /** A run that was resumed is taken back with its other parts, if its first part is named. */
  #withParts = (run: string): string[] =>
    (this.history.record(run)?.journal ?? run) === run ? this.history.partsOf(run) : [run];

  async #named(typed: readonly string[]): Promise<Choice | Nothing> {
    const runs = [...new Set(typed)];
    for (const run of runs) {
      if (run === "last") throw new Usage("last cannot be combined with other runs", { outcome: "not_sent" });
      if (!isRunName(run) || (!this.history.record(run) && !(await this.#isLogged(run))))
        throw new Usage(`run "${run}" not found in the log`, {
          outcome: "not_sent",
          hint: "List runs with: zulipctl log",
        });
      this.#refuseUnlogged(run);
    }
    const all = [...new Set(runs.flatMap(this.#withParts))];
    await this.#refuseGoing(all);
    return { runs: sorted(all), title: titleOfRuns(runs), isSeveral: runs.length > 1 };
  }

  async #isLogged(run: string): Promise<boolean> {
    return (await this.history.newest((entry) => entry.run === run || entry.journal === run)) !== undefined;
  }

  #refuseUnlogged(run: string): void {
    if (this.history.record(run)?.unlogged)
      throw new Usage(`run ${run} was not logged: it is not known what it changed`, {
        outcome: "not_sent",
        hint: 'The configuration had "log": false. Name an earlier run of: zulipctl log',
      });
  }

  async #job(job: string): Promise<Choice | Nothing> {
    const named = this.history.runs.filter((record) => record.job === job && !record.isUndo);
    const found: RunRecord[] = [];
    let hasChanged = false;
    for (const record of named.filter(this.#isOwn)) {
      await this.#refuseGoing([record.run]);
      hasChanged ||= await this.history.hasChanged(record.run);
      if (!(await this.#isOpen(record.run))) continue;
      this.#refuseUnlogged(record.run);
      found.push(record);
    }
    const others = named.filter((record) => !this.#isOwn(record)).map(({ run }) => run);
    const times = found.map(({ began = "" }) => Date.parse(began)).filter(Number.isFinite);
    const runs = sorted(found.map(({ run }) => run));
    if (Math.max(...times) - Math.min(...times) > mostApart)
      throw new Usage(`the runs of job ${job} are more than 24 hours apart: ${joinFirst(runs)}`, {
        outcome: "not_sent",
        hint: `The name was used again. Name the runs: ${commandLine([...this.asked.words, ...runs])}`,
      });
    if (!runs.length && !others.length)
      return { nothing: `job ${job} ${hasChanged ? "was taken back already" : "has no run that changed something"}` };
    return { runs, title: `job ${job}`, isSeveral: true, others };
  }

  async #last(): Promise<Choice | Nothing> {
    const { account, self } = this.asked;
    const who = `${account.email ?? "nobody"} on ${account.site}`;
    let isUnkept = this.history.isLastUnkept;
    for (const record of this.history.runs) {
      const { run } = record;
      if (isUnkept) break;
      isUnkept = record.followsUnkept === true;
      if (run === self || !this.#isOwn(record) || (await this.#isNoRun(record))) continue;
      await this.#refuseGoing([run]);
      this.#refuseUnlogged(run);
      const isChanged = await this.history.hasChanged(run);
      if (record.isUndo) {
        if (isChanged) return this.#afterUndo(record);
        continue;
      }
      if (isChanged) {
        const parts = this.history.partsOf(run);
        await this.#refuseGoing(parts);
        return { runs: parts, title: titleOfRuns(parts.slice(0, 1)) };
      }
      const before = await this.#before(run);
      return {
        nothing: `the last command (${run}: ${record.command ?? ""}) changed nothing`,
        hint: before && `Undo the run before it with: ${this.#command(before)}`,
      };
    }
    // The run that is meant is not known, and an older one is not meant.
    if (isUnkept)
      throw new Usage("the last command could not be kept: it is not known what it changed", {
        outcome: "not_sent",
        hint: "The disk was full, or the state directory could not be written. Name an earlier run of: zulipctl log",
      });
    const logged = await this.history.newest(
      (entry) => entry.site === account.site && entry.account === account.email && hasEffect(entry),
    );
    throw new Usage(`this machine does not know the last run by ${who}`, {
      outcome: "not_sent",
      hint: logged ? `Name a run of zulipctl log: ${this.#command(logged.run)}` : "List runs with: zulipctl log",
    });
  }

  /** A read is no run, and no undo that changed nothing. */
  async #isNoRun({ run, isRead, isUndo, ended }: RunRecord): Promise<boolean> {
    return isRead === true || (isUndo === true && ended !== undefined && !(await this.history.hasChanged(run)));
  }

  /** An undo that was killed, or took back a part, is continued. Any other one is a run that must be named. */
  async #afterUndo({ run, undoes = [], only }: RunRecord): Promise<Choice> {
    const isKilled = await this.history.isUnfinished(run);
    if (undoes.length && (isKilled || only)) {
      await this.#refuseGoing(undoes);
      const continued = { undo: run, isKilled, ...(isKilled && only && { only }) };
      return { runs: sorted(undoes), title: titleOfRuns(undoes), isSeveral: undoes.length > 1, continued };
    }
    const before = await this.#before(run);
    throw new Usage(`the last run is an undo (${run})`, {
      outcome: "not_sent",
      hint: [
        `Bring its changes back with: ${this.#command(run)}`,
        ...(before ? [`Undo the run before with: ${this.#command(before)}`] : []),
      ].join(". "),
    });
  }

  /** Returns whether a run has changes that an undo can take back. */
  async #isOpen(run: string): Promise<boolean> {
    return (await this.history.hasChanged(run)) && !(await this.history.isTakenBack(run, { isWhole: true }));
  }

  /** Returns the newest earlier run that changed something and was not taken back. */
  async #before(run: string): Promise<string | undefined> {
    const runs = this.history.runs.filter(this.#isOwn);
    for (const record of runs.slice(runs.findIndex((each) => each.run === run) + 1)) {
      if (record.isUndo || record.unlogged) continue;
      if (await this.#isOpen(record.run)) return record.run;
    }
    return undefined;
  }
}

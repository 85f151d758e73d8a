/** Where scenes are played: runs, what others do, and undos, in the order that a scene chooses. */
import type { SandboxState } from "../../../src/sandbox/state.ts";
import type { Chance } from "../chance.ts";
import type { FormRequest } from "../other-person.ts";
import { changeBy, type Typed } from "./changes.ts";
import type { Ledger } from "./ledger.ts";
import type { Machine, Ran, Troubles } from "./machine.ts";
import { jobMeans, lastMeans, type Meaning, namedMean } from "./meaning.ts";
import { send } from "./others.ts";
import { batchOf, byOther, type Made, owner, resumed } from "./runs.ts";
import type { Story, Undo } from "./story.ts";

/** The words of a command line. */
export type Line = readonly string[];

/** Whether an undo leaves alone what a command line did. */
const stays = ([noun = "", verb]: Line): boolean => verb === "rm" && /^(emoji|invite)$/.test(noun);

export class Stage {
  readonly #made: Made[] = [];
  readonly #undos: Undo[] = [];
  readonly #resumed: Ran[] = [];
  readonly #others: string[] = [];

  constructor(
    readonly chance: Chance,
    readonly machine: Machine,
  ) {}

  get state(): SandboxState {
    return this.machine.sandbox.state;
  }

  get ledger(): Ledger {
    return this.machine.ledger;
  }

  /** The runs so far, without the undos. */
  get runs(): readonly Ran[] {
    return this.#made.map(({ ran }) => ran);
  }

  /** Runs lines as one run. Some runs do something else, too. */
  async run(lines: readonly Line[], more: Troubles = {}): Promise<Ran> {
    const { chance, machine } = this;
    const other = chance.hits(0.15) ? [changeBy(chance, 50 + this.#made.length, "batch")] : [];
    const all = [...lines, ...other.map(({ words }) => words)];
    const troubles = { ...more, stays: lines.some(stays) || other.some((each) => each.stays) };
    const [only = []] = all;
    const made: Made =
      all.length === 1 && chance.hits(0.5)
        ? { ran: await machine.run([...only, "--yes"], troubles), text: only.join(" "), lines: all }
        : await batchOf(machine, all, troubles, chance.hits(0.5) ? ["--no-merge"] : []);
    this.#made.push(made);
    return made.ran;
  }

  /** Runs lines as a batch, and nothing else. */
  async batch(typed: readonly Typed[], more: Troubles): Promise<Ran> {
    const troubles = { ...more, stays: typed.some((each) => each.stays) };
    const lines = typed.map(({ words }) => words);
    const made = await batchOf(this.machine, lines, troubles, []);
    this.#made.push(made);
    return made.ran;
  }

  /** Somebody else runs a command line on another machine, or this account does. */
  async elsewhere(words: Line, isOwner = this.chance.hits(0.4)): Promise<void> {
    this.#others.push(`${this.ledger.now}: ${isOwner ? "elsewhere" : "they"}: ${words.join(" ")}`);
    await byOther(this.machine.sandbox, { words }, isOwner ? owner : undefined);
    this.ledger.record("other");
  }

  /** The second person sends a request. */
  async request(form: FormRequest): Promise<void> {
    this.#others.push(`${this.ledger.now}: ${form[0]} ${form[1]} ${JSON.stringify(form[2] ?? {})}`);
    await send(this.machine.sandbox, form);
    this.ledger.record("other");
  }

  /** Undoes runs that are named, or the last run. */
  async undo(runs: readonly Ran[], troubles: Troubles = {}): Promise<Ran> {
    const { session } = this.machine;
    const named = runs.filter(({ name }) => name !== "");
    if (!named.length) return this.#undo(["last"], lastMeans(this.ledger, [...session]), troubles);
    return this.#undo(
      named.map(({ name }) => name),
      namedMean([...session], named),
      troubles,
    );
  }

  /** Undoes the runs of a job. */
  undoJob(job: string, troubles: Troubles = {}): Promise<Ran> {
    return this.#undo(["--job", job], jobMeans(this.ledger, [...this.machine.session], job), troubles);
  }

  async #undo(words: Line, meanings: Meaning[], troubles: Troubles): Promise<Ran> {
    const [first] = meanings;
    const undoing = this.machine.run(["undo", ...words, "--yes"], troubles);
    const ran = this.machine.session.at(-1);
    if (!ran) throw new Error("an undo is a run");
    ran.means = first === undefined || first === "nothing" ? [] : first;
    await undoing;
    this.#undos.push({ ran, meanings, includesLater: false });
    return ran;
  }

  /** Resumes a batch that was taken back. */
  async resume(ran: Ran): Promise<void> {
    this.#resumed.push(await resumed(this.machine, ran, {}));
  }

  get story(): Story {
    return {
      ...{ ledger: this.ledger, machine: this.machine, made: this.#made, undos: this.#undos },
      ...{ resumed: this.#resumed, others: this.#others, isCalm: false, isAlone: true },
    };
  }
}

/** A story of runs, of a second person, and of undos. */
import type { HttpRequest } from "../../../src/world/world.ts";
import { Chance } from "../chance.ts";
import { changeBy } from "./changes.ts";
import type { Ledger } from "./ledger.ts";
import { changes, Machine, type Ran, type Troubles } from "./machine.ts";
import { isTakenBack, jobMeans, lastMeans, type Meaning, namedMean } from "./meaning.ts";
import { actOn, send, useOf } from "./others.ts";
import { byOther, inVain, isBatch, type Kind, type Made, own, prepared, resumed, runOf } from "./runs.ts";
import { again, opposite, rival, similar } from "./similar.ts";
import { thingOf } from "./view.ts";

/** An undo, and the runs that it may mean. */
export interface Undo {
  readonly ran: Ran;
  readonly meanings: readonly Meaning[];
  readonly includesLater: boolean;
}

export interface Story {
  readonly ledger: Ledger;
  readonly machine: Machine;
  readonly made: readonly Made[];
  readonly undos: readonly Undo[];
  /** Runs that were resumed after they had been taken back. */
  readonly resumed: readonly Ran[];
  /** What the second person did. */
  readonly others: readonly string[];
  /** One run, and nothing disturbed it or its undo. */
  readonly isCalm: boolean;
}

/** What happens more often in some stories: otherwise such things would rarely come together. */
type Theme = "jobs" | "rest" | "killed" | "resumed" | "going" | "clock" | "again";

const themes: readonly Theme[] = ["jobs", "rest", "killed", "resumed", "going", "clock", "again"];

class Tale {
  readonly made: Made[] = [];
  readonly undos: Undo[] = [];
  readonly resumed: Ran[] = [];
  readonly others: string[] = [];
  readonly ledger: Ledger;
  readonly #isCalm: boolean;
  readonly #isCrowded: boolean;
  readonly #theme: Theme | undefined;

  constructor(
    readonly chance: Chance,
    readonly machine: Machine,
  ) {
    this.ledger = machine.ledger;
    this.#isCalm = chance.hits(0.3);
    this.#theme = !this.#isCalm && chance.hits(0.5) ? chance.of(themes) : undefined;
    this.#isCrowded = !this.#isCalm && chance.hits(this.#theme === undefined ? 0.6 : 0.2);
  }

  /** The theme makes it happen, or something else. */
  #hits(theme: Theme, often: number, otherwise: number): boolean {
    return this.chance.hits(this.#theme === theme ? often : otherwise);
  }

  /** The second person changes something, mostly what a run has changed. */
  async #meddle(): Promise<void> {
    const { chance, machine, ledger } = this;
    const { sandbox } = machine;
    const n = 100 + this.others.length;
    const writes = ledger.writes.filter(({ by }) => by !== "other");
    const write = writes.length ? chance.of(writes.slice(-30)) : undefined;
    const isUse = write?.from === undefined && chance.hits(0.5);
    const act = write && (isUse ? useOf(sandbox, chance, thingOf(write.key), n) : actOn(sandbox, chance, write.key, n));
    if (act && chance.hits(0.8)) {
      this.others.push(`${ledger.now}: ${act[0]} ${act[1]} ${JSON.stringify(act[2] ?? {})}`);
      await send(sandbox, act);
      ledger.record("other");
      return;
    }
    const lines = this.made.flatMap((each) => each.lines);
    const line = lines.length && chance.hits(0.6) ? chance.of(lines) : undefined;
    const remade = line ? again(sandbox, line) : [];
    const typed = line ? similar(chance, line) : changeBy(chance, n, "single").words;
    for (const words of remade.length ? remade : [typed]) {
      this.others.push(`${ledger.now}: ${words.join(" ")}`);
      await byOther(sandbox, { words });
      ledger.record("other");
    }
  }

  /** Somebody changes something between two requests, or tries to take back what is still going. */
  #meanwhile(rate: number) {
    const { chance, machine } = this;
    return async (request: HttpRequest, ran: Ran): Promise<void> => {
      if (chance.hits(rate)) await this.#meddle();
      if (changes(request) && chance.hits(rate / 4)) {
        const late = rival(machine.sandbox, request);
        if (!late) return;
        this.others.push(`${this.ledger.now}: just before: ${late.body}`);
        await machine.sandbox.handle(late);
        this.ledger.record("other");
      }
      if (ran.accepted > 0 && ran.means === undefined && this.#hits("going", 0.4, rate / 6)) {
        const going = await machine.run(["undo", "--yes"]);
        this.undos.push({ ran: Object.assign(going, { means: [] }), meanings: ["nothing"], includesLater: false });
      }
    };
  }

  /** `theme`: the one in which the process mostly dies. */
  #troubles(theme: Theme): Troubles {
    const { chance } = this;
    if (this.#isCalm) return {};
    const rate = this.#isCrowded && chance.hits(0.4) ? chance.of([0.03, 0.1]) : 0;
    return {
      faults: chance.hits(this.#theme === undefined ? 0.15 : 0.03) ? 0.25 : 0,
      dies: this.#hits(theme, 0.7, 0.1) ? chance.whole(1, chance.of([25, 60])) : undefined,
      meanwhile: rate > 0 || this.#theme === "going" ? this.#meanwhile(rate) : undefined,
    };
  }

  async #run(n: number): Promise<void> {
    const { chance, machine } = this;
    const job = this.#hits("jobs", 1, 0.4) ? chance.of(["nightly", "nightly", "weekly"]) : undefined;
    const space = !this.#isCalm && chance.hits(0.05) ? chance.whole(0, 3) : undefined;
    const kinds: Readonly<Partial<Record<Theme, Kind>>> = { jobs: "single", again: "single", clock: "single" };
    const kind = this.#theme === "resumed" || this.#theme === "going" ? "batch" : kinds[this.#theme ?? "rest"];
    const made = await runOf(chance, machine, n, { ...this.#troubles("resumed"), space, job }, kind);
    this.made.push(made);
    if (made.ran.ended.code === undefined && isBatch(made.ran) && this.#hits("resumed", 1, 0.5))
      await resumed(machine, made.ran, { ...this.#troubles("resumed"), job });
    if (this.#isCalm) return;
    if (this.#theme === "again") await this.#repeat(made);
    if (this.#hits("clock", 0.7, this.#theme === "jobs" ? 0.4 : 0.05))
      machine.time += chance.of(this.#theme === "clock" ? [-20, -20, 5] : [-20, 5, 30]) * 3_600_000;
    if (chance.hits(0.06)) await machine.run(chance.of(inVain));
  }

  /** Runs the opposite, and mostly the same again. */
  async #repeat({ lines }: Made): Promise<void> {
    const { machine, chance } = this;
    const [words = []] = lines;
    // Drafts with the same text are alike.
    if (words[0] === "drafts") return;
    await machine.run([...opposite(words), "--yes"]);
    if (chance.hits(0.7)) await machine.run([...words, "--yes"]);
  }

  /** Returns what is typed, what it may mean, and the thing of `--only`. */
  #choice(): { words: string[]; meanings: Meaning[]; only?: string } {
    const { chance, ledger } = this;
    const session = [...this.machine.session];
    const named = session.filter(({ name }) => name !== "");
    const last = named.at(-1);
    const which = chance.whole(0, 19);
    const isLater = this.undos.length > 0;
    const meansLast = this.#theme === "clock" || (isLater && (this.#theme === "rest" || this.#theme === "killed"));
    if (!last || (which < 4 && !this.#isCalm) || (meansLast && chance.hits(0.8)))
      return { words: chance.of([[], ["last"]]), meanings: lastMeans(ledger, session) };
    const jobs = session.flatMap(({ job }) => job ?? []);
    if ((which < 8 || this.#theme === "jobs") && jobs.length) {
      const job = chance.of(jobs);
      return { words: ["--job", job], meanings: jobMeans(ledger, session, job) };
    }
    if (which < 10) {
      const plain = named.filter((ran) => ran.means === undefined && isTakenBack(session, ran) === false);
      if (!plain.length) return { words: [last.name], meanings: namedMean(session, [last]) };
      const runs = [...new Set([chance.of(plain), chance.of(plain)])];
      return { words: runs.map(({ name }) => name), meanings: namedMean(session, runs) };
    }
    const isFirst = this.#theme === "resumed" || this.#theme === "again";
    const ran = isFirst ? (named[0] ?? last) : chance.hits(0.6) ? last : chance.of(named);
    const meanings = namedMean(session, [ran]);
    const only = which > 16 || (this.#theme === "rest" && !isLater) ? this.#thingOf(meanings) : undefined;
    return { words: [ran.name, ...(only ? ["--only", only.typed] : [])], meanings, ...(only && { only: only.thing }) };
  }

  /** Returns something that runs have changed, and its name. */
  #thingOf([meant]: readonly Meaning[]): { typed: string; thing: string } | undefined {
    const { chance, ledger } = this;
    const keys = ledger.writes.flatMap(({ by, key }) => (by !== "other" && meant?.includes(by as never) ? [key] : []));
    const things = [...new Set(keys.map(thingOf))].filter((thing) => /^(channel|group|folder|user) /.test(thing));
    if (!things.length) return undefined;
    const thing = chance.of(things);
    if (!thing.startsWith("user")) return { typed: thing, thing };
    const address = ledger.view.get(`${thing}|delivery_email`);
    return address === undefined ? undefined : { typed: JSON.parse(address), thing };
  }

  async #undo(): Promise<Undo> {
    const { chance, machine } = this;
    const { words, meanings, only } = this.#choice();
    const includesLater = !this.#isCalm && chance.hits(0.1);
    const [first] = meanings;
    const isCrowded = this.#isCrowded && chance.hits(0.6);
    const asks = isCrowded && chance.hits(0.5);
    const typed = ["undo", ...words, ...(includesLater ? ["--include-later"] : []), ...(asks ? [] : ["--yes"])];
    const troubles = {
      ...this.#troubles("killed"),
      meanwhile: isCrowded ? this.#meanwhile(chance.of([0, 0.03, 0.15])) : undefined,
      ...(asks && { asked: async () => void (chance.hits(0.7) && (await this.#meddle())) }),
    };
    const undoing = machine.run(typed, troubles);
    const ran = machine.session.at(-1);
    if (!ran) throw new Error("an undo is a run");
    ran.means = first === undefined || first === "nothing" ? [] : first;
    ran.only = only;
    await undoing;
    const undo = { ran, meanings, includesLater };
    this.undos.push(undo);
    return undo;
  }

  #runs = (): number =>
    this.#theme === "jobs" || this.#theme === "clock" ? this.chance.whole(2, 4) : this.chance.of([1, 1, 2, 2, 3]);

  #undos = (): number =>
    this.#theme === "rest" || this.#theme === "killed" ? this.chance.whole(2, 3) : this.chance.of([1, 1, 2, 3]);

  async tell(): Promise<Story> {
    const { chance, machine, ledger, made, undos, resumed: again, others } = this;
    for (let n = 1, runs = this.#isCalm ? 1 : this.#runs(); n <= runs; n++) {
      await this.#run(n);
      for (let acts = this.#isCrowded ? chance.whole(0, 2) : 0; acts > 0; acts--) await this.#meddle();
    }
    if (!this.#isCalm && chance.hits(0.08)) machine.loseLines(() => chance.hits(0.3));
    for (let n = 1, count = this.#isCalm ? 1 : this.#undos(); n <= count; n++) {
      const { ran } = await this.#undo();
      if (this.#isCalm && ran.ended.code === 0 && ran.accepted > 0) await this.#redo(ran);
      if (this.#isCalm || n === count) continue;
      const isRest = this.#theme === "rest" || this.#theme === "killed";
      if (chance.hits(isRest ? 0.05 : 0.3)) await this.#run(4 + n);
      for (let acts = this.#isCrowded ? chance.whole(0, 2) : 0; acts > 0; acts--) await this.#meddle();
    }
    const last = made.at(-1);
    const undo = undos.at(-1);
    const isBack = undo?.ran.ended.code === 0 && undo.ran.accepted > 0 && undo.ran.only === undefined;
    if (last && isBatch(last.ran) && isBack && undo.ran.means?.includes(last.ran) && chance.hits(0.3))
      again.push(await resumed(machine, last.ran, {}));
    return { ledger, machine, made, undos, resumed: again, others, isCalm: this.#isCalm };
  }

  /** Takes the undo back. */
  async #redo(undo: Ran): Promise<void> {
    const undoing = this.machine.run(["undo", undo.name, "--yes"]);
    const ran = this.machine.session.at(-1);
    if (!ran) throw new Error("an undo is a run");
    ran.means = [undo];
    await undoing;
    this.undos.push({ ran, meanings: [[undo]], includesLater: false });
  }
}

export async function playStory(seed: number): Promise<Story> {
  const chance = new Chance(seed);
  return new Tale(chance, new Machine(structuredClone(await prepared), chance, own)).tell();
}

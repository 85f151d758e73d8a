/** A story of runs, of a second person, and of undos. */
import type { HttpRequest } from "../../../src/world/world.ts";
import type { Chance } from "../chance.ts";
import type { FormRequest } from "../other-person.ts";
import { changeBy } from "./changes.ts";
import type { Ledger, Write } from "./ledger.ts";
import { changes, type Machine, type Ran, type Troubles } from "./machine.ts";
import { keyOf } from "./made.ts";
import { isTakenBack, jobMeans, lastMeans, type Meaning, namedIn, namedMean } from "./meaning.ts";
import { actOn, send, useOf } from "./others.ts";
import { byOther, inVain, isBatch, type Made, owner, resumed, runOf } from "./runs.ts";
import { again, opposite, rival, similar } from "./similar.ts";
import { kindsOf, type Theme, themes } from "./themes.ts";
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
  /** Nobody else changed anything during an undo. */
  readonly isAlone?: boolean;
}

export class Tale {
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
    theme?: Theme,
  ) {
    this.ledger = machine.ledger;
    this.#isCalm = theme === undefined && chance.hits(0.3);
    this.#theme = theme ?? (!this.#isCalm && chance.hits(0.5) ? chance.of(themes) : undefined);
    this.#isCrowded = !this.#isCalm && chance.hits(this.#theme === undefined ? 0.6 : 0.2);
  }

  /** The theme makes it happen, or something else. */
  #hits(theme: Theme, often: number, otherwise: number): boolean {
    return this.chance.hits(this.#theme === theme ? often : otherwise);
  }

  /** The second person changes something, mostly what a run has changed: in one of its last `latest` changes. */
  async #meddle(latest = 30): Promise<void> {
    const { chance, machine, ledger } = this;
    const { sandbox } = machine;
    const n = 100 + this.others.length;
    const writes = ledger.writes.filter(({ by }) => by !== "other");
    const write = writes.length ? chance.of(writes.slice(-latest)) : undefined;
    const isUse = write?.from === undefined && chance.hits(0.5);
    const act = write && (isUse ? useOf(sandbox, chance, thingOf(write.key), n) : this.#actOn(write, n));
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

  /** Returns what changes the same as a write, or removes whom an old permission names, or renames what is new. */
  #actOn({ key, from }: Write, n: number): FormRequest | undefined {
    const { chance, machine } = this;
    const [, id] = /\|can_.*"direct_members":\[(\d+)/.exec(`${key} ${from}`) ?? [];
    if (id !== undefined && Number(id) !== machine.owner && chance.hits(0.5)) return ["DELETE", `/users/${id}`];
    const isNew = from === undefined && chance.hits(0.3);
    return actOn(machine.sandbox, chance, isNew ? keyOf(thingOf(key)) : key, n);
  }

  /** Somebody changes something between two requests, or tries to take back what is still going. */
  #meanwhile(rate: number) {
    const { chance, machine } = this;
    return async (request: HttpRequest, ran: Ran): Promise<void> => {
      if (chance.hits(rate)) await this.#meddle();
      // It reads again what it has changed.
      const isVerifying = ran.changed !== undefined && ran.verified === undefined && !changes(request);
      if (isVerifying && this.#hits("verified", 0.7, rate)) await this.#meddle(3);
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
      dies:
        this.#hits(theme, 0.7, 0.1) || (theme === "resumed" && this.#hits("unfinished", 0.7, 0))
          ? chance.whole(1, chance.of([25, 60]))
          : undefined,
      meanwhile: rate > 0 || this.#theme === "going" ? this.#meanwhile(rate) : undefined,
    };
  }

  async #run(n: number): Promise<void> {
    const { chance, machine } = this;
    const job = this.#hits("jobs", 1, 0.4) ? chance.of(["nightly", "nightly", "weekly"]) : undefined;
    const space = !this.#isCalm && chance.hits(0.05) ? chance.whole(0, 3) : undefined;
    const options = {
      kind: kindsOf[this.#theme ?? "rest"],
      isKept: this.#hits("journal", 1, 0.25),
    };
    const made = await runOf(chance, machine, n, { ...this.#troubles("resumed"), space, job }, options);
    this.made.push(made);
    const isResumed = this.#hits("resumed", 1, this.#theme === "unfinished" ? 0 : 0.5);
    if (made.ran.ended.code === undefined && isBatch(made.ran) && isResumed)
      await resumed(machine, made.ran, { ...this.#troubles("resumed"), job });
    if (this.#isCalm) return;
    if (this.#theme === "again") await this.#repeat(made);
    if (this.#hits("clock", 0.7, this.#theme === "jobs" ? 0.4 : 0.05))
      machine.time += chance.of(this.#theme === "clock" ? [-20, -20, 5] : [-20, 5, 30]) * 3_600_000;
    if (chance.hits(0.06)) await machine.run(chance.of(inVain));
  }

  /** Runs the opposite, and mostly the same again. The server may refuse all of it. */
  async #repeat({ lines, ran: { stays } }: Made): Promise<void> {
    const { machine, chance } = this;
    const [words = []] = lines;
    // Drafts with the same text are alike.
    if (words[0] === "drafts") return;
    const troubles = () => ({ stays, refuses: chance.hits(0.3) });
    await machine.run([...opposite(words), "--yes"], troubles());
    if (chance.hits(0.7)) await machine.run([...words, "--yes"], troubles());
  }

  /** The account does from another machine what a run did. */
  async #redoElsewhere(): Promise<void> {
    const { machine, chance, ledger, made } = this;
    for (const words of chance.of(made)?.lines ?? []) {
      // Drafts with the same text are alike.
      if (words[0] === "drafts") continue;
      this.others.push(`${ledger.now}: ${words.join(" ")}`);
      await byOther(machine.sandbox, { words }, owner);
      ledger.record("other");
    }
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
    const isFirst = this.#theme !== undefined && ["resumed", "again", "journal", "redone"].includes(this.#theme);
    // Nothing of a later run that was taken back stands in the way of the first one.
    const isLast = this.#theme === "again" && !isLater && chance.hits(0.6);
    const ran =
      isFirst && !isLast && chance.hits(0.8) ? (named[0] ?? last) : chance.hits(0.6) ? last : chance.of(named);
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
    const isVerified = this.#theme === "verified";
    const isCrowded = (this.#isCrowded && chance.hits(0.6)) || isVerified;
    const asks = this.#theme === "asked" || (isCrowded && chance.hits(0.5));
    const typed = ["undo", ...words, ...(includesLater ? ["--include-later"] : []), ...(asks ? [] : ["--yes"])];
    const troubles = {
      ...this.#troubles("killed"),
      meanwhile: isCrowded ? this.#meanwhile(isVerified ? 0 : chance.of([0, 0.03, 0.15])) : undefined,
      ...(asks && {
        asked: async () => void (chance.hits(0.7) && (await this.#meddle(this.#theme === "asked" ? 8 : 30))),
      }),
    };
    const undoing = machine.run(typed, troubles);
    const ran = machine.session.at(-1);
    if (!ran) throw new Error("an undo is a run");
    ran.means = first === undefined || first === "nothing" ? [] : first;
    ran.only = only;
    await undoing;
    const isNothing = meanings.includes("nothing") && ran.accepted + ran.unanswered === 0;
    ran.means = isNothing ? [] : (namedIn(ran, meanings) ?? ran.means);
    const undo = { ran, meanings, includesLater };
    this.undos.push(undo);
    return undo;
  }

  #runs = (): number =>
    ["jobs", "clock", "journal"].includes(this.#theme ?? "")
      ? this.chance.whole(2, 4)
      : this.chance.of([1, 1, 2, 2, 3]);

  #undos = (): number =>
    ["rest", "killed", "redone", "again"].includes(this.#theme ?? "")
      ? this.chance.whole(2, 3)
      : this.chance.of([1, 1, 2, 3]);

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
      if (this.#theme === "redone") await this.#redoElsewhere();
      const isRest = this.#theme === "rest" || this.#theme === "killed";
      if (chance.hits(isRest ? 0.05 : 0.3)) await this.#run(4 + n);
      for (let acts = this.#isCrowded ? chance.whole(0, 2) : 0; acts > 0; acts--) await this.#meddle();
    }
    const last = made.at(-1);
    const undo = undos.at(-1);
    const isBack =
      undo?.ran.ended.code === 0 &&
      undo.ran.only === undefined &&
      ledger.writes.some(({ by }) => by === undo.ran) &&
      ledger.writes.some(({ by }) => by === last?.ran);
    const isAgain = this.#hits("unfinished", 1, 0.3);
    if (last && isBatch(last.ran) && isBack && undo.ran.means?.includes(last.ran) && isAgain)
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

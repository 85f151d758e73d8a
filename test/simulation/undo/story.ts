/** A story of runs, of a second person, and of undos. */
import type { Sandbox } from "../../../src/sandbox/index.ts";
import type { HttpRequest } from "../../../src/world/world.ts";
import { Chance } from "../chance.ts";
import { changeBy } from "./changes.ts";
import type { Ledger } from "./ledger.ts";
import { changes, Machine, type Ran, type Troubles } from "./machine.ts";
import { isTakenBack, jobMeans, lastMeans, type Meaning, namedMean } from "./meaning.ts";
import { actOn, send, useOf } from "./others.ts";
import { byOther, inVain, isBatch, type Made, own, prepared, resumed, runOf } from "./runs.ts";
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

/** The same thing with another text, or a message in a topic that was moved. */
function similar(chance: Chance, words: readonly string[]): string[] {
  const [noun, verb = "", channel = "", ...topics] = words;
  if (noun === "topic" && verb !== "delete" && chance.hits(0.6)) {
    const topic = chance.of(topics.filter((word) => !word.startsWith("--")));
    return ["messages", "send", "--channel", channel, "--topic", topic, "--content", "theirs"];
  }
  return words.map((word) => word.replace(/^(text|Name|Bot) (\d+)$/, "$1 theirs $2"));
}

/** Removes an invitation or an emoji, and makes one like it. Returns nothing for others, and if it is gone. */
function again({ state }: Sandbox, words: readonly string[]): string[][] {
  const [noun, verb, name = ""] = words;
  if (verb !== "add") return [];
  const invited = noun === "invite" && state.invitations.find(({ email }) => email === name);
  if (invited) return [["invite", "rm", `email:${invited.id}`], [...words]];
  const isEmoji = noun === "emoji" && [...state.emoji.values()].some((each) => each.name === name && !each.deactivated);
  return isEmoji ? [["emoji", "rm", name], [...words]] : [];
}

/** Sets a permission to something else. No other request can state what it replaces. */
function rival({ state }: Sandbox, request: HttpRequest): HttpRequest | undefined {
  const guarded = [...new URLSearchParams(request.body)].find(([, value]) => value.startsWith('{"new":'));
  const administrators = [...state.groups.values()].find(({ name }) => name === "role:administrators");
  if (!guarded || !administrators) return undefined;
  return { ...request, body: `${guarded[0]}=${encodeURIComponent(JSON.stringify({ new: administrators.id }))}` };
}

class Tale {
  readonly made: Made[] = [];
  readonly undos: Undo[] = [];
  readonly resumed: Ran[] = [];
  readonly others: string[] = [];
  readonly ledger: Ledger;
  readonly #isCalm: boolean;
  readonly #isCrowded: boolean;

  constructor(
    readonly chance: Chance,
    readonly machine: Machine,
  ) {
    this.ledger = machine.ledger;
    this.#isCalm = chance.hits(0.3);
    this.#isCrowded = !this.#isCalm && chance.hits(0.6);
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
      if (ran.accepted > 0 && ran.means === undefined && chance.hits(rate / 6)) {
        const going = await machine.run(["undo", "--yes"]);
        this.undos.push({ ran: Object.assign(going, { means: [] }), meanings: ["nothing"], includesLater: false });
      }
    };
  }

  #troubles(): Troubles {
    const { chance } = this;
    if (this.#isCalm) return {};
    return {
      faults: chance.hits(0.15) ? 0.25 : 0,
      dies: chance.hits(0.15) ? chance.whole(1, chance.of([25, 60])) : undefined,
      meanwhile: this.#isCrowded && chance.hits(0.4) ? this.#meanwhile(chance.of([0.03, 0.1])) : undefined,
    };
  }

  async #run(n: number): Promise<void> {
    const { chance, machine } = this;
    const job = chance.hits(0.5) ? chance.of(["nightly", "nightly", "weekly"]) : undefined;
    const space = !this.#isCalm && chance.hits(0.05) ? chance.whole(0, 3) : undefined;
    const made = await runOf(chance, machine, n, { ...this.#troubles(), space, job });
    this.made.push(made);
    if (made.ran.ended.code === undefined && isBatch(made.ran) && chance.hits(0.5))
      await resumed(machine, made.ran, { ...this.#troubles(), job });
    if (this.#isCalm) return;
    if (chance.hits(0.1)) machine.time += chance.of([-2, 5, 30]) * 3_600_000;
    if (chance.hits(0.06)) await machine.run(chance.of(inVain));
  }

  /** Returns what is typed, what it may mean, and the thing of `--only`. */
  #choice(): { words: string[]; meanings: Meaning[]; only?: string } {
    const { chance, ledger } = this;
    const session = [...this.machine.session];
    const named = session.filter(({ name }) => name !== "");
    const last = named.at(-1);
    const which = chance.whole(0, 19);
    if (!last || (which < 4 && !this.#isCalm))
      return { words: chance.of([[], ["last"]]), meanings: lastMeans(ledger, session) };
    const jobs = session.flatMap(({ job }) => job ?? []);
    if (which < 8 && jobs.length) {
      const job = chance.of(jobs);
      return { words: ["--job", job], meanings: jobMeans(ledger, session, job) };
    }
    if (which < 10) {
      const plain = named.filter((ran) => ran.means === undefined && isTakenBack(session, ran) === false);
      if (!plain.length) return { words: [last.name], meanings: namedMean(session, [last]) };
      const runs = [...new Set([chance.of(plain), chance.of(plain)])];
      return { words: runs.map(({ name }) => name), meanings: namedMean(session, runs) };
    }
    const ran = chance.hits(0.6) ? last : chance.of(named);
    const meanings = namedMean(session, [ran]);
    const only = which > 16 ? this.#thingOf(meanings) : undefined;
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
      ...this.#troubles(),
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

  async tell(): Promise<Story> {
    const { chance, machine, ledger, made, undos, resumed: again, others } = this;
    for (let n = 1, runs = this.#isCalm ? 1 : chance.of([1, 1, 2, 2, 3]); n <= runs; n++) {
      await this.#run(n);
      for (let acts = this.#isCrowded ? chance.whole(0, 2) : 0; acts > 0; acts--) await this.#meddle();
    }
    if (!this.#isCalm && chance.hits(0.08)) machine.loseLines(() => chance.hits(0.3));
    for (let n = 1, count = this.#isCalm ? 1 : chance.of([1, 1, 2, 3]); n <= count; n++) {
      const { ran } = await this.#undo();
      if (this.#isCalm && ran.ended.code === 0 && ran.accepted > 0) await this.#redo(ran);
      if (this.#isCalm || n === count) continue;
      if (chance.hits(0.3)) await this.#run(3 + n);
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

/** The story of one seed: `org apply` runs while processes die, the network fails and other people change things. */
import { setMaxListeners } from "node:events";
import { Interrupted } from "../../../src/errors.ts";
import { main } from "../../../src/main.ts";
import type { SandboxState } from "../../../src/sandbox/index.ts";
import type { HttpRequest, World } from "../../../src/world/world.ts";
import type { Captured } from "../../world.ts";
import { Chance } from "../chance.ts";
import { Disk } from "../disk.ts";
import { Network, type Transfer } from "../network.ts";
import { worldOf } from "../place.ts";
import { Process } from "../process.ts";
import { Time } from "../time.ts";
import { type Desired, desiredOf } from "./desired.ts";
import { type DifferingFact, differingFacts, Register } from "./expected.ts";
import { type Facts, History } from "./facts.ts";
import { callerOf, noon, organization, restore, site } from "./organization.ts";
import { Other } from "./others.ts";

/** One process that runs `org plan` or `org apply`. */
export interface Attempt {
  readonly words: readonly string[];
  /** The run that made its plan. A run that applies a file plans itself. */
  readonly planner: Attempt | undefined;
  readonly passages: Transfer[];
  /** By request that reached the server, the organization right after it. */
  readonly served: Map<HttpRequest, { at: number; facts: Facts }>;
  /** No faults happen to it. */
  readonly calm: boolean;
  readonly process: Process;
  /** Whether it has sent its first read. */
  read: boolean;
  /** Undefined if it died. */
  code?: number;
  out: string;
  err: string;
  /** When it ended, by the history's counter. */
  over: number;
  /** What differed from the file when it ended. */
  unmet: readonly DifferingFact[];
}

/** Who changes something: a run, somebody else, or the repair at the end. */
export type By = Attempt | "other" | "end";

export interface Story {
  readonly seed: number;
  readonly desired: Desired;
  readonly register: Register;
  /** The address of the account that applies files. */
  readonly caller: string;
  readonly history: History<By>;
  readonly attempts: Attempt[];
  readonly state: SandboxState;
  /** What differs from the file at the end. */
  left: readonly DifferingFact[];
}

export const pathOf = ({ request }: Transfer): string => new URL(request.url).pathname;

/** Whether it changes something. */
export const changes = (passage: Transfer): boolean =>
  passage.request.method !== "GET" && !/\/(register|events)$/.test(pathOf(passage));

const file = "/files/organization.json";

const flagsOf = ({ prune, allowEmpty, allowLockout, maxRemovals }: Desired, planning: boolean): string[] => [
  ...(prune && planning ? ["--prune"] : []),
  ...(allowEmpty ? ["--allow-empty"] : []),
  ...(allowLockout ? ["--allow-lockout"] : []),
  ...(maxRemovals === undefined ? [] : ["--max-removals", String(maxRemovals)]),
];

const reads = (url: string): boolean => url.endsWith("/register") || url.includes("/events");

class Simulation {
  readonly story: Story;
  readonly #chance: Chance;
  readonly #time = new Time();
  readonly #disk: Disk;
  readonly #sandbox;
  readonly #other: Other;
  readonly #weather;
  /** The probabilities that somebody changes something: after a request, after the first `register`, between runs. */
  #bustle: number;
  readonly #haste: number;
  readonly #interest: number;
  /** The probability that somebody makes the plan more destructive before the second read. */
  readonly #spite: number;
  readonly #portion: number;

  constructor(seed: number) {
    const chance = new Chance(seed);
    this.#chance = chance;
    this.#disk = new Disk(chance);
    this.#sandbox = organization(chance, () => this.#time.now + noon);
    const { state } = this.#sandbox;
    this.#weather = { faultRate: chance.of([0, 0.1, 0.3]), rejectsAll: false };
    this.#bustle = chance.of([0, 0.05, 0.15, 0.4]);
    this.#haste = chance.of([0, 0.5, 1]);
    this.#interest = chance.of([0, 0, 2, 4]);
    this.#spite = chance.of([0, 0, 0, 0.6]);
    this.#portion = chance.of([1, 2, 3, 500]);
    const desired = desiredOf(chance, state);
    this.#other = new Other(this.#sandbox, chance, desired.content);
    const register = new Register(state);
    const caller = callerOf(state).delivery_email;
    const history = new History<By>(state);
    this.story = { seed, desired, register, caller, history, attempts: [], state, left: [] };
  }

  async #meddle(): Promise<void> {
    await this.#other.act();
    this.story.history.record("other");
  }

  async #serve(attempt: Attempt, request: HttpRequest) {
    const { history } = this.story;
    const response = await this.#sandbox.handle(request);
    if (request.method === "GET" || reads(request.url)) history.tick();
    else history.record(attempt);
    attempt.served.set(request, { at: history.now, facts: history.facts });
    if (attempt.calm) return response;
    const first = request.url.endsWith("/register") && !attempt.read;
    if (first) attempt.read = true;
    // Changes between the two reads matter most.
    if (this.#chance.hits(first ? this.#haste : this.#bustle)) await this.#meddle();
    if (first && this.#chance.hits(this.#spite)) {
      await this.#other.provoke();
      history.record("other");
    }
    return response;
  }

  async #attempt(
    words: string[],
    { calm = false, planner }: { calm?: boolean; planner?: Attempt } = {},
  ): Promise<Attempt> {
    const chance = this.#chance;
    const time = this.#time;
    const lifetime = calm || chance.hits(0.4) ? Number.POSITIVE_INFINITY : chance.whole(20, 250);
    const process = new Process(time, chance, lifetime);
    const stop = new AbortController();
    setMaxListeners(0, stop.signal);
    const passages: Transfer[] = [];
    const made: Attempt = {
      words,
      planner,
      passages,
      served: new Map(),
      calm,
      process,
      read: false,
      out: "",
      err: "",
      over: Number.POSITIVE_INFINITY,
      unmet: [],
    };
    this.story.attempts.push(made);
    const network = new Network(time, chance, this.#weather, (request) => this.#serve(made, request));
    const now = () => time.now + noon;
    const portion = this.#portion;
    const place = { process, stop: stop.signal, disk: this.#disk, time, now, chance, network, passages, portion };
    const { delivery_email, api_key } = callerOf(this.story.state);
    const world: World = {
      ...worldOf(place, calm),
      env: { ZULIP_SITE: site, ZULIP_EMAIL: delivery_email, ZULIP_API_KEY: api_key },
    };
    if (!calm && chance.hits(0.05)) time.after(chance.whole(0, 5000), () => stop.abort(new Interrupted("SIGTERM")));
    const work = main(words, world).then((code) => {
      made.code = code;
    });
    await Promise.race([work, process.death]);
    made.out = (world.stdout as Captured).text;
    made.err = (world.stderr as Captured).text;
    made.over = this.story.history.now;
    made.unmet = differingFacts(this.story.desired, this.story.history.facts, this.story.register);
    return made;
  }

  async #writeFile(): Promise<void> {
    const writer = new Process(this.#time, this.#chance, Number.POSITIVE_INFINITY);
    const reliable = { writes: Number.POSITIVE_INFINITY, syncs: Number.POSITIVE_INFINITY };
    await this.#disk.of(writer, reliable).write(file, JSON.stringify(this.story.desired.content));
  }

  /** Each run has a journal of its own. */
  #applying(what: string): string[] {
    return ["org", "apply", what, "--journal", `/state/${this.story.attempts.length}.jsonl`, "-o", "json", "--yes"];
  }

  /** Applies the file, or a plan of it. */
  async #troubled(): Promise<void> {
    const { desired, attempts } = this.story;
    if (this.#chance.hits(0.8)) {
      await this.#attempt([...this.#applying(file), ...flagsOf(desired, true)]);
      return;
    }
    const plan = `/files/plan-${attempts.length}.json`;
    const planner = await this.#attempt(["org", "plan", file, "--out", plan, ...flagsOf(desired, true)]);
    if (planner.code === 0) await this.#attempt([...this.#applying(plan), ...flagsOf(desired, false)], { planner });
  }

  async #calm(): Promise<void> {
    const overrides = ["--allow-empty", "--allow-lockout", "--max-removals", "1000"];
    const pruning = this.story.desired.prune ? ["--prune"] : [];
    await this.#attempt([...this.#applying(file), ...overrides, ...pruning], { calm: true });
  }

  async #proceed(): Promise<void> {
    const chance = this.#chance;
    const time = this.#time;
    const { history, state, desired, register } = this.story;
    await this.#writeFile();
    for (let n = chance.whole(0, 2); n > 0; n--) time.after(chance.whole(0, 3000), () => void this.#meddle());
    for (let n = chance.of([1, 2, 2, 3]); n > 0; n--) {
      await this.#troubled();
      for (let acts = chance.whole(0, this.#interest); acts > 0; acts--) await this.#meddle();
      if (!chance.hits(0.2)) continue;
      this.#disk.lose();
      await this.#writeFile();
    }
    this.#weather.faultRate = 0;
    this.#bustle = 0;
    // Requests on their way arrive before the last runs.
    await time.sleep(300_000);
    restore(state);
    history.record("end");
    await this.#calm();
    // If that run had nothing to do, another has nothing to do either.
    if (this.story.attempts.at(-1)!.passages.some(changes)) await this.#calm();
    this.story.left = differingFacts(desired, history.facts, register);
  }

  async run(): Promise<Story> {
    await this.#time.until(this.#proceed());
    return this.story;
  }
}

export const playStory = (seed: number): Promise<Story> => new Simulation(seed).run();

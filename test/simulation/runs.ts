/** Runs command lines one after the other while processes die and the network fails. */
import { setMaxListeners } from "node:events";
import { main } from "../../src/main.ts";
import { createSandbox, type Sandbox, type SandboxOptions, type SandboxState } from "../../src/sandbox/index.ts";
import type { Captured } from "../world.ts";
import type { Chance } from "./chance.ts";
import { Disk } from "./disk.ts";
import { type Conditions, Network } from "./network.ts";
import { worldOf } from "./place.ts";
import { Process } from "./process.ts";
import { Time } from "./time.ts";

const site = "https://chat.example";
export const noon = Date.UTC(2026, 0, 15, 12);

/** Creates the organization of a story. */
export const organizationOf = (world: SandboxOptions["world"], chance: Chance): SandboxState =>
  createSandbox({ site, clock: { now: () => noon }, random: () => chance.next(), world }).state;

export interface RunResult {
  /** Undefined if the process died. */
  code?: number;
  out: string;
  err: string;
}

export class Runs {
  readonly time = new Time();
  readonly disk: Disk;
  readonly sandbox: Sandbox;
  readonly weather: Conditions;
  /** The smallest and largest number of steps of a process that dies. */
  readonly #lifetime: readonly [number, number];
  readonly #chance: Chance;
  readonly #account: string;

  /** `account`: the address of the account that runs them. */
  constructor(
    state: SandboxState,
    chance: Chance,
    { trouble, account, lifetime = [20, 150] }: { trouble: number; account: string; lifetime?: [number, number] },
  ) {
    this.#chance = chance;
    this.#account = account;
    this.#lifetime = lifetime;
    this.disk = new Disk(chance);
    this.weather = { faultRate: trouble, rejectsAll: false };
    const clock = { now: () => this.time.now + noon };
    this.sandbox = createSandbox({ site, rateLimits: false, clock, random: () => chance.next(), state });
  }

  async run(words: readonly string[]): Promise<RunResult> {
    const [chance, time] = [this.#chance, this.time];
    const calm = this.weather.faultRate === 0;
    const process = new Process(
      time,
      chance,
      calm || chance.hits(0.3) ? Number.POSITIVE_INFINITY : chance.whole(...this.#lifetime),
    );
    const stop = new AbortController();
    setMaxListeners(0, stop.signal);
    const network = new Network(time, chance, this.weather, this.sandbox.handle);
    const now = () => time.now + noon;
    const place = { process, stop: stop.signal, disk: this.disk, time, now, chance, network, passages: [] };
    const people = [...this.sandbox.state.users.values()];
    const key = people.find(({ delivery_email }) => delivery_email === this.#account)?.api_key ?? "";
    const env = { ZULIP_SITE: site, ZULIP_EMAIL: this.#account, ZULIP_API_KEY: key };
    const world = { ...worldOf(place, calm), env };
    let code: number | undefined;
    const work = main([...words], world).then((ended) => {
      code = ended;
    });
    await Promise.race([work, process.death]);
    const [out, err] = [world.stdout as Captured, world.stderr as Captured].map(({ text }) => text);
    return { ...(code !== undefined && { code }), out: out ?? "", err: err ?? "" };
  }

  /** Ends all faults, after requests on their way have arrived. */
  async calm(): Promise<void> {
    this.weather.faultRate = 0;
    await this.time.sleep(300_000);
  }
}

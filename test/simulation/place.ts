/** The world of one simulated process. */
import { NoAnswer, Secret, type World } from "../../src/world/world.ts";
import { captured } from "../world.ts";
import type { Chance } from "./chance.ts";
import type { Disk } from "./disk.ts";
import type { Network, Transfer } from "./network.ts";
import type { Process } from "./process.ts";
import type { Time } from "./time.ts";

export interface ProcessContext {
  process: Process;
  stop: AbortSignal;
  disk: Disk;
  time: Time;
  /** The system clock, which somebody may set. */
  now: () => number;
  chance: Chance;
  network: Network;
  /** Receives what the process sends. */
  passages: Transfer[];
  /** People in one request of a long list. */
  portion?: number;
}

/** Returns how many times something works before it fails. Usually there is no limit. */
const failureCount = (chance: Chance): number => (chance.hits(0.02) ? chance.whole(1, 30) : Number.POSITIVE_INFINITY);

export function worldOf(place: ProcessContext, calm: boolean): World {
  const { process, stop, disk, time, now, chance, network, passages, portion } = place;
  // Every process has a monotonic clock with a random start.
  const base = chance.whole(-1_000_000_000, 1_000_000_000);
  const reliable = { writes: Number.POSITIVE_INFINITY, syncs: Number.POSITIVE_INFINITY };
  return {
    version: "0",
    installation: async () => {
      throw new Error("doctor is not simulated");
    },
    platform: "simulation",
    env: {},
    directories: { home: "/home", cache: "/cache", state: "/state" },
    stdin: { isTerminal: false, bytes: async function* () {} },
    stdout: captured(),
    stderr: captured(),
    clock: {
      now,
      monotonic: () => time.now + base,
      random: () => chance.next(),
      sleep: (ms, signal) => process.waitFor(time.sleep(ms, signal)),
    },
    connect: async () => ({
      request: async (request) => {
        const { passage, settled } = await process.step(() => {
          const { passage, response: going } = network.request(request);
          passages.push(passage);
          const settled = going.then(
            (response) => () => {
              passage.isSettled = true;
              return response;
            },
            (error) => () => {
              passage.isSettled = true;
              throw error;
            },
          );
          return { passage, settled };
        });
        const stopped = new Promise<() => never>((resolve) => {
          request.signal?.addEventListener("abort", () =>
            resolve(() => {
              throw new NoAnswer("interrupted", "stopped", true);
            }),
          );
        });
        const outcome = await process.waitFor(Promise.race([settled, stopped]));
        return process.step(() => {
          passage.settledAt = time.now;
          return outcome();
        });
      },
      close: async () => undefined,
    }),
    prompts: { confirm: async () => true, password: async () => new Secret(""), text: async () => "" },
    peers: {
      proxyFor: async () => undefined,
      addressesOf: async () => [],
      certificateOf: async () => ({ expires: 0, issuer: "" }),
    },
    keychain: { get: async () => undefined, set: async () => undefined, forget: async () => false },
    files: disk.of(process, calm ? reliable : { writes: failureCount(chance), syncs: failureCount(chance) }),
    settings: {
      path: "/config",
      load: async () => undefined,
      edit: (work) => work(undefined, async () => undefined),
    },
    processes: async () => ({ own: "simulated", stateOf: () => "dead" }),
    signals: { stop, unansweredChanges: 0, runBlocking: (work) => work() },
    run: async () => ({ code: 1, stdout: "", stderr: "" }),
    runWithStreams: () => Promise.reject(new Error("no programs in this world")),
    ...(portion !== undefined && { peoplePerRequest: portion }),
    embed: () => Promise.reject(new Error("no embedded server in this world")),
  };
}

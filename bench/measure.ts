/** Runs commands as processes, in turn, and measures time and memory. */
import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { performance } from "node:perf_hooks";

export type Command = readonly string[];
export type Env = Record<string, string>;

export interface Took {
  /** Milliseconds. */
  time: number;
  /** The peak memory of the largest process, in MiB. Undefined if it was not measured. */
  peak: number | undefined;
  out: string;
}

const gnuTime = "/usr/bin/time";
const counted = process.platform === "linux" && existsSync(gnuTime);

interface Manner {
  /** Its output is read and discarded. */
  quietly?: boolean;
  /** Measures memory, with another process that takes a millisecond. */
  memory?: boolean;
}

/** Rejects if the command fails. */
export function run(command: Command, env: Env, { quietly = true, memory = true }: Manner = {}): Promise<Took> {
  const argv = counted && memory ? [gnuTime, "--quiet", "-f", "peak %M", ...command] : [...command];
  return new Promise((resolve, reject) => {
    const begun = performance.now();
    const child = spawn(argv[0]!, argv.slice(1), { env, stdio: ["ignore", "pipe", "pipe"] });
    let out = "";
    let err = "";
    child.stdout.on("data", (chunk) => {
      if (!quietly) out += chunk;
    });
    child.stderr.on("data", (chunk) => {
      err += chunk;
    });
    child.once("error", reject);
    child.once("close", (code) => {
      const time = performance.now() - begun;
      if (code !== 0) return reject(new Error(`${command.join(" ")} ended with ${code}: ${err.slice(-500)}`));
      const peak = /peak (\d+)\s*$/.exec(err)?.[1];
      resolve({ time, peak: peak === undefined ? undefined : Number(peak) / 1024, out });
    });
  });
}

/** Runs each command once unmeasured, then all in turn, `rounds` times, so that disturbances affect all alike. */
export async function inTurn<N extends string>(
  commands: Record<N, Command>,
  env: Env,
  { rounds, ...manner }: Manner & { rounds: number },
): Promise<Record<N, Took[]>> {
  const names = Object.keys(commands) as N[];
  const took = Object.fromEntries(names.map((name) => [name, [] as Took[]])) as Record<N, Took[]>;
  for (let round = 0; round <= rounds; round++)
    for (const name of names) {
      const one = await run(commands[name], env, manner);
      if (round > 0) took[name].push(one);
    }
  return took;
}

export interface Spread {
  median: number;
  low: number;
  high: number;
}

/** The median, and the quartiles. */
export function spread(values: readonly number[]): Spread {
  const sorted = [...values].sort((one, other) => one - other);
  const at = (part: number) => {
    const place = part * (sorted.length - 1);
    const [before, after] = [sorted[Math.floor(place)]!, sorted[Math.ceil(place)]!];
    return before + (after - before) * (place - Math.floor(place));
  };
  return { median: at(0.5), low: at(0.25), high: at(0.75) };
}

/** Of two that ran in turn, round by round. */
export const ratio = (ones: readonly number[], others: readonly number[]): Spread =>
  spread(ones.map((one, at) => one / others[at]!));

/** Returns the cost of a thousand more: the slope of the best straight line. */
export function slope(points: readonly (readonly [thousands: number, value: number])[]): number {
  const mean = (values: number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;
  const [x, y] = [mean(points.map(([at]) => at)), mean(points.map(([, value]) => value))];
  const over = points.reduce((sum, [at, value]) => sum + (at - x) * (value - y), 0);
  return over / points.reduce((sum, [at]) => sum + (at - x) ** 2, 0);
}

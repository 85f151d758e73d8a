/** Runs commands as whole processes, in turn, and tells what they took. */
import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { performance } from "node:perf_hooks";

export type Command = readonly string[];
export type Env = Record<string, string>;

export interface Took {
  /** Milliseconds. */
  time: number;
  /** MiB at most, of the largest process, as the operating system counted; undefined where it is not asked. */
  peak: number | undefined;
  out: string;
}

const gnuTime = "/usr/bin/time";
const counted = process.platform === "linux" && existsSync(gnuTime);

interface Manner {
  /** What it prints is read and thrown away. */
  quietly?: boolean;
  /** Count memory, which takes a further process and a millisecond. */
  memory?: boolean;
}

/** Rejects where the command fails. */
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

/** Each command once uncounted, then all in turn, `rounds` times: what disturbs the machine disturbs all alike. */
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

/** The median, and the quartiles around it. */
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

/** What a thousand more cost: the slope of the straight line that fits best. */
export function slope(points: readonly (readonly [thousands: number, value: number])[]): number {
  const mean = (values: number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;
  const [x, y] = [mean(points.map(([at]) => at)), mean(points.map(([, value]) => value))];
  const over = points.reduce((sum, [at, value]) => sum + (at - x) * (value - y), 0);
  return over / points.reduce((sum, [at]) => sum + (at - x) ** 2, 0);
}

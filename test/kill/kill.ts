/** Kills the built program at random times during a batch, resumes it, and checks what the server has. */
import { type ChildProcess, spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { Chance } from "../simulation/chance.ts";
import { type DesiredRow, organizationFor, rowsOf, type Started, thingsThere } from "./organization.ts";
import { Relay } from "./relay.ts";
import { type RowResult, violations } from "./violations.ts";

export interface Tally {
  /** Runs that were killed, and those that ended before that. */
  killed: number;
  missed: number;
  /** Kills by what was on disk: no journal, a journal without requests, one with requests. */
  killedAfter: { journal: number; request: number; end: number };
  /** Rows by the outcome that the last run printed. */
  outcomes: Record<string, number>;
  violations: string[];
}

const count = (counts: Record<number | string, number>, what: number | string): void => {
  counts[what] = (counts[what] ?? 0) + 1;
};

const environment = (home: string) => ({ PATH: process.env.PATH ?? "", HOME: home, LANG: "C.UTF-8" });

async function lineFrom(child: ChildProcess): Promise<string> {
  let text = "";
  for await (const chunk of child.stdout!.setEncoding("utf8")) {
    text += chunk;
    if (text.includes("\n")) return text.slice(0, text.indexOf("\n"));
  }
  throw new Error("the sandbox ended before it was ready");
}

/** Reads the printed records. The last line may be incomplete. */
const resultsIn = (out: string): RowResult[] =>
  out
    .split("\n")
    .slice(0, -1)
    .map((line) => JSON.parse(line) as RowResult);

interface KillContext {
  /** The launcher of the built program. */
  program: string;
  home: string;
  started: Started;
  tally: Tally;
}

/** One file of rows: its run is killed once or twice, and resumed to its end. */
class Case {
  readonly #context: KillContext;
  readonly #chance: Chance;
  readonly #relay: Relay;
  readonly #rows: DesiredRow[];
  readonly #file: string;
  readonly #journal: string;
  /** The same words each time. */
  readonly #words: string[];
  /** The results that killed runs printed. */
  readonly #earlier: RowResult[] = [];

  constructor(n: number, place: KillContext, chance: Chance, relay: Relay) {
    this.#context = place;
    this.#chance = chance;
    this.#relay = relay;
    this.#rows = rowsOf(n, place.started, chance);
    this.#file = join(place.home, `${n}.txt`);
    this.#journal = join(place.home, `${n}.jsonl`);
    this.#words = chance.hits(0.5) ? ["--no-merge"] : [];
  }

  async runToEnd(): Promise<string[]> {
    await writeFile(this.#file, this.#rows.map(({ line }) => `${line}\n`).join(""));
    for (let kills = this.#chance.hits(0.3) ? 2 : 1; kills > 0; kills--) {
      await this.#runAndKill();
      this.#relay.run++;
    }
    this.#relay.lossRate = 0;
    const { code, out, err } = await this.#run();
    const results = resultsIn(out);
    const { requests } = this.#relay;
    const { tally, started } = this.#context;
    for (const { outcome } of results) count(tally.outcomes, outcome);
    const expected = results.some(({ outcome }) => outcome === "unknown") ? 7 : 5;
    const found = violations({
      rows: this.#rows,
      earlierResults: this.#earlier,
      results,
      requests,
      lastRun: this.#relay.run,
      journaled: await this.#journaledRequests(),
      existing: await thingsThere(started),
    });
    if (code !== expected) found.push(`the last run ended with ${code} and not ${expected}: ${err}`);
    return found.map((violation) => `${this.#file} (${this.#words.join(" ")}): ${violation}`);
  }

  async #journaledRequests(): Promise<Map<number, number>> {
    const recorded = new Map<number, number>();
    const journal = existsSync(this.#journal) ? await readFile(this.#journal, "utf8") : "";
    for (const line of journal.split("\n").slice(1, -1)) {
      const { rows = [] } = JSON.parse(line) as { rows?: number[] };
      for (const row of rows) recorded.set(row, (recorded.get(row) ?? 0) + 1);
    }
    return recorded;
  }

  #spawn(): ChildProcess {
    const { users } = this.#context.started;
    const { email, api_key } = users.find(({ role }) => role === 100)!;
    const how = existsSync(this.#journal) ? ["--resume", this.#journal] : ["--journal", this.#journal];
    const argv = ["batch", this.#file, "--format", "lines", "--settle", "1", "-o", "ndjson", ...this.#words, ...how];
    const credentials = { ZULIP_SITE: this.#relay.site, ZULIP_EMAIL: email, ZULIP_API_KEY: api_key };
    return spawn(process.execPath, [this.#context.program, ...argv], {
      env: { ...environment(this.#context.home), ...credentials },
      stdio: ["ignore", "pipe", "pipe"],
    });
  }

  async #run(child = this.#spawn()): Promise<{ code: number | null; out: string; err: string }> {
    const texts = { out: "", err: "" };
    child.stdout!.setEncoding("utf8").on("data", (text) => {
      texts.out += text;
    });
    child.stderr!.setEncoding("utf8").on("data", (text) => {
      texts.err += text;
    });
    const code = await new Promise<number | null>((resolve, reject) => {
      child.on("error", reject);
      child.on("close", resolve);
    });
    return { code, ...texts };
  }

  /** Most kills come near a request, the others at any time of the run. */
  async #runAndKill(): Promise<void> {
    const chance = this.#chance;
    const relay = this.#relay;
    const { tally } = this.#context;
    relay.lossRate = chance.of([0, 0.1]);
    const child = this.#spawn();
    let phases = 0;
    const killBatches = () => void child.kill("SIGKILL");
    const moment = chance.hits(0.2) ? undefined : chance.whole(1, chance.of([6, 30, 90]));
    relay.onEvent = () => {
      if (++phases === moment) void sleep(chance.whole(0, 20)).then(killBatches);
    };
    const timer = moment === undefined ? setTimeout(killBatches, chance.whole(60, 900)) : undefined;
    const { code, out } = await this.#run(child);
    this.#earlier.push(...resultsIn(out));
    clearTimeout(timer);
    relay.onEvent = () => {};
    if (code !== null) {
      tally.missed++;
      return;
    }
    tally.killed++;
    const journal = existsSync(this.#journal) ? await readFile(this.#journal, "utf8") : "";
    tally.killedAfter[journal === "" ? "journal" : journal.includes('{"sent":') ? "end" : "request"]++;
    // Requests that are on their way arrive.
    await sleep(60);
  }
}

/** Continues until so many runs were killed. The server is a process of the built program too. */
export async function kill(program: string, kills: number, seed: number): Promise<Tally> {
  const home = await mkdtemp(join(tmpdir(), "zulipctl-kill-"));
  const description = join(home, "world.json");
  await writeFile(description, JSON.stringify(organizationFor(kills * 2)));
  const argv = ["sandbox", "start", "--json", "--no-rate-limits", "--world", description];
  const sandbox = spawn(process.execPath, [program, ...argv], {
    env: environment(home),
    stdio: ["ignore", "pipe", "inherit"],
  });
  try {
    const started = JSON.parse(await lineFrom(sandbox)) as Started;
    const tally: Tally = {
      killed: 0,
      missed: 0,
      killedAfter: { journal: 0, request: 0, end: 0 },
      outcomes: {},
      violations: [],
    };
    let next = 0;
    const worker = async () => {
      while (tally.killed < kills && next < kills * 2) {
        const n = next++;
        const chance = new Chance(seed * 10_000 + n);
        const relay = await Relay.start(chance, started.site);
        try {
          const made = new Case(n, { program, home, started, tally }, chance, relay);
          tally.violations.push(...(await made.runToEnd()));
        } finally {
          await relay.close();
        }
      }
    };
    await Promise.all(Array.from({ length: 4 }, worker));
    return tally;
  } finally {
    const ended = new Promise((resolve) => sandbox.on("close", resolve));
    sandbox.kill("SIGKILL");
    await ended;
    await rm(home, { recursive: true, force: true });
  }
}

/** `watch`: from a change to the line of drift in a large organization, and the memory that a million events take. */
import { type ChildProcess, spawn } from "node:child_process";
import { readFile, writeFile } from "node:fs/promises";
import { createInterface, type Interface } from "node:readline";
import { createSandbox, listen } from "../src/sandbox/index.ts";
import type { HttpResponse } from "../src/world/world.ts";
import type { Bench } from "./bench.ts";
import { spread } from "./measure.ts";
import { large, serving } from "./organization.ts";
import type { Figure } from "./table.ts";

const rounds = 10;
const [few, many] = [100_000, 1_000_000];
const together = 1000;

/** Starts the program, and yields the lines that it prints. */
function started({ program, env }: Bench, site: string, argv: readonly string[], more: Record<string, string> = {}) {
  const [file = "", ...words] = [...program, "watch", ...argv, "-o", "ndjson"];
  const child = spawn(file, words, { env: { ...env(site), ...more }, stdio: ["ignore", "pipe", "inherit"] });
  const lines = createInterface({ input: child.stdout! });
  return { child, lines };
}

const next = (lines: Interface): Promise<string> => new Promise((resolve) => lines.once("line", resolve));

/** The time from a change to its line, and from its end to that line, in milliseconds. */
async function drift(bench: Bench): Promise<number[]> {
  const { site, sandbox, account, close } = await serving(large, { again: false });
  const file = bench.file("drift.yaml");
  await writeFile(file, `organization: ${site}\nchannels:\n  - name: channel 1\n    description: Wanted\n`);
  const { child, lines } = started(bench, site, ["--plan", file], account);
  const took: number[] = [];
  try {
    await next(lines);
    const channel = [...sandbox.state.channels.values()].find(({ name }) => name === "channel 1")!;
    for (let round = 0; round < rounds; round++) {
      const begun = performance.now();
      await fetch(`${site}/api/v1/streams/${channel.stream_id}`, {
        method: "PATCH",
        headers: { authorization: `Basic ${btoa(`${account.ZULIP_EMAIL}:${account.ZULIP_API_KEY}`)}` },
        body: new URLSearchParams({ description: round % 2 ? "Other" : "Wanted" }),
      });
      await next(lines);
      took.push(performance.now() - begun);
    }
  } finally {
    await ended(child);
    await close();
  }
  return took;
}

async function ended(child: ChildProcess): Promise<void> {
  child.kill("SIGKILL");
  if (child.exitCode === null && child.signalCode === null)
    await new Promise((resolve) => child.once("close", resolve));
}

const json = (body: object): HttpResponse => ({
  status: 200,
  headers: { "content-type": "application/json" },
  body: (async function* () {
    yield Buffer.from(JSON.stringify({ result: "success", msg: "", ...body }));
  })(),
});

/** MiB that the process took at most until it has printed so many records; undefined where the system does not say. */
async function memory(bench: Bench, events: number): Promise<number | undefined> {
  let sent = 0;
  const { site, sandbox, close } = await listen(
    0,
    (site) => {
      const made = createSandbox({ site, clock: Date, random: Math.random, rateLimits: false });
      const handle: typeof made.handle = async (request, ...more) => {
        if (request.method !== "GET" || !request.url.includes("/api/v1/events?") || sent >= events)
          return made.handle(request, ...more);
        const batch = Array.from({ length: together }, (_, n) => ({
          id: sent + n,
          type: "realm",
          op: "update",
          property: "description",
          value: `Description ${sent + n}`,
        }));
        sent += together;
        return json({ events: batch });
      };
      return { ...made, handle };
    },
    (error) => {
      throw error;
    },
  );
  const { delivery_email, api_key } = [...sandbox.state.users.values()].find(({ role }) => role === 100)!;
  const { child, lines } = started(bench, site, [], { ZULIP_EMAIL: delivery_email, ZULIP_API_KEY: api_key });
  try {
    let printed = 0;
    for await (const _ of lines) if (++printed === events) break;
    const status = await readFile(`/proc/${child.pid}/status`, "utf8").catch(() => "");
    const peak = /VmHWM:\s+(\d+)/.exec(status)?.[1];
    return peak === undefined ? undefined : Number(peak) / 1024;
  } finally {
    await ended(child);
    await close();
  }
}

export async function watch(bench: Bench): Promise<Figure[]> {
  const took = await drift(bench);
  const [before, after] = [await memory(bench, few), await memory(bench, many)];
  return [
    { what: "watch --plan, from a change to its line", value: spread(took), unit: "ms", ratios: {} },
    ...(before === undefined || after === undefined
      ? []
      : [
          {
            what: "watch, memory over 1,000,000 events",
            value: spread([after]),
            unit: "MiB" as const,
            ratios: { "100,000": spread([after / before]) },
          },
        ]),
  ];
}

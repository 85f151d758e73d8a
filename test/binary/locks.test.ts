/** Two runs with one journal. Neither can see the processes of the other. */
import { spawnSync } from "node:child_process";
import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { directory } from "../node/directory.ts";
import { command, type Ended, environment, start } from "./program.ts";

const contained = ["unshare", "--pid", "--fork", "--kill-child", "--mount-proc"];
const [unshare = "", ...words] = contained;
const containers = spawnSync(unshare, [...words, "true"]).status === 0;
if (!containers) console.warn("no test of locks in containers: this account may not make namespaces of processes");

/** A slow server that records all changes. */
async function slow(ms: number): Promise<{ env: Record<string, string>; changes: string[] }> {
  const changes: string[] = [];
  const server = createServer((request, response) => {
    let body = "";
    request.on("data", (chunk) => {
      body += chunk;
    });
    request.on("end", () => {
      // A creation first reads what exists.
      if (request.method === "GET")
        return response
          .setHeader("content-type", "application/json")
          .end(JSON.stringify({ result: "success", msg: "", channel_folders: [] }));
      changes.push(body);
      const answer = JSON.stringify({ result: "success", msg: "", channel_folder_id: changes.length });
      setTimeout(() => response.setHeader("content-type", "application/json").end(answer), ms);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    return new Promise<void>((resolve) => server.close(() => resolve()));
  });
  const site = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return { env: { ZULIP_SITE: site, ZULIP_EMAIL: "a@x.example", ZULIP_API_KEY: "k" }, changes };
}

const rows = 400;

/** Starts or resumes the batch. `before`: the words before the program. */
function batch(home: string, env: Record<string, string>, flags: string[], before: string[] = []) {
  const file = join(home, "rows.lines");
  writeFileSync(file, Array.from({ length: rows }, (_, n) => `folder create F${n}\n`).join(""));
  const argv = ["batch", file, "-o", "ndjson", "--feature-level", "442", "-q", ...flags];
  const [first = "", ...rest] = [...before, ...command, ...argv];
  const { child, ended } = start([first, ...rest], { env: { ...environment(home), ...env } });
  const outcomesOf = ({ code, out, err }: Ended) => {
    const lines = out.split("\n").filter(Boolean);
    return { code, err, outcomes: lines.map((line): string => JSON.parse(line).outcome) };
  };
  return { child, ended: ended.then(outcomesOf) };
}

const count = (outcomes: string[], which: string) => outcomes.filter((each) => each === which).length;

const twice = (changes: string[]) => changes.length - new Set(changes).size;

test("a run that loses its lock sends nothing more, and reports its results", async () => {
  const home = directory();
  const journal = join(home, "journal");
  const { env, changes } = await slow(50);
  const first = batch(home, env, ["--journal", journal]);
  await expect.poll(() => changes.length, { timeout: 20_000 }).toBeGreaterThan(5);
  // Somebody removes the lock as that of a dead run, and resumes.
  rmSync(`${journal}.lock`, { recursive: true });
  const second = batch(home, env, ["--resume", journal]);
  const { code, outcomes, err } = await first.ended;
  expect({ code, outcomes: outcomes.length, unknown: count(outcomes, "unknown") }).toEqual({
    code: 5,
    outcomes: rows,
    unknown: 0,
  });
  expect(err).toContain(
    `the journal ${journal} is no longer this run's: its lock was taken by another run, or removed`,
  );
  const other = await second.ended;
  expect(twice(changes)).toBe(0);
  expect(changes).toHaveLength(rows);
  // The second run cannot know about requests that were underway when the lock was removed.
  const { done, unknown } = { done: count(other.outcomes, "done"), unknown: count(other.outcomes, "unknown") };
  expect([done + unknown, other.code]).toEqual([rows, unknown ? 7 : 0]);
  expect(unknown).toBeLessThanOrEqual(2);
}, 60_000);

describe.runIf(containers)("in containers that share a directory", () => {
  test("a run that was stopped for half a minute loses its journal, and sends nothing more", async () => {
    const home = directory();
    const journal = join(home, "journal");
    const { env, changes } = await slow(50);
    const first = batch(home, env, ["--journal", journal], contained);
    await expect.poll(() => changes.length, { timeout: 20_000 }).toBeGreaterThan(5);
    const inside = Number(readFileSync(`/proc/${first.child.pid}/task/${first.child.pid}/children`, "utf8"));
    process.kill(inside, "SIGSTOP");
    const second = await batch(home, env, ["--resume", journal], contained).ended;
    expect([0, 7]).toContain(second.code);
    const sent = changes.length;
    process.kill(inside, "SIGCONT");
    const { code, err } = await first.ended;
    expect([5, 7]).toContain(code);
    expect(err).toContain("is no longer this run's");
    expect([changes.length, twice(changes)]).toEqual([sent, 0]);
  }, 120_000);
});

/** The built program gets SIGHUP, as from a closed terminal. */
import { spawn } from "node:child_process";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { injectFaults, parseFault } from "../../src/sandbox/index.ts";
import { environment, program, serving, zulipctl } from "../binary/program.ts";
import { directory } from "../node/directory.ts";
import { column, count } from "./rows.ts";

const real = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));

/** A batch that creates 60 folders, each in 150 ms. */
async function setting() {
  const disturb = injectFaults([parseFault("latency:ms=150,op=folder.create")], real);
  const { env, sandbox } = await serving({ rateLimits: false, disturb });
  const home = directory();
  const [file, journal] = [join(home, "rows.csv"), join(home, "journal")];
  writeFileSync(
    file,
    column(
      "name",
      count(60).map((each) => `folder ${each}`),
    ),
  );
  const words = ["--", "folder", "create", "{name}"];
  return { env: { ...environment(home), ...env }, sandbox, home, file, journal, words };
}

const lines = (journal: string) =>
  readFileSync(journal, "utf8")
    .split("\n")
    .filter(Boolean)
    .map((line) => JSON.parse(line) as Record<string, unknown>);

const tally = (journal: string, member: string) => lines(journal).filter((line) => member in line).length;

async function until(condition: () => boolean): Promise<void> {
  while (!condition()) await real(50);
}

/** Every request has its answer on disk, and the resumed run sends only the rest. */
async function checkResumable({ env, sandbox, file, journal, words }: Awaited<ReturnType<typeof setting>>) {
  const created = sandbox.state.folders.size - 2;
  expect(created).toBeGreaterThan(0);
  expect(created).toBeLessThan(60);
  // A request that the signal stopped before the network is recorded as returned.
  expect(tally(journal, "sent") - tally(journal, "returned")).toBe(created);
  expect(tally(journal, "answered")).toBe(created);
  const again = await zulipctl(["batch", file, "--resume", journal, "-o", "none", "-q", ...words], { env });
  expect(again).toMatchObject({ code: 0, out: "", err: "" });
  expect(sandbox.state.folders.size).toBe(62);
}

test.each([
  ["SIGHUP", ""],
  ["SIGHUP that the parent ignores, as under nohup", "trap '' HUP; "],
])("%s: waits for the current request, sends no more, and ends with 129", async (_, before) => {
  const all = await setting();
  const { env, file, journal, words } = all;
  const argv = [process.execPath, program, "batch", file, "--journal", journal, "-o", "none", ...words];
  const child = spawn("sh", ["-c", `${before}exec "$@"`, "sh", ...argv], { env, stdio: ["ignore", "ignore", "pipe"] });
  let err = "";
  child.stderr.on("data", (text) => {
    err += text;
  });
  const ended = new Promise((resolve) => child.on("close", resolve));
  await until(() => existsSync(journal) && tally(journal, "answered") > 4);
  child.kill("SIGHUP");
  expect(await ended).toBe(129);
  expect(err).toMatch(/^zulipctl: interrupted: \d+ of 60 rows done, \d+ not sent\nResume with: /);
  await checkResumable(all);
});

// Loaded beforehand: a run in virtual time does not wait for it.
import "../../src/output/bar.ts";
import { describe, expect, test } from "vitest";
import { main } from "../../src/main.ts";
import { credentials, fresh } from "../run.ts";
import { testWorld } from "../world.ts";
import { column, count } from "./rows.ts";

/** A run of so many rows, of which each takes `seconds`, and the tenth is refused. */
async function run(rows: number, seconds: number, argv: string[], { terminal = false, piped = false } = {}) {
  const sandbox = fresh();
  const ids = count(rows).map((n) => (n === 9 ? "Projects" : `folder ${n}`));
  const world = testWorld({
    env: credentials(sandbox),
    terminal,
    files: new Map([["rows.csv", column("name", ids)]]),
    http: async (request) => {
      await world.clock.sleep(seconds * 1000);
      // What is loaded when it is wanted is there by the next row.
      await new Promise(setImmediate);
      return sandbox.handle(request);
    },
  });
  const stdout = piped ? { ...world.stdout, isTerminal: false } : world.stdout;
  const words = [...argv, "--", "folder", "create", "{name}"];
  const code = await main(["batch", "rows.csv", ...words], { ...world, stdout });
  return { code, err: world.stderr.text, out: stdout.text };
}

describe("without a terminal", () => {
  test("a line on stderr every ten seconds tells how many rows, how fast, and what was refused", async () => {
    const { err, code } = await run(20, 3, ["-o", "none"]);
    expect(code).toBe(5);
    const lines = err.split("\n").filter((line) => / rows, /.test(line));
    // The first of the requests asks for the feature level.
    expect(lines).toEqual([
      "zulipctl: 3 of 20 rows, 0.3 a second, 1 min 8 s left",
      "zulipctl: 7 of 20 rows, 0.3 a second, 45 s left",
      "zulipctl: 11 of 20 rows, 1 refused, 0.3 a second, 30 s left",
      "zulipctl: 15 of 20 rows, 1 refused, 0.3 a second, 16 s left",
      "zulipctl: 19 of 20 rows, 1 refused, 0.3 a second, 4 s left",
    ]);
  });

  test("the changes of an organization are called so", async () => {
    const sandbox = fresh();
    const world = testWorld({
      env: credentials(sandbox),
      files: new Map([["o.yaml", "folders: [{ name: One }, { name: Two }, { name: Three }]"]]),
      http: async (request) => {
        await world.clock.sleep(6000);
        await new Promise(setImmediate);
        return sandbox.handle(request);
      },
    });
    await main(["org", "apply", "--yes", "o.yaml", "--no-verify", "-o", "none"], world);
    expect(world.stderr.text).toMatch(/\nzulipctl: \d of 3 changes, [\d.]+ a second, /);
  });

  test("a short run says nothing on its way, and --quiet nothing at all", async () => {
    expect((await run(9, 0.1, ["-o", "none"])).err).toBe("zulipctl: 9 of 9 rows done\n");
    expect((await run(9, 30, ["-o", "none", "-q"])).err).toBe("");
  });
});

describe("on a terminal", () => {
  /** What the bar said, each as it stood there. */
  const drawn = (err: string) => err.split("\x1b[1G").filter((text) => text.includes(" rows | "));

  test("a bar tells rate, time left and refusals, and is gone at the end", async () => {
    const { err } = await run(40, 2, ["-o", "none"], { terminal: true });
    const bars = drawn(err);
    expect(bars.length).toBeGreaterThan(0);
    for (const bar of bars)
      expect(bar).toMatch(/^[=-]{8,20} \d+ % \| \d+ of 40 rows \| [\d.]+ a second \| .* left \| \d+ refused/);
    expect(err.split("\x1b[2K").at(-1)).toContain("1 of 40 not done (1 refused): row 10 (Projects)");
    // Nothing was switched off that a kill would leave so.
    expect(err).not.toContain("\x1b[?25l");
    expect(err).not.toContain("\x1b[?7l");
  });

  test("there is none where the rows themselves arrive there, in a short run, or with --quiet", async () => {
    expect(drawn((await run(40, 2, ["-o", "ndjson"], { terminal: true })).err)).toEqual([]);
    expect(drawn((await run(40, 0.001, ["-o", "none"], { terminal: true })).err)).toEqual([]);
    expect(drawn((await run(40, 2, ["-o", "none", "-q"], { terminal: true })).err)).toEqual([]);
  });
});

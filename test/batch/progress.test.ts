import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { main } from "../../src/main.ts";
import { credentials, fresh } from "../run.ts";
import { testWorld } from "../world.ts";
import { column, count } from "./rows.ts";

// Timers use real time, but the clock of the world is virtual.
beforeEach(() => void vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] }));
afterEach(() => void vi.useRealTimers());

/** Each row takes `seconds`, and the tenth is refused. `tick`: runs timers during each request. */
async function run(rows: number, seconds: number, argv: string[], { terminal = false, tick = false } = {}) {
  const sandbox = fresh();
  const ids = count(rows).map((n) => (n === 9 ? "x".repeat(61) : `folder ${n}`));
  const world = testWorld({
    env: credentials(sandbox),
    terminal,
    files: new Map([["rows.csv", column("name", ids)]]),
    http: async (request) => {
      await world.clock.sleep(seconds * 1000);
      if (tick) vi.advanceTimersByTime(250);
      // The last row is reported first.
      await new Promise(setImmediate);
      return sandbox.handle(request);
    },
  });
  const words = [...argv, "--", "folder", "create", "{name}"];
  const code = await main(["batch", "rows.csv", ...words], world);
  return { code, err: world.stderr.text };
}

describe("without a terminal", () => {
  test("prints a line on stderr every ten seconds with rows, rate and refusals", async () => {
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

  test("prints a line while no row finishes", async () => {
    const { err } = await run(1, 11, ["-o", "none"], { tick: true });
    expect(err).toContain("zulipctl: 0 of 1 row, 0.0 a second\n");
  });

  test("counts changes instead of rows for org apply", async () => {
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

  test("prints no progress for a short run, and nothing with --quiet", async () => {
    expect((await run(9, 0.1, ["-o", "none"])).err).toBe("zulipctl: 9 of 9 rows done\n");
    expect((await run(9, 30, ["-o", "none", "-q"])).err).toBe("");
  });
});

describe("on a terminal", () => {
  const bars = async (argv: string[]) => {
    const { err } = await run(9, 3600, argv, { terminal: true, tick: true });
    return err.split("\r\x1b[K").filter((text) => text.includes(" rows | "));
  };

  test("shows a bar with rate, time left and refusals", async () => {
    const shown = await bars(["-o", "none"]);
    expect(shown.length).toBeGreaterThan(0);
    for (const bar of shown)
      expect(bar).toMatch(/^. [=-]{8} \d+ % \| \d of 9 rows \| [\d.]+ a second \| .* left \| \d refused$/);
  });

  test("shows no bar if rows are printed on the terminal, or with --quiet", async () => {
    expect(await bars(["-o", "ndjson"])).toEqual([]);
    expect(await bars(["-o", "none", "-q"])).toEqual([]);
  });
});

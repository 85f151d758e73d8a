/** A batch of the built program with somebody at the keyboard. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { disturbance } from "../../src/sandbox/disturb.ts";
import { parseFault } from "../../src/sandbox/faults.ts";
import { environment, serving, zulipctl } from "../binary/program.ts";
import { directory } from "../node/directory.ts";
import { left, note, plain, terminal } from "../terminal/terminal.ts";
import { column, count } from "./rows.ts";

const real = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));

describe.skipIf(left)(`in a terminal${note}`, () => {
  const create = ["--", "folder", "create", "{name}"];
  const slow = () =>
    serving({ rateLimits: false, disturb: disturbance([parseFault("latency:ms=150,op=folder.create")], real) });

  function rows(n: number): { file: string; journal: string } {
    const home = directory();
    const file = join(home, "rows.csv");
    writeFileSync(
      file,
      column(
        "name",
        count(n).map((each) => `folder ${each}`),
      ),
    );
    return { file, journal: join(home, "journal") };
  }

  test("a bar shows how far it is, and gives way to the result", async () => {
    const { env, sandbox } = await slow();
    const { file, journal } = rows(40);
    const screen = terminal(["batch", file, "--journal", journal, ...create], { env });
    await screen.sees(" of 40 rows | ");
    expect(await screen.ends()).toBe(0);
    expect(screen.screen).toMatch(/\d+ of 40 rows \| [\d.]+ a second \| \d+ s left \| 0 refused/);
    expect(plain(screen.screen)).toMatch(
      /zulipctl: 40 of 40 rows done\nROW +TARGET +OUTCOME +RESULT\n {2}1 +folder 0 +done/,
    );
    expect(sandbox.state.folders.size).toBe(42);
  });

  test("Ctrl-C awaits what is on its way, tells the rest, and --resume goes on", async () => {
    const { env, sandbox } = await slow();
    const { file, journal } = rows(60);
    const screen = terminal(["batch", file, "--journal", journal, "-o", "none", ...create], { env });
    await screen.sees(" of 60 rows | ");
    screen.types("\x03");
    expect(await screen.ends()).toBe(130);
    const made = sandbox.state.folders.size - 2;
    expect(made).toBeGreaterThan(0);
    expect(made).toBeLessThan(60);
    expect(plain(screen.screen)).toContain(`zulipctl: ${made} of 60 rows done, ${60 - made} not sent\n`);
    expect(plain(screen.screen)).toContain(`Give the same words and --resume ${journal} to go on.`);
    const again = await zulipctl(["batch", file, "--resume", journal, "-o", "none", "-q", ...create], {
      env: { ...environment(), ...env },
    });
    expect(again).toMatchObject({ code: 0, out: "", err: "" });
    expect(sandbox.state.folders.size).toBe(62);
  });

  test("one question confirms the run", async () => {
    const { env, sandbox } = await serving();
    const home = directory();
    writeFileSync(join(home, "rows.csv"), "id\n1\n2\n");
    const screen = terminal(["batch", join(home, "rows.csv"), "--", "attachment", "rm", "{id}"], { env });
    await screen.sees("2 changes of 2 rows must be confirmed");
    screen.types("y\r");
    expect(await screen.ends()).toBe(0);
    expect([...sandbox.state.attachments.keys()]).toEqual([3, 4]);
  });
});

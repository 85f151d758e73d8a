/** A batch of the built program at a terminal. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { injectFaults, parseFault } from "../../src/sandbox/index.ts";
import { serving } from "../binary/program.ts";
import { directory } from "../node/directory.ts";
import { left, note, plain, type Terminal, terminal } from "../terminal/terminal.ts";
import { column, count } from "./rows.ts";

/** The text on the screen after the last bar. */
const lastText = ({ screen }: Terminal): string => plain(screen.split("\r\x1b[K").at(-1)!);

const real = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));

describe.skipIf(left)(`in a terminal${note}`, () => {
  const create = ["--", "folder", "create", "{name}"];
  const slow = () =>
    serving({ rateLimits: false, disturb: injectFaults([parseFault("latency:ms=150,op=folder.create")], real) });

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

  test("shows a bar, and replaces it by the result", async () => {
    const { env, sandbox } = await slow();
    const { file, journal } = rows(40);
    const screen = terminal(["batch", file, "--journal", journal, ...create], { env });
    await screen.sees(" of 40 rows | ");
    expect(await screen.ends()).toBe(0);
    expect(screen.screen).toMatch(/\d+ of 40 rows \| [\d.]+ a second \| \d+ s left \| 0 refused/);
    expect(lastText(screen)).toMatch(/^zulipctl: 40 of 40 rows done\nUndo with: zulipctl undo \d{8}-1\n$/);
    expect(sandbox.state.folders.size).toBe(42);
  });

  const latency = (ms: number) =>
    serving({ rateLimits: false, disturb: injectFaults([parseFault(`latency:ms=${ms},op=folder.create`)], real) });

  test.each([40, 200])(
    "at %i columns the bar fits on its line, and Ctrl-C shows what zulipctl waits for",
    async (columns) => {
      const { env } = await latency(700);
      const { file, journal } = rows(5000);
      const screen = terminal(["batch", file, "--journal", journal, ...create], { env, columns });
      await screen.sees("4/5000|4 of 5000".split("|")[columns === 40 ? 0 : 1]!);
      screen.types("\x03");
      await screen.sees("finishing");
      expect(await screen.ends()).toBe(130);
      const bars = screen.screen
        .split("\r\x1b[K")
        .slice(0, -1)
        .map((text) => text.replace("^C", ""));
      for (const line of bars) expect(line.length).toBeLessThan(columns);
      for (const line of bars) expect(line).toMatch(/refused|finishing|^$|zulipctl|left/);
      expect(Math.max(...bars.map((line) => Number(/ (\d+) %/.exec(line)?.[1] ?? 0)))).toBeLessThan(2);
      const [state, command] = lastText(screen).split("Resume with:");
      expect(state!.replace(/\d+/g, "n").replace(/\s+/g, " ")).toBe(
        "Undo with: zulipctl undo n-n zulipctl: interrupted: n of n rows done, n not sent ",
      );
      expect(command).toBe(
        `${columns === 40 ? "\n" : " "}zulipctl batch --resume ${journal} ${file} -- folder create {name}\n`,
      );
    },
  );

  test.each([40, 200])("at %i columns lists the first twenty rows that are not done, then counts", async (columns) => {
    const { env } = await serving({ rateLimits: false });
    const home = directory();
    const file = join(home, "rows.csv");
    const names = count(30).flatMap((n) => ["Projects", `folder ${n}`]);
    writeFileSync(file, column("name", names));
    // A folder that exists with the same description would be unchanged.
    const screen = terminal(["batch", file, ...create, "--description", "Other"], { env, columns });
    expect(await screen.ends()).toBe(5);
    const lines = lastText(screen).split("\n");
    expect(lines[0]).toMatch(/^LINE {2}TARGET +OUTCOME +RESULT$/);
    const end = lines.indexOf("and 10 more rows");
    // Long results continue in the next line.
    const listed = lines.slice(1, end).filter((line) => /^ *\d/.test(line));
    expect(listed.map((line) => Number(line.slice(0, 4)))).toEqual(count(20).map((n) => 2 * n + 2));
    for (const line of listed) expect(line).toMatch(/^ *\d+ {2}Proj.* +refused +folder/);
    expect(lines.slice(end)).toEqual([
      "and 10 more rows",
      expect.stringMatching(/^Undo with: zulipctl undo \d{8}-1$/),
      "zulipctl: 30 of 60 rows done, 30 refused",
      "",
    ]);
  });
});

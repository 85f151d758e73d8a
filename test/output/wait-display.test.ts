import { beforeEach, expect, test, vi } from "vitest";
import { Cancelled } from "../../src/errors.ts";
import { WaitDisplay } from "../../src/output/wait-display.ts";
import { withWaitDisplay } from "../../src/output/with-wait-display.ts";
import { testWorld } from "../world.ts";

beforeEach(() => {
  vi.useFakeTimers();
  return () => vi.useRealTimers();
});

const erase = "\r\x1b[K";

/** Returns the lines that appeared. A line that was erased is empty. */
function seen(text: string): string[] {
  const all = text
    .split(erase)
    .flatMap((part, at) => (at > 0 && part === "" ? [""] : part === "" ? [] : [part.replace(/^[-\\|/] /, "")]));
  return all.filter((line, at) => line !== all[at - 1]);
}

function screen({ terminal = true, quiet = false, env = {} as Record<string, string> } = {}) {
  const world = testWorld({ terminal, env, confirm: [true] });
  const waits = new WaitDisplay(world, { quiet });
  return {
    world: withWaitDisplay(world, waits),
    waits,
    err: world.stderr,
    out: world.stdout,
    interrupt: world.interrupt,
    /** Advances the clocks. */
    async pass(ms: number) {
      for (let left = ms; left > 0; left -= 50) {
        await world.clock.sleep(50);
        await vi.advanceTimersByTimeAsync(50);
      }
    },
    until: (ms: number) => world.clock.monotonic() + ms,
  };
}

test("shows only waits of over a second, counts down, and leaves nothing", async () => {
  const { waits, err, pass, until } = screen();
  waits.begin({ what: "short" }).end();
  const waiting = waits.begin({ what: "no answer yet", next: "giving up", until: until(4000) });
  await pass(900);
  expect(err.text).toBe("");
  await pass(200);
  expect(err.text).toBe("- zulipctl: no answer yet; giving up in 3 s");
  await pass(1000);
  waiting.end();
  expect(err.text).toContain(`${erase}\\ zulipctl: no answer yet; giving up in 3 s${erase}|`);
  expect(seen(err.text)).toEqual([
    "zulipctl: no answer yet; giving up in 3 s",
    "zulipctl: no answer yet; giving up in 2 s",
    "",
  ]);
  await pass(5000);
  expect(err.text.endsWith(erase)).toBe(true);
  expect(err.text).not.toMatch(/\x1b\[[^K]/);
});

test("keeps other output on its own lines, and waits for complete lines", async () => {
  const { waits, world, err, out, pass } = screen();
  waits.begin({ what: "hanging" });
  await pass(1100);
  const line = "zulipctl: hanging";
  await world.stderr.write("a note\n");
  expect(seen(err.text)).toEqual([line, "a note\n"]);
  await pass(300);
  expect(err.text).toMatch(/\x1b\[Ka note\n[-\\|/] zulipctl: hanging$/);
  await world.stdout.write("half ");
  const hidden = err.text;
  expect(hidden.endsWith(erase)).toBe(true);
  await pass(1000);
  await world.stdout.write("a line\n");
  expect(err.text).toBe(hidden);
  await pass(300);
  expect(seen(err.text.slice(hidden.length))).toEqual([line]);
  expect(out.text).toBe("half a line\n");
});

test("hides during questions and pauses", async () => {
  const { waits, world, err, pass } = screen();
  waits.begin({ what: "hanging" });
  await pass(1100);
  const before = err.text;
  const resume = waits.pause();
  await pass(3000);
  expect(err.text).toBe(before + erase);
  resume();
  resume();
  await pass(300);
  expect(err.text.slice(before.length)).toMatch(/^\r\x1b\[K[-\\|/] zulipctl: hanging/);
  expect(await world.prompts.confirm("Go on?")).toBe(true);
  await expect(world.prompts.text("Name")).rejects.toThrow(Cancelled);
});

test("hides forever after the first signal", async () => {
  const { waits, err, pass, interrupt } = screen();
  waits.begin({ what: "hanging" });
  await pass(1100);
  interrupt(new Error("stop"));
  const then = err.text;
  expect(then.endsWith(erase)).toBe(true);
  waits.begin({ what: "the answer to a change" });
  await pass(5000);
  expect(err.text).toBe(then);
});

test("fits the width of the terminal, without hazards", async () => {
  const { waits, err, pass } = screen();
  waits.begin({ what: `\x1b]0;x\x07\u202e${"漢".repeat(200)}` });
  await pass(1100);
  expect(err.text).toBe(`- zulipctl: ${"漢".repeat(43)}…`);
});

test("without a terminal, prints a line for a wait of over ten seconds, at its start if the end is known", async () => {
  const { waits, err, pass, until } = screen({ terminal: false });
  const waiting = waits.begin();
  waiting.update({ what: "429", next: "trying again", until: until(9000), isFixed: true });
  await pass(9000);
  expect(err.text).toBe("");
  waiting.update({ what: "429 anew", next: "trying again", until: until(11_000), isFixed: true });
  waiting.update({ what: "429 anew", next: "trying again", until: until(10_900), isFixed: true });
  expect(err.text).toBe("zulipctl: 429 anew; trying again in 11 s\n");
  await pass(10_900);
  waiting.update({ what: "no answer yet", next: "giving up", until: until(30_000) });
  await pass(9900);
  expect(err.text).toBe("zulipctl: 429 anew; trying again in 11 s\n");
  await pass(200);
  waiting.end();
  expect(err.text).toMatch(/^zulipctl: 429 anew; trying again in 11 s\nzulipctl: no answer yet; giving up in 20 s\n$/);
});

test("prints nothing with --quiet, and a plain line with TERM=dumb and in CI", async () => {
  for (const [more, shown] of [
    [{ quiet: true }, ""],
    [{ quiet: true, terminal: false }, ""],
    [{ env: { TERM: "dumb" } }, "zulipctl: hanging\n"],
    [{ env: { CI: "true" } }, "zulipctl: hanging\n"],
  ] as const) {
    const { waits, err, pass } = screen(more);
    const waiting = waits.begin({ what: "hanging" });
    await pass(30_000);
    waiting.end();
    expect(err.text).toBe(shown);
  }
});

test("shows an inner wait instead of an outer one, and progress instead of both, also after a signal", async () => {
  const { waits, err, pass, interrupt } = screen();
  waits.begin({ what: "reading", isOuter: true });
  await pass(1100);
  const within = waits.begin({ what: "no answer yet" });
  await pass(300);
  within.end();
  await pass(300);
  interrupt(new Error("stop"));
  waits.begin({ what: "sending", progress: () => "1 of 2 rows" });
  await pass(300);
  const shown = ["zulipctl: reading", "zulipctl: no answer yet", "zulipctl: reading"];
  expect(seen(err.text)).toEqual([...shown, "1 of 2 rows"]);
});

test.each([
  [false, ["zulipctl: still reading stdin", ""]],
  [true, []],
])("shows the wait for stdin unless it is a terminal (%s)", async (isTerminal, shown) => {
  const { world, err, pass } = screen();
  async function* bytes() {
    await new Promise((resolve) => setTimeout(resolve, 1500));
    yield Buffer.from("x");
  }
  const { stdin } = withWaitDisplay({ ...world, stdin: { isTerminal, bytes } }, new WaitDisplay(world));
  const read = stdin.bytes()[Symbol.asyncIterator]();
  const done = read.next().then(() => read.next());
  await pass(3200);
  expect((await done).done).toBe(true);
  expect(seen(err.text)).toEqual(shown);
});

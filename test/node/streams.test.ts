import { PassThrough, Readable, Writable } from "node:stream";
import { expect, test } from "vitest";
import { Cancelled, Interrupted } from "../../src/errors.ts";
import { colorsOf, input, output } from "../../src/node/streams.ts";

const failing = (code: string) =>
  new Writable({ write: (_chunk, _encoding, done) => done(Object.assign(new Error(code), { code })) });

test("a write resolves when the reader is ready", async () => {
  const let_go: (() => void)[] = [];
  const slow = new Writable({ write: (_chunk, _encoding, done) => void let_go.push(done) });
  const out = output(1, () => slow, {}, false);
  const order: string[] = [];
  const writing = out.write("a").then(() => order.push("written"));
  order.push("waiting");
  let_go[0]!();
  await writing;
  expect(order).toEqual(["waiting", "written"]);
});

test("a closed pipe sets `gone`, and later writes do nothing", async () => {
  const out = output(1, () => failing("EPIPE"), {}, false);
  await out.write("a");
  expect(out.isClosed).toBe(true);
  await out.write("b");
});

test("other errors reject a write to stdout, not to stderr", async () => {
  await expect(output(1, () => failing("ENOSPC"), {}, false).write("a")).rejects.toThrow("ENOSPC");
  await output(2, () => failing("ENOSPC"), {}, true).write("a");
});

test.each([
  [{ TERM: "xterm-256color" }, 2],
  [{ TERM: "xterm", COLORTERM: "truecolor" }, 3],
  [{ TERM: "dumb" }, 0],
  [{ TERM: "xterm-256color", NO_COLOR: "1" }, 2],
  [{ TERM: "xterm-256color", FORCE_COLOR: "0" }, 2],
] as const)("a terminal with %j has color level %i, whatever the flags", (env, level) => {
  expect(colorsOf(env)).toBe(level);
});

const taken = async (stream: Readable, stop: AbortSignal) => {
  let all = "";
  for await (const chunk of input(() => stream, stop).bytes()) all += Buffer.from(chunk).toString();
  return all;
};

test("a signal ends a waiting read", async () => {
  const controller = new AbortController();
  const reading = taken(new PassThrough(), controller.signal);
  controller.abort(new Interrupted("SIGTERM"));
  await expect(reading).rejects.toEqual(new Cancelled("interrupted while reading stdin", "SIGTERM"));
});

test("an unreadable stdin is a usage error", async () => {
  const broken = new Readable({ read: (): void => void broken.destroy(new Error("EISDIR: illegal operation")) });
  await expect(taken(broken, new AbortController().signal)).rejects.toThrow(
    "cannot read stdin: EISDIR: illegal operation",
  );
});

import { expect, test } from "vitest";
import { Interrupted } from "../../src/errors.ts";
import { host } from "../../src/node/host.ts";

const never = new AbortController().signal;
const node = (script: string) => [process.execPath, "-e", script];

test("a program's exit code comes back", async () => {
  expect(await host(node("process.exit(Number(process.env.CODE))"), { CODE: "9" }, never, false)).toBe(9);
});

test("a program that a signal ends gives 128 and the signal's number", async () => {
  expect(await host(node("process.kill(process.pid, 'SIGKILL')"), {}, never, false)).toBe(137);
});

test("a program that is not there rejects", async () => {
  await expect(host(["/nonexistent/program"], {}, never, false)).rejects.toThrow("ENOENT");
});

test.each([
  ["SIGTERM", true, 143],
  ["SIGTERM", false, 143],
  ["SIGINT", false, 130],
] as const)("%s is passed on where the terminal (%s) has not sent it already", async (signal, terminal, code) => {
  const controller = new AbortController();
  const running = host(node("setInterval(() => {}, 1000)"), {}, controller.signal, terminal);
  controller.abort(new Interrupted(signal));
  expect(await running).toBe(code);
});

test("Ctrl-C at a terminal is not sent twice", async () => {
  const controller = new AbortController();
  const running = host(node("setTimeout(() => process.exit(4), 200)"), {}, controller.signal, true);
  controller.abort(new Interrupted("SIGINT"));
  expect(await running).toBe(4);
});

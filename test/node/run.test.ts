import { expect, test } from "vitest";
import { Cancelled, Interrupted } from "../../src/errors.ts";
import { run } from "../../src/node/run.ts";

const never = new AbortController().signal;
const node = (script: string) => [process.execPath, "-e", script];

test("a program's output, words and code come back, and its stdin is closed", async () => {
  const script =
    "process.stdin.on('end', () => { console.log('out'); console.error('err'); process.exitCode = 3 }).resume()";
  expect(await run(node(script), 5000, {}, never)).toEqual({ code: 3, stdout: "out\n", stderr: "err\n" });
});

test("arguments reach the program without a shell", async () => {
  const { stdout } = await run([...node("console.log(process.argv[1])"), "$HOME; `id` *"], 5000, {}, never);
  expect(stdout).toBe("$HOME; `id` *\n");
});

test("a program that does not end is killed", async () => {
  expect((await run(node("setInterval(() => {}, 1000)"), 100, {}, never)).code).toBe(null);
});

test("a program that is not there rejects", async () => {
  await expect(run(["/nonexistent/program"], 5000, {}, never)).rejects.toThrow("ENOENT");
});

test("a signal ends the program", async () => {
  const controller = new AbortController();
  const running = run(node("setInterval(() => {}, 1000)"), 5000, {}, controller.signal);
  controller.abort(new Interrupted("SIGINT"));
  await expect(running).rejects.toBeInstanceOf(Cancelled);
});

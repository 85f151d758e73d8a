import { expect, test } from "vitest";
import { Cancelled, Interrupted } from "../../src/errors.ts";
import { runProgram } from "../../src/node/run-program.ts";

const never = new AbortController().signal;
const node = (script: string) => [process.execPath, "-e", script];

test("returns output and exit code, and closes stdin", async () => {
  const script =
    "process.stdin.on('end', () => { console.log('out'); console.error('err'); process.exitCode = 3 }).resume()";
  expect(await runProgram(node(script), 5000, {}, never)).toEqual({ code: 3, stdout: "out\n" });
});

test("passes arguments without a shell", async () => {
  const { stdout } = await runProgram([...node("console.log(process.argv[1])"), "$HOME; `id` *"], 5000, {}, never);
  expect(stdout).toBe("$HOME; `id` *\n");
});

test("kills a program after the timeout", async () => {
  expect(await runProgram(node("setInterval(() => {}, 1000)"), 100, {}, never)).toEqual({
    code: null,
    endedBy: "timeout",
    stdout: "",
  });
});

test("ends a program that prints too much", async () => {
  const { code, endedBy, stdout } = await runProgram(
    node("const on = () => process.stdout.write('y\\n'.repeat(9999), on); on()"),
    30_000,
    {},
    never,
  );
  expect([code, endedBy]).toEqual([null, "output"]);
  expect(stdout.length).toBe(1024 * 1024);
});

/** Prints a key and ends. The program that it started keeps its output open. */
const leaving = "require('child_process').spawn('sleep', ['100'], { stdio: 'inherit' }).unref(); console.log('key')";

test("does not wait for programs that it started, and returns all of its output", async () => {
  expect(await runProgram(node(leaving), 30_000, process.env, never)).toEqual({ code: 0, stdout: "key\n" });
});

test("one signal is enough, even if the output stays open", async () => {
  const controller = new AbortController();
  const script = "require('child_process').spawn('sleep', ['100'], { stdio: 'inherit' }); setInterval(() => {}, 1000)";
  const running = runProgram(node(script), 30_000, process.env, controller.signal);
  setTimeout(() => controller.abort(new Interrupted("SIGINT")), 300);
  await expect(running).rejects.toBeInstanceOf(Cancelled);
});

test("rejects if the program does not exist", async () => {
  await expect(runProgram(["/nonexistent/program"], 5000, {}, never)).rejects.toThrow("ENOENT");
});

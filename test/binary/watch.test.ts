/** `watch` as a process: pipes that close, Ctrl-C, and programs that it runs. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { directory } from "../node/directory.ts";
import { commandLine, environment, serving, start, startZulipctl, zulipctl } from "./program.ts";

/** A server, and a function that changes it. */
async function watched() {
  const served = await serving();
  const env = { ...environment(), ...served.env };
  const create = async (name: string) =>
    expect(await zulipctl(["folder", "create", name], { env })).toMatchObject({ code: 0 });
  return { env, create };
}

const named = (line: string) => JSON.parse(line).target.name;

/** Waits until the program listens: it prints nothing before the first change. */
async function listening(started: ReturnType<typeof start>, create: (name: string) => Promise<void>) {
  let ready = false;
  const first = started.says('"first').then(() => {
    ready = true;
  });
  for (let n = 0; !ready; n++) await Promise.race([first, create(`first ${n}`)]);
}

test("prints each change at once in a pipe, and exits with 130 at Ctrl-C", async () => {
  const { env, create } = await watched();
  const started = startZulipctl(["watch"], { env, input: null });
  await listening(started, create);
  await create("Teams");
  await started.says('"Teams"');
  started.child.kill("SIGINT");
  const { code, out, err } = await started.ended;
  expect({ code, err }).toEqual({ code: 130, err: expect.stringContaining("interrupted") });
  expect(named(out.trimEnd().split("\n").at(-1)!)).toBe("Teams");
});

test("exits with 0 when the reader closes the pipe", async () => {
  const { env, create } = await watched();
  const script = `${commandLine} watch | head -n 1; echo "code \${PIPESTATUS[0]}"`;
  const started = start(["bash", "-c", script], { env, input: null });
  await listening(started, create);
  let over = false;
  const ended = started.ended.then((all) => {
    over = true;
    return all;
  });
  for (let n = 0; !over; n++) await Promise.race([ended, create(`more ${n}`)]);
  expect(await ended).toMatchObject({
    out: expect.stringMatching(/code 0\n$/),
    err: expect.stringMatching(/^zulipctl: watching [^\n]*\n$/),
  });
});

test("runs a program for each record in order, and continues after a failure", async () => {
  const { env, create } = await watched();
  const file = join(directory(), "records");
  const started = startZulipctl(["watch", "--", "sh", "-c", `cat >> ${file}; exit 3`], { env, input: null });
  await listening(started, create);
  await create("Teams");
  await create("Later");
  await started.says('"Later"');
  started.child.kill("SIGINT");
  const { out, err } = await started.ended;
  // Ctrl-C may end the program of the last record first.
  const finished = out.trimEnd().split("\n").slice(0, -1);
  expect(readFileSync(file, "utf8").split("\n").slice(0, finished.length)).toEqual(finished);
  expect(err).toContain("zulipctl: sh ended with exit code 3\n");
});

test("stops at Ctrl-C while its program hangs", async () => {
  const { env, create } = await watched();
  const started = startZulipctl(["watch", "--", "sleep", "1000"], { env, input: null });
  await listening(started, create);
  started.child.kill("SIGINT");
  expect((await started.ended).code).toBe(130);
});

/** A damaged executable ends with one line. */
import { chmodSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { environment, program, run } from "../binary/program.ts";
import { directory } from "../node/directory.ts";

const whole = readFileSync(program);

/** Writes a damaged copy, and runs it in a shell, which reports the signals that end programs. */
async function damaged(bytes: Buffer, argv: string[]) {
  const file = join(directory(), "zulipctl");
  writeFileSync(file, bytes);
  chmodSync(file, 0o755);
  const ended = await run(["bash", "-c", '"$0" "$@"; exit $?', file, ...argv], { env: environment() });
  return { ...ended, err: ended.err.replaceAll(file, "FILE") };
}

/** Returns a copy in which one byte of a file of the package is another. */
function flipped(name: string): Buffer {
  const content = readFileSync(name);
  const at = whole.indexOf(content);
  expect(at).toBeGreaterThan(0);
  const copy = Buffer.from(whole);
  copy[at + (content.length >> 1)]! ^= 1;
  return copy;
}

const list = ["users", "list", "--feature-level", "442"];

test.each([
  ["bin/zulipctl.js", ["--version"]],
  ["dist/complete.js", ["__complete", "--", "channel", ""]],
  ["dist/load.cjs", list],
  ["dist/start.js", list],
  ["dist/work.js", list],
])("reports damage of %s in one line", async (name, argv) => {
  expect(await damaged(flipped(name), argv)).toMatchObject({
    code: 70,
    out: "",
    err: `zulipctl: FILE is damaged (${name}). Download and install it again.\n`,
  });
});

test.each(["dist/work.js", "dist/jq-web/jq.js", "dist/jq-web/jq.wasm", "dist/jq-worker.cjs"])(
  "reports damage of %s as JSON",
  async (name) => {
    const { code, out, err } = await damaged(flipped(name), ["profile", "list", "--jq", "."]);
    expect({ code, out }).toEqual({ code: 70, out: "" });
    expect(JSON.parse(err).error).toMatchObject({
      exit_code: 70,
      kind: "bug",
      message: `FILE is damaged (${name}). Download and install it again.`,
    });
  },
);

test.each([0.2, 0.5, 0.9, 0.99])("ends with one line if only %f of the file is there", async (part) => {
  const { code, out, err } = await damaged(whole.subarray(0, whole.length * part), list);
  expect(code).toBeGreaterThan(100);
  expect(out).toBe("");
  expect(err).toMatch(/^[^\n]+\n$/);
});

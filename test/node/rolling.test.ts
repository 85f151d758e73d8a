/** Rolling logs on a real disk. */
import { chmodSync, mkdirSync, readdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { filesOf } from "../../src/node/files.ts";
import { rollingLogNames } from "../../src/world/writing.ts";
import { directory } from "./directory.ts";

const small = { maxBytes: 100, olderFiles: 2 };

function place() {
  const state = join(directory(), "state");
  return { state, path: join(state, "log.ndjson"), files: filesOf({ written: [state], read: [state] }) };
}

test("makes the file with the first line, with mode 0600", async () => {
  const { state, path, files } = place();
  const log = files.rollingLog(path, small);
  expect(await files.list(state)).toEqual([]);
  await log.add("one\n");
  await log.add("two\n");
  await log.close();
  expect(readFileSync(path, "utf8")).toBe("one\ntwo\n");
  expect([statSync(path).mode & 0o777, statSync(state).mode & 0o777]).toEqual([0o600, 0o700]);
});

test("renames a full file, and keeps some older ones", async () => {
  const { state, path, files } = place();
  const log = files.rollingLog(path, small);
  const line = (n: number) => `${String(n).padStart(49, "0")}\n`;
  for (let n = 0; n < 9; n++) await log.add(line(n));
  await log.close();
  expect(readdirSync(state).sort()).toEqual(["log.1.ndjson", "log.2.ndjson", "log.ndjson"]);
  const texts = rollingLogNames(path, 2).map((each) => readFileSync(each, "utf8"));
  expect(texts).toEqual([line(8), line(6) + line(7), line(4) + line(5)]);
});

test("simultaneous writers lose no line", async () => {
  const { path, files } = place();
  const lines = (who: string) => Array.from({ length: 40 }, (_, n) => `${who} ${n}\n`);
  const logs = ["a", "b", "c"].map((who) => ({ who, log: files.rollingLog(path, { maxBytes: 200, olderFiles: 50 }) }));
  await Promise.all(
    logs.map(async ({ who, log }) => {
      for (const line of lines(who)) await log.add(line);
      await log.close();
    }),
  );
  const all = (await Promise.all(rollingLogNames(path, 50).map((each) => files.read(each)))).join("");
  expect(all.split(/(?<=\n)/).sort()).toEqual(["a", "b", "c"].flatMap(lines).sort());
});

test("starts a new line after an incomplete one", async () => {
  const { state, path, files } = place();
  mkdirSync(state, { mode: 0o700 });
  writeFileSync(path, '{"half');
  const log = files.rollingLog(path, small);
  await log.add("whole\n");
  await log.close();
  expect(readFileSync(path, "utf8")).toBe('{"half\nwhole\n');
});

test("follows no link, and writes nothing where others can write", async () => {
  const { state, path, files } = place();
  mkdirSync(state, { mode: 0o700 });
  const elsewhere = join(directory(), "elsewhere");
  writeFileSync(elsewhere, "");
  symlinkSync(elsewhere, path);
  await expect(files.rollingLog(path, small).add("x\n")).rejects.toThrow(/ELOOP/);
  expect(readFileSync(elsewhere, "utf8")).toBe("");
  chmodSync(state, 0o777);
  await expect(files.rollingLog(join(state, "other.ndjson"), small).add("x\n")).rejects.toThrow();
});

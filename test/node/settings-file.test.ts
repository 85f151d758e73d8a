import { lstatSync, readdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { Usage } from "../../src/errors.ts";
import { filesOf } from "../../src/node/files.ts";
import { settingsFile } from "../../src/node/settings-file.ts";
import { directory } from "./directory.ts";

const files = filesOf({});
/** `save` replaces the document by the result of `change`. `load` returns the document. */
function made(path = join(directory(), "conf", "config.json")) {
  const { edit, load } = settingsFile(path, files);
  return {
    path,
    edit,
    load: async () => (await load())?.document,
    save: (change: (present: unknown) => unknown) => edit((present, replace) => replace(change(present?.document))),
  };
}
const mode = (path: string) => (statSync(path).mode & 0o777).toString(8);

test("a missing file is undefined, and saving makes it with mode 0600", async () => {
  const { path, load, save } = made();
  expect(await load()).toBeUndefined();
  await save((present) => ({ before: present ?? "nothing" }));
  expect(JSON.parse(readFileSync(path, "utf8"))).toEqual({ before: "nothing" });
  expect(await load()).toEqual({ before: "nothing" });
  expect([mode(path), mode(join(path, ".."))]).toEqual(["600", "700"]);
  expect(readdirSync(join(path, ".."))).toEqual(["config.json"]);
});

test("simultaneous changes are all saved", async () => {
  const { path, load, save } = made();
  await Promise.all(
    Array.from({ length: 10 }, (_, n) => made(path).save((present) => ({ ...(present as object), [n]: n }))),
  );
  expect(Object.keys((await load()) as object)).toHaveLength(10);
  await save(() => ({}));
  expect(await load()).toEqual({});
});

test("only one process edits at a time", async () => {
  const { path } = made();
  const log: string[] = [];
  const work = (name: string, fails: boolean) =>
    made(path).edit(async () => {
      log.push(`${name} in`);
      await new Promise((resolve) => setTimeout(resolve, 20));
      log.push(`${name} out`);
      if (fails) throw new Error("it failed");
    });
  const all = await Promise.allSettled([work("a", true), work("b", false), work("c", true)]);
  expect(all.map(({ status }) => status)).toEqual(["rejected", "fulfilled", "rejected"]);
  for (const n of [0, 2, 4]) expect(log[n + 1]).toBe(log[n]!.replace("in", "out"));
});

test.each(["{", "", "{]"])("reports a file with %j, and does not overwrite it", async (text) => {
  const { path, load, save } = made(join(directory(), "config.json"));
  writeFileSync(path, text);
  const error = await load().catch((reason: unknown) => reason);
  expect(error).toBeInstanceOf(Usage);
  expect((error as Usage).message).toContain(`the configuration file ${path} is not valid JSON: `);
  expect((error as Usage).details.hint).toContain("Fix the file, or remove it");
  await expect(save(() => ({}))).rejects.toThrow(Usage);
  expect(readFileSync(path, "utf8")).toBe(text);
  expect(readdirSync(join(path, ".."))).toEqual(["config.json"]);
});

test("reports an unreadable file", async () => {
  const path = join(directory(), "config.json");
  await files.write(join(path, "a-directory"), "");
  await expect(made(path).load()).rejects.toThrow(`the configuration file ${path} cannot be read: EISDIR`);
});

test("replaces a link, not its target", async () => {
  const around = directory();
  const { path, save } = made(join(around, "config.json"));
  writeFileSync(join(around, "other"), "{}");
  symlinkSync(join(around, "other"), path);
  await save(() => ({ a: 1 }));
  expect([JSON.parse(readFileSync(path, "utf8")), readFileSync(join(around, "other"), "utf8")]).toEqual([
    { a: 1 },
    "{}",
  ]);
  expect(lstatSync(path).isFile()).toBe(true);
});

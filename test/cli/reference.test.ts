/** Generated pages are current. `npm run docs` writes them again. */
import { spawnSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { describeProgram } from "../../scripts/docs/described.ts";
import { documents } from "../../scripts/docs/documents.ts";
import { exitCodes } from "../../src/cli/exit-codes.ts";

const made = await documents();

test.each([...made])("%s is current", async (path, text) => {
  await expect(text).toMatchFileSnapshot(`../../${path}`);
});

const pages = readdirSync("man");

test("man has a page for the program and for each noun", async () => {
  const { nouns } = await describeProgram();
  expect(pages.sort()).toEqual(["zulipctl.1", ...nouns.map(({ name }) => `zulipctl-${name}.1`)].sort());
});

test("the manual has every exit code and environment variable", () => {
  const page = readFileSync("man/zulipctl.1", "utf8");
  const failures = readFileSync("src/errors.ts", "utf8").matchAll(/failureClass\((\d+)/g);
  const codes = new Set([0, ...[...failures].map(([, code]) => Number(code)), 70, 130]);
  expect(exitCodes.map(({ code }) => code)).toEqual([...codes].sort((a, b) => a - b));
  const sources = readdirSync("src", { recursive: true, encoding: "utf8" }).filter((path) => path.endsWith(".ts"));
  const named = sources.flatMap((path) => readFileSync(join("src", path), "utf8").match(/\bZULIP(CTL)?_\w+/g) ?? []);
  // The build sets three of them, and completion scripts two.
  const inner = ["TREE", "VOCABULARY", "VERSION", "SHELL", "WORDBREAKS"].map((name) => `ZULIPCTL_${name}`);
  const ours = [...new Set(named)].filter((name) => !inner.includes(name));
  expect(ours.length).toBeGreaterThan(10);
  expect(ours.filter((name) => !page.includes(name))).toEqual([]);
});

const mandoc = (...words: string[]): string => spawnSync("mandoc", words, { encoding: "utf8" }).stdout;

describe.runIf(spawnSync("mandoc", ["-T", "lint"], { input: "" }).error === undefined)("a page of the manual", () => {
  test.each(pages)("%s has no errors for mandoc, except for a missing date", (page) => {
    const said = mandoc("-T", "lint", join("man", page)).split("\n");
    expect(said.filter((line) => line && !line.includes("missing date"))).toEqual([]);
  });

  test("has examples that can be pasted", async () => {
    const { nouns } = await describeProgram();
    for (const { name, commands } of nouns) {
      // As a printer would, it strikes bold letters twice.
      const shown = mandoc("-T", "utf8", join("man", `zulipctl-${name}.1`)).replaceAll(/.\x08/gu, "");
      const whole = shown.replaceAll(/ \\\n +/g, " ");
      for (const example of commands.flatMap(({ examples }) => examples)) expect(whole).toContain(example);
    }
  });
});

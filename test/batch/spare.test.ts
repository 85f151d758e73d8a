/** The built program does not overwrite its input or journal through a link. */
import { linkSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { environment, program, run, serving, zulipctl } from "../binary/program.ts";
import { directory } from "../node/directory.ts";

async function setting() {
  const { env, sandbox } = await serving();
  const home = directory();
  const file = join(home, "rows.csv");
  writeFileSync(file, "name\nProjects\nTeams\n");
  // The first row is refused: this folder exists with another description.
  const words = ["--", "folder", "create", "{name}", "--description", "New"];
  return { env: { ...environment(home), ...env }, sandbox, home, file, words };
}

test.each([
  ["a symbolic link", symlinkSync],
  ["a hard link", linkSync],
] as const)("rejects --failed through %s to the input, the journal or stdin", async (_, link) => {
  const { env, sandbox, home, file, words } = await setting();
  const other = join(home, "other");
  link(file, other);
  const text = readFileSync(file, "utf8");
  const onto = await zulipctl(["batch", file, "--failed", other, ...words], { env });
  expect(onto).toMatchObject({ code: 2, out: "", err: "zulipctl: --failed and <file> are the same file\n" });
  const shell = `exec "$@" < '${file}'`;
  const piped = await run(
    ["sh", "-c", shell, "sh", process.execPath, program, "batch", "-", "--format", "csv", "--failed", other, ...words],
    { env },
  );
  expect(piped).toMatchObject({ code: 2, err: "zulipctl: --failed and <file> are the same file\n" });
  expect(readFileSync(file, "utf8")).toBe(text);
  expect(sandbox.state.folders.size).toBe(2);
  const journal = join(home, "journal");
  expect((await zulipctl(["batch", file, "--journal", journal, "-q", ...words], { env })).code).toBe(5);
  const before = readFileSync(journal, "utf8");
  link(journal, join(home, "link"));
  const again = await zulipctl(["batch", file, "--resume", journal, "--failed", join(home, "link"), ...words], { env });
  expect(again).toMatchObject({ code: 2, err: "zulipctl: --failed and --resume are the same file\n" });
  expect(readFileSync(journal, "utf8")).toBe(before);
});

test("rejects --failed to a file that a row reads", async () => {
  const { env, home, file } = await setting();
  const text = join(home, "text.md");
  writeFileSync(text, "Many words");
  symlinkSync(text, join(home, "again"));
  const words = ["--", "folder", "create", "{name}", "--description", `@${text}`];
  const { code, err } = await zulipctl(["batch", file, "--failed", join(home, "again"), ...words], { env });
  expect({ code, err }).toEqual({ code: 2, err: `zulipctl: --failed and @${text} of a row are the same file\n` });
  expect(readFileSync(text, "utf8")).toBe("Many words");
});

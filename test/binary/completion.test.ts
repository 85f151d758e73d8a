/** Runs the README's commands for completion in a shell with an empty home. */
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { directory } from "../node/directory.ts";
import { commandLine, environment, run } from "./program.ts";

const chapter = /\n### Completion\n([\s\S]*?)\n## /.exec(readFileSync("README.md", "utf8"))![1]!;
const lines = chapter.split("\n").filter((line) => line.startsWith("    "));

test("the README's commands put completion scripts where shells look for them", async () => {
  const home = directory();
  const bin = join(home, "bin");
  mkdirSync(bin);
  writeFileSync(join(bin, "zulipctl"), `#!/bin/sh\nexec ${commandLine} "$@"\n`, { mode: 0o755 });
  const env = { ...environment(home), PATH: `${bin}:${process.env.PATH}` };
  const ended = await run(["sh", "-e", "-c", lines.join("\n")], { env });
  expect([ended.code, ended.out, ended.err]).toEqual([0, "", ""]);
  for (const [path, script] of [
    [".local/share/bash-completion/completions/zulipctl", "zulipctl.bash"],
    [".zfunc/_zulipctl", "_zulipctl"],
    [".config/fish/completions/zulipctl.fish", "zulipctl.fish"],
  ])
    expect(readFileSync(join(home, path!), "utf8")).toBe(readFileSync(join("completions", script!), "utf8"));
});

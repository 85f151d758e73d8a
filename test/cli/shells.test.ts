/** The completion scripts in real shells, with a program that writes down what it is asked and answers from a file. */
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { spawn } from "@lydell/node-pty";
import { afterAll, describe, expect, test } from "vitest";
import { program } from "../binary/program.ts";
import { installed, writeStubs } from "./real-shells.ts";

const place = mkdtempSync(join(tmpdir(), "zulipctl-completion-"));
afterAll(() => rmSync(place, { recursive: true }));

writeFileSync(
  join(place, "zulipctl"),
  `#!/bin/sh\n[ -e '${place}/answer' ] || exec '${process.execPath}' '${program}' "$@"\nfor word; do printf '%s\\n' "$word"; done > '${place}/asked'\ncat '${place}/answer'\n`,
  { mode: 0o755 },
);
writeStubs(place);
const env = { ...process.env, PATH: `${place}:${process.env.PATH}`, TERM: "dumb", HISTFILE: "" } as Record<
  string,
  string
>;

/** Where a shell is missing, the report says what was not tried. */
const inShell = (shell: string, cases: () => void) =>
  installed(shell)
    ? describe(shell, cases)
    : describe.skip(`${shell} is not installed here: its completion script is not tried`, cases);

/** Types a line into a fresh interactive shell, presses Tab and resolves when `expected` is on the screen. */
async function tab(shell: string, args: string[], setup: string, line: string, expected: string): Promise<void> {
  const terminal = spawn(shell, args, { cwd: place, env, cols: 200, rows: 50 });
  try {
    await new Promise<void>((resolve, reject) => {
      let screen = "";
      let typed = false;
      const late = setTimeout(() => reject(new Error(`no "${expected}" in ${JSON.stringify(screen)}`)), 10_000);
      terminal.onData((data) => {
        screen += data.replace(/\x1b\[[0-9;?]*[A-Za-z]/g, "");
        if (!typed && screen.includes("READY!")) {
          typed = true;
          screen = "";
          terminal.write(`${line}\t`);
        }
        if (!typed || !screen.includes(expected)) return;
        clearTimeout(late);
        resolve();
      });
      // The quotes keep the echo of the line itself from being taken for its effect.
      terminal.write(`${setup}; echo READY'!'\r`);
    });
  } finally {
    terminal.kill();
  }
}

const answer = (...lines: string[]) => writeFileSync(join(place, "answer"), lines.map((line) => `${line}\n`).join(""));
/** From here on the built program answers. */
const answerItself = () => rmSync(join(place, "answer"), { force: true });
const asked = () => readFileSync(join(place, "asked"), "utf8").split("\n").slice(0, -1);

const cases: [line: string, answers: string[], completed: string, asked: string[]][] = [
  ["zulipctl cha", ["channel\tChannels and their settings"], "zulipctl channel ", ["cha"]],
  [
    "zulipctl channel update x --topics-policy=in",
    ["--topics-policy=inherit"],
    "--topics-policy=inherit ",
    ["channel", "update", "x", "--topics-policy=in"],
  ],
  ["zulipctl   group members role:ow", ["role:owners"], "role:owners ", ["group", "members", "role:ow"]],
  [
    "zulipctl channel update x --expect can_su",
    ["can_subscribe_group="],
    "can_subscribe_group=",
    ["channel", "update", "x", "--expect", "can_su"],
  ],
];

const itself = ["zulipctl channel update x --topics-policy dis", "--topics-policy disable_empty_topic "] as const;

inShell("bash", () => {
  const argv = ["--norc", "--noprofile", "-i"];
  const setup = `PS1='> '; source '${place}/stub.bash'`;
  test.each(cases)("%s", async (line, answers, completed, words) => {
    answer(...answers);
    await tab("bash", argv, setup, line, completed);
    expect(asked()).toEqual(["__complete", "--", ...words]);
  });

  test("with the program itself", async () => {
    answerItself();
    await tab("bash", argv, setup, ...itself);
  });
});

inShell("zsh", () => {
  const setup = `PS1='> '; fpath=('${place}' $fpath); autoload -U compinit; compinit -u -D`;
  test.each(cases)("%s", async (line, answers, completed, words) => {
    answer(...answers);
    await tab("zsh", ["-f", "-i"], setup, line, completed);
    expect(asked()).toEqual(["__complete", "--", ...words]);
  });

  test("with the program itself", async () => {
    answerItself();
    await tab("zsh", ["-f", "-i"], setup, ...itself);
  });
});

inShell("fish", () => {
  const offered = (line: string): string[] => {
    const script = `source '${place}/stub.fish'; complete -C '${line}'`;
    const out = execFileSync("fish", ["--no-config", "-c", script], { env, cwd: place, encoding: "utf8" });
    return out.split("\n").map((offer) => offer.split("\t")[0]!);
  };

  test.each(cases)("%s", (line, answers, completed, words) => {
    answer(...answers);
    expect(offered(line)[0]).toBe(completed.trim().replace("zulipctl ", ""));
    expect(asked()).toEqual(["__complete", "--", ...words]);
  });

  test("with the program itself", () => {
    answerItself();
    expect(offered(itself[0])).toEqual(["disable_empty_topic", ""]);
  });
});

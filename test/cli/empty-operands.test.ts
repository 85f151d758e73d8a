/** An argument that is empty or blank is an error of every command: a variable may not be set. */
import type { Argument } from "commander";
import { expect, test } from "vitest";
import { zulipctl } from "../run.ts";
import { everyCommand } from "../tree.ts";

/** Words of other commands. */
const otherCommands = new Set(["each <command>", "batch <words>", "sandbox exec <command>", "watch <command>"]);

const sample = ({ argChoices }: Argument): string => argChoices?.[0] ?? "1";

const operands = [...everyCommand()].flatMap(([name, command]) =>
  command.registeredArguments.map((argument, n) => {
    const before = command.registeredArguments.slice(0, n).map(sample);
    const after = command.registeredArguments.slice(n + 1).filter(({ required }) => required);
    const flags = command.options
      .filter(({ mandatory }) => mandatory)
      .flatMap(({ long, argChoices }) => [long ?? "", argChoices?.[0] ?? "1"]);
    const shown = `<${argument.name().replace(/,$/, "")}>`;
    return {
      title: `${name} ${shown}`,
      shown,
      line: (blank: string) => [...name.split(" "), ...before, blank, ...after.map(sample), ...flags],
    };
  }),
);

test.each(operands.filter(({ title }) => !otherCommands.has(title)))(
  "$title may not be empty",
  async ({ shown, line }) => {
    for (const blank of ["", " \u00a0\ufeff\u200b"]) {
      const { code, err, sent } = await zulipctl(line(blank));
      expect({ code, first: err.split("\n")[0], sent }).toEqual({
        code: 2,
        first: `zulipctl: ${shown} is empty`,
        sent: [],
      });
    }
  },
);

test("names the empty argument among several", async () => {
  const { code, err, sent } = await zulipctl(["emoji", "rm", "shipit", "", "--yes"]);
  expect({ code, err, sent }).toEqual({
    code: 2,
    err: 'zulipctl: <name> is empty\nRun "zulipctl emoji rm --help" for usage.\n',
    sent: [],
  });
});

test("suggests the name of the topic without a name", async () => {
  const { err } = await zulipctl(["topic", "delete", "general", "", "--yes"]);
  expect(err).toBe('zulipctl: <topic> is empty\nThe topic without a name is "general chat".\n');
});

test("accepts an empty value that clears a thing", async () => {
  const { code } = await zulipctl(["channel", "update", "1", "--description", ""]);
  expect(code).toBe(0);
});

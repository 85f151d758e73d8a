/** What the catalogue says of effects is what the lines of `test/cases` do. */
import { expect, test } from "vitest";
import { operationNamed } from "../../src/api/registry.ts";
import type { Catalogue } from "../../src/cli/catalogue/catalogue-document.ts";
import { main } from "../../src/main.ts";
import { defaultLevel, operationOf } from "../../src/sandbox/index.ts";
import { isChange } from "../../src/wire/operation.ts";
import { argvOf, everyCase, setup, withFlags } from "../cases/all.ts";
import type { Setting } from "../cases/case.ts";
import { zulipctl } from "../run.ts";
import { testWorld } from "../world.ts";

const { commands } = JSON.parse((await zulipctl(["help", "--json"])).out) as Catalogue;

interface Observed {
  operations: Set<string>;
  codes: Set<number>;
  asks: boolean;
}

/** Runs a line, with the reads for the log. */
async function observe(argv: readonly string[], setting: Setting, { operations, codes, ...seen }: Observed) {
  const { config, ...world } = setup(setting);
  const end = testWorld({ ...world, config: { ...config, record_previous: true } });
  codes.add(await main(argv, end));
  for (const request of end.sent) {
    const name = operationOf(request, setting.level ?? defaultLevel);
    if (name !== undefined) operations.add(name);
  }
  return { operations, codes, asks: seen.asks || end.stderr.text.includes("confirmation required") };
}

test.each(commands)("$name does only what the catalogue says", async (command) => {
  const { lines = [], refused = [], wire = [] } = everyCase.get(command.name) ?? {};
  let seen: Observed = { operations: new Set(), codes: new Set(), asks: false };
  for (const line of lines === "elsewhere" ? [] : lines) {
    const argv = argvOf(command.name, line);
    seen = await observe(argv, line, seen);
    seen = await observe(withFlags(argv, ["--yes"]), line, seen);
  }
  for (const refusal of refused) seen = await observe(argvOf(command.name, refusal), refusal, seen);
  for (const [typed] of wire) seen = await observe(withFlags(argvOf(command.name, { typed }), ["--yes"]), {}, seen);
  const known = new Set(command.operations.map(({ name }) => name));
  const codes = new Set(command.exit_codes.map(({ code }) => code));
  expect({
    operations: command.any_operation ? [] : [...seen.operations].filter((name) => !known.has(name)),
    codes: [...seen.codes].filter((code) => !codes.has(code)),
    asks: seen.asks && command.confirmation === "never",
    changes: [...seen.operations].some((name) => isChange(operationNamed(name)!)) && !command.changes_server,
  }).toEqual({ operations: [], codes: [], asks: false, changes: false });
});

/** Each change of the simulation really changes something. */
import { expect, test } from "vitest";
import { Chance } from "../chance.ts";
import { changesBy, type RunKind, type Typed } from "./changes.ts";
import { Machine } from "./machine.ts";
import { own, prepared } from "./runs.ts";

async function isAccepted({ words, input = "" }: Typed, kind: RunKind): Promise<boolean> {
  const machine = new Machine(structuredClone(await prepared), new Chance(1), own);
  machine.files.set("/files/rows.txt", words.map((word) => `'${word}'`).join(" "));
  const typed = kind === "single" ? words : ["batch", "/files/rows.txt", "--format", "lines"];
  await machine.run([...typed, "--yes"], { input });
  return machine.log.includes('"outcome":"done"');
}
test.each(["single", "batch"] as const)("the server accepts each change of a %s run", async (kind) => {
  const open = new Set<string>();
  const accepted = new Set<string>();
  for (let seed = 1; seed <= 20; seed++)
    for (const [n, typed] of changesBy(new Chance(seed), 1).entries()) {
      if ((typed.only ?? kind) !== kind) continue;
      // Some lines have several verbs.
      for (const name of [`line ${n}`, typed.words.slice(0, 2).join(" ")]) {
        if (accepted.has(name)) continue;
        open.add(name);
        if (await isAccepted(typed, kind)) accepted.add(name);
      }
    }
  expect([...open].filter((name) => !accepted.has(name))).toEqual([]);
});

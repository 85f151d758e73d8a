/** The examples in the help of each command run, and each command has one. */
import { describe, expect, test } from "vitest";
import { examplesOf, started, withAccount } from "../examples.ts";
import { everyCommand } from "../tree.ts";

describe.each([...everyCommand().keys()])("%s", (name) => {
  test("has examples that run in the sandbox", async () => {
    const lines = await examplesOf(name.split(" "));
    expect(lines.length).toBeGreaterThan(0);
    for (const line of lines) {
      expect(line).toContain(`zulipctl ${name}`);
      const session = await started();
      if (/^zulipctl audit (?!fetch)/.test(line)) await session.type("zulipctl audit fetch");
      if (/^zulipctl (undo|log show)/.test(line))
        await session.type("zulipctl channel update design --description Changed");
      const typed = await session.type(withAccount(line, session));
      expect({ line, ...typed }).toEqual({ line, code: 0, shown: typed.shown });
    }
  });
});

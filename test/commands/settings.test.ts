import { expect, test } from "vitest";
import { zulipctl } from "../run.ts";

test.each([[[]], [["--new-users"]]])("settings show %j describes every setting", async (flags) => {
  const level = 500;
  const { out: names } = await zulipctl(["settings", "list", "-o", "ids", ...flags], { level });
  const { out } = await zulipctl(["settings", "show", ...names.trim().split("\n"), "--json", ...flags], { level });
  for (const { name, description } of JSON.parse(out))
    expect({ name, description }).toEqual({
      name,
      description: expect.stringMatching(/^(The|A|Wh|What|How|Days|In|For) ?.*\.$/),
    });
});

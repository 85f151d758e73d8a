/** The launcher completes as the program does. */
import { expect, test } from "vitest";
import * as built from "../binary/program.ts";
import { zulipctl } from "../run.ts";

test.each([
  [[""]],
  [["channel", "update", "x", "--"]],
  [["group", "members", "x", "--add", ""]],
  [["batch", "rows.csv", "--", "channel", ""]],
  [["nonsense", ""]],
])("%j", async (words) => {
  const { out } = await zulipctl(["__complete", "--", ...words]);
  expect(await built.zulipctl(["__complete", "--", ...words])).toEqual({ code: 0, signal: null, out, err: "" });
});

/** Lists of an account that is not there are no empty lists. */
import { describe, expect, test } from "vitest";
import { zulipctl } from "../run.ts";

describe.each([442, 371])("at feature level %i", (level) => {
  test.each([
    [["users", "channels", "9999"], 1, "No such user"],
    [["users", "groups", "9999"], 1, "No such user"],
  ])("%j ends with %i", async (argv, code, says) => {
    for (const form of ["json", "ids"]) {
      const told = await zulipctl([...argv, "-o", form], { level });
      expect({ code: told.code, out: form === "json" ? told.out : "" }).toEqual({ code, out: "" });
      expect(told.err).toContain(says);
    }
  });
});

test("what is there and empty is an empty list", async () => {
  expect(await zulipctl(["channel", "list", "--folder", "2", "-o", "ids"])).toMatchObject({ code: 0, out: "" });
  expect(await zulipctl(["users", "list", "--owner", "9", "-o", "ids"])).toMatchObject({ code: 0, out: "" });
});

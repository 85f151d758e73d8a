/** A filter by something that is not there is no empty list. */
import { describe, expect, test } from "vitest";
import { zulipctl } from "../run.ts";

describe.each([442, 371])("at feature level %i", (level) => {
  test.each([
    [["users", "channels", "9999"], 1, "No such user"],
    [["users", "groups", "9999"], 1, "No such user"],
    [["users", "list", "--owner", "9999"], 2, "--owner: user 9999 not found, or not visible to this account"],
    [["users", "list", "--owner", "8,9999"], 2, "--owner: user 9999 not found, or not visible to this account"],
  ])("%j ends with %i", async (argv, code, says) => {
    for (const form of ["json", "ids"]) {
      const told = await zulipctl([...argv, "-o", form], { level });
      expect({ code: told.code, out: form === "json" ? told.out : "" }).toEqual({ code, out: "" });
      expect(told.err).toContain(says);
    }
  });
});

test.each(["json", "ids"])("channel list --folder 99 -o %s ends with 2", async (form) => {
  const { code, out, err } = await zulipctl(["channel", "list", "--folder", "99", "-o", form]);
  expect({ code, out }).toEqual({ code: 2, out: "" });
  expect(err).toContain("--folder: no folder has the id 99");
});

test("what is there and empty is an empty list", async () => {
  expect(await zulipctl(["channel", "list", "--folder", "2", "-o", "ids"])).toMatchObject({ code: 0, out: "" });
  expect(await zulipctl(["users", "list", "--owner", "9", "-o", "ids"])).toMatchObject({ code: 0, out: "" });
});

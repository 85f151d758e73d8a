import { describe, expect, test } from "vitest";
import type { Choice } from "../../src/output/form.ts";
import { checkChoice, print } from "../../src/output/present.ts";
import { place } from "./world.ts";

const known = ["user_id", "full_name", "role", "ID", "NAME", "ROLE"];
const choice = (fields: string[], form: Choice["form"] = "json"): Choice => ({ form, fields, color: "auto" });

const listing = (records: object[], more: object = {}) => ({
  kind: "listing" as const,
  records,
  columns: [
    { head: "ID", value: ({ user_id }: { user_id: number }) => user_id },
    { head: "ROLE", value: ({ role }: { role: number }) => (role === 100 ? "owner" : "member") },
  ],
  id: () => 1,
  ...more,
});
const ada = { user_id: 1, full_name: "Ada", role: 100 };
const printed = async (fields: string[], form: Choice["form"], records: object[] = [ada], more = {}) => {
  const world = place();
  await print(listing(records, more), choice(fields, form), world);
  return world.stdout.text;
};

describe("--fields", () => {
  test("picks members in the order asked", async () => {
    expect(await printed(["full_name", "user_id"], "json")).toBe('[{"full_name":"Ada","user_id":1}]\n');
    expect(await printed(["full_name", "user_id"], "csv")).toBe("full_name,user_id\r\nAda,1\r\n");
  });

  test("takes columns too: people see the column, programs the server's value", async () => {
    expect(await printed(["role", "full_name", "id"], "table")).toBe("ROLE\tfull_name\tID\nowner\tAda\t1\n");
    expect(await printed(["role", "id"], "json")).toBe('[{"role":100,"id":1}]\n');
  });

  test("leaves out what a record lacks, keeps null, and prints a name once", async () => {
    expect(await printed(["a", "b", "a"], "json", [{ a: null }, { b: 0 }])).toBe('[{"a":null},\n{"b":0}]\n');
  });

  test("that the answer does not know is refused when the answer is there, and printed for an empty one", async () => {
    await expect(printed(["full_nam"], "json")).rejects.toMatchObject({
      exitCode: 2,
      message: '--fields: unknown field "full_nam"',
      details: { hint: "Did you mean: full_name?" },
    });
    expect(await printed(["full_nam"], "json", [])).toBe("[]\n");
  });

  test("may name what only a later record has", async () => {
    expect(await printed(["late"], "ndjson", [{ a: 1 }, { late: 2 }])).toBe('{}\n{"late":2}\n');
  });
});

test.each([
  [["user_di"], known, 'unknown field "user_di"', "Did you mean: user_id?"],
  [["\u001b[1mzzzzzzzz"], known, 'unknown field "zzzzzzzz"', "Available: full_name, id, name, role, user_id."],
  [["id"], [], 'unknown field "id"', "This answer has no fields; remove --fields."],
  [[], known, "is empty", "Pass names separated by commas: --fields id,name"],
])("%j of %j is refused before anything is sent", async (fields, all, message, hint) => {
  await expect(checkChoice(choice(fields), all)).rejects.toMatchObject({
    exitCode: 2,
    message: expect.stringContaining(message),
    details: { hint },
  });
});

import { describe, expect, test } from "vitest";
import type { OutputOptions, Result } from "../../src/output/form.ts";
import { checkOutputOptions } from "../../src/output/printer.ts";
import { printed } from "./world.ts";

const known = ["user_id", "full_name", "role", "ID", "NAME", "ROLE"];
const listing = (records: object[]) => ({
  kind: "listing" as const,
  records,
  columns: [
    { head: "ID", value: ({ user_id }: { user_id: number }) => user_id },
    { head: "ROLE", value: ({ role }: { role: number }) => (role === 100 ? "owner" : "member") },
  ],
  id: () => 1,
});
const ada = { user_id: 1, full_name: "Ada", role: 100 };
const withFields = (fields: string[], form: OutputOptions["form"], records: object[] = [ada]) =>
  printed(listing(records) as Result, { form, fields });

describe("--fields", () => {
  test("picks members in the given order", async () => {
    expect(await withFields(["full_name", "user_id"], "json")).toBe('[{"full_name":"Ada","user_id":1}]\n');
    expect(await withFields(["full_name", "user_id"], "csv")).toBe("full_name,user_id\r\nAda,1\r\n");
  });

  test("accepts columns: people get the column, programs the server's value", async () => {
    expect(await withFields(["role", "full_name", "id"], "table")).toBe("ROLE\tfull_name\tID\nowner\tAda\t1\n");
    expect(await withFields(["role", "id"], "json")).toBe('[{"role":100,"id":1}]\n');
  });

  test("omits missing members, keeps null, and prints a repeated name once", async () => {
    expect(await withFields(["a", "b", "a"], "json", [{ a: null }, { b: 0 }])).toBe('[{"a":null},\n{"b":0}]\n');
  });

  test("refuses an unknown field after the answer, unless it is empty", async () => {
    await expect(withFields(["full_nam"], "json")).rejects.toMatchObject({
      exitCode: 2,
      message: '--fields: unknown field "full_nam"',
      details: { hint: "Did you mean: full_name?" },
    });
    expect(await withFields(["full_nam"], "json", [])).toBe("[]\n");
  });

  test("accepts a field of a later record", async () => {
    expect(await withFields(["late"], "ndjson", [{ a: 1 }, { late: 2 }])).toBe('{}\n{"late":2}\n');
  });
});

test.each([
  [["user_di"], known, 'unknown field "user_di"', "Did you mean: user_id?"],
  [["nope"], known, 'unknown field "nope"', "Available: full_name, id, name, role, user_id."],
  [["\u001b[1mzzzzzzzz"], known, 'unknown field "zzzzzzzz"', "Available: full_name, id, name, role, user_id."],
  [["id"], [], 'unknown field "id"', "This answer has no fields; remove --fields."],
  [[], known, "is empty", "Pass names separated by commas: --fields id,name"],
])("refuses %j of %j before anything is sent", async (fields, all, message, hint) => {
  await expect(checkOutputOptions({ form: "json", fields, color: "auto" }, all)).rejects.toMatchObject({
    exitCode: 2,
    message: expect.stringContaining(message),
    details: { hint },
  });
});

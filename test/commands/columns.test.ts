/** The columns of tables, by their names, in every form. */
import { expect, test } from "vitest";
import { zulipctl } from "../run.ts";

const out = async (...argv: string[]) => (await zulipctl(argv)).out;

test("the name of a column gives the words of the table, and a member the server's value", async () => {
  expect(await out("users", "list", "--role", "owner", "-o", "csv", "--fields", "NAME,EMAIL,ROLE,role")).toBe(
    "NAME,EMAIL,ROLE,role\r\nIris Owner,iris@sandbox.example,owner,100\r\n",
  );
  expect(await out("users", "list", "--role", "owner", "-o", "ndjson", "--fields", "ROLE,role")).toBe(
    '{"ROLE":"owner","role":100}\n',
  );
  expect(await out("channel", "list", "--match", "design", "-o", "tsv", "--fields", "NAME,FOLDER,folder_id")).toBe(
    "NAME\tFOLDER\tfolder_id\ndesign\tProjects\t1\n",
  );
});

test("a CSV without records has the header of one with records", async () => {
  const head = (text: string) => text.split("\r\n")[0];
  for (const list of ["users", "channel"]) {
    const empty = await out(list, "list", "--match", "nobody at all", "-o", "csv");
    expect(empty.split("\r\n")).toEqual([head(await out(list, "list", "-o", "csv")), ""]);
  }
  expect(await out("users", "list", "--match", "nobody at all", "-o", "csv", "--fields", "NAME,role")).toBe(
    "NAME,role\r\n",
  );
  expect(await out("drafts", "list", "-o", "csv")).toBe("id,type,to,topic,content,timestamp\r\n");
});

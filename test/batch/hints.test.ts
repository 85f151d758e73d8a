/** What a batch says of rows that need nothing, and which command it names next. */
import { describe, expect, test } from "vitest";
import { fresh } from "../run.ts";
import { batch, column, faulty } from "./rows.ts";

const journal = "j.jsonl";

test("a row of --set that only removes reports what it changed", async () => {
  const files = new Map([["rows.csv", "channel,people\ndesign,8 11 12\n"]]);
  const words = ["channel", "subscribers", "{channel}", "--set", "8,11,12"];
  const { out } = await batch(["-o", "table", "--yes", "rows.csv", "--", ...words], { files });
  expect(out).toBe('ROW\tTARGET\tOUTCOME\tRESULT\n1\tdesign\tdone\tUpdated channel "design": 1 subscriber removed.\n');
});

test("a resumed run that still has unknown rows suggests --retry-unknown", async () => {
  const sandbox = faulty("drop-before:op=attachment.rm,nth=1");
  const files = new Map([["rows.csv", column("id", [1, 2])]]);
  const words = ["rows.csv", "--yes", "--journal", journal, "--", "attachment", "rm", "{id}"];
  const first = await batch(words, { sandbox, files });
  expect({ code: first.code, hint: first.err.includes("--retry-unknown") }).toEqual({ code: 7, hint: false });
  const second = await batch(["rows.csv", "--yes", "--resume", journal, ...words.slice(4)], { sandbox, files });
  expect(second.code).toBe(7);
  expect(second.err).toContain(
    `Send what is unknown again with: zulipctl batch -o ndjson --yes --resume ${journal} --retry-unknown rows.csv -- attachment rm {id}\n`,
  );
});

describe("deactivated people", () => {
  const run = (flag: string) => {
    const sandbox = fresh();
    const person = sandbox.state.users.get(12);
    if (person) person.is_active = false;
    const files = new Map([["rows.csv", `group,email\ndesigners,10\ndesigners,${person?.delivery_email}\n`]]);
    return batch(["rows.csv", "--", "group", "members", "{group}", flag, "{email}"], { sandbox, files });
  };

  test("are reported before rows that add them are sent", async () => {
    const { code, err, changes } = await run("--add");
    expect({ code, changes }).toEqual({ code: 2, changes: [] });
    expect(err).toMatch(/rows\.csv, line 3, column email: --add: user "\S+" is deactivated/);
  });

  test("can still be removed", async () => {
    expect((await run("--delete")).err).not.toContain("is deactivated");
  });
});

test("a dry run reports that nothing would be sent", async () => {
  const files = new Map([["rows.csv", "group,email\ndesigners,9\n"]]);
  const words = ["group", "members", "{group}", "--add", "{email}", "--if-changed"];
  const { code, out, err } = await batch(["-n", "rows.csv", "--", ...words], { files });
  expect({ code, out, err }).toEqual({
    code: 0,
    out: "",
    err: "zulipctl: No changes: nothing would be sent for 1 row.\n",
  });
});

test.each([
  ["with flags", ["group", "members", "{group}", "--add", "{email}"], "zulipctl batch <file> -- <command>"],
  ["without", ["folder", "create", "{group}"], "zulipctl batch -o ndjson rows.csv -- folder create {group}"],
])("a command %s that stands without -- before it is refused, and the right place is named", async (_, words, line) => {
  const files = new Map([["rows.csv", "group,email\ndesigners,9\n"]]);
  const { code, err, sent } = await batch(["rows.csv", ...words], { files });
  expect({ code, sent }).toEqual({ code: 2, sent: [] });
  expect(err.split("\n")[1]).toBe(`Put -- before the command: ${line}`);
});

/** Which rows of a file a run is about, and what it says of the others. */
import { expect, test } from "vitest";
import { fresh } from "../run.ts";
import { batch } from "./rows.ts";

const google = `First Name [Required],Email Address [Required],Groups,Status [READ ONLY]
Ada,adam@sandbox.example,writers,Active
Bo,mona@sandbox.example,writers,Suspended
Otis,otis@sandbox.example,,Active
Cora,cora@sandbox.example,writers, ACTIVE
`;
const files = new Map([["google.csv", google]]);
const words = ["--", "group", "members", "{Groups}", "--add", "{Email Address [Required]}"];
const active = ["--where", "Status [READ ONLY]=active"];

test("--where picks rows, --skip-empty skips rows without a value, and all are counted", async () => {
  const { code, records, err, changes } = await batch(["google.csv", ...active, "--skip-empty", ...words], { files });
  expect(changes).toEqual(["POST /user_groups/18/members add=[9,11]"]);
  expect(records).toEqual([
    { row: 1, operation: "group.members", target: "writers", outcome: "done", answer: {} },
    { row: 2, outcome: "not_selected" },
    { row: 3, outcome: "skipped" },
    { row: 4, operation: "group.members", target: "writers", outcome: "done", answer: {} },
  ]);
  expect(err).toBe("zulipctl: 2 of 2 rows done, 1 row skipped: empty, 1 row not selected\n");
  expect(code).toBe(0);
});

test("a dry run counts the rows that it leaves out", async () => {
  const run = await batch(["google.csv", "--dry-run", ...active, "--skip-empty", ...words], { files });
  expect(run.err).toBe("zulipctl: 1 row skipped: empty, 1 row not selected\n");
  expect(run.code).toBe(0);
});

test("conditions must all hold, and can exclude a value", async () => {
  const where = ["--where", "Status [READ ONLY]!=Suspended", "--where", "First Name [Required]!=ada"];
  const { outcomes, code } = await batch(["google.csv", ...where, "--skip-empty", ...words], { files });
  expect(outcomes).toEqual(["1 not_selected", "2 not_selected", "3 skipped", "4 done"]);
  expect(code).toBe(0);
});

test("a condition that holds nowhere is no failure", async () => {
  const { code, err } = await batch(["google.csv", "--where", "Status [READ ONLY]=Archived", ...words], { files });
  expect(err).toBe("zulipctl: 0 of 0 rows done, 4 rows not selected\n");
  expect(code).toBe(0);
});

test.each([
  [["--where", "Status=Active"], 'google.csv has no column "Status"\nDid you mean: Status [READ ONLY]?'],
  [["--where", "groups=writers"], 'google.csv has no column "groups"\nDid you mean: Groups?'],
  [["--where", "Groups"], 'invalid --where "Groups": must be <column>=<value> or <column>!=<value>'],
  [["--where", "Groups==x"], 'invalid --where "Groups==x": must be <column>=<value> or <column>!=<value>'],
  [["--where", "=x"], 'invalid --where "=x": must be <column>=<value> or <column>!=<value>'],
])("%s is refused", async (flags, message) => {
  const { code, err, sent } = await batch(["google.csv", ...flags, ...words], { files });
  expect(err).toBe(`zulipctl: ${message}\n`);
  expect(code).toBe(2);
  expect(sent).toEqual([]);
});

test("filters need columns", async () => {
  const lines = new Map([["x.lines", "folder create A\n"]]);
  const { code, err } = await batch(["x.lines", "--skip-empty"], { files: lines });
  expect(err).toBe("zulipctl: --skip-empty needs columns, and --format lines has none\n");
  expect(code).toBe(2);
});

test("objects are picked by their members", async () => {
  const people = [
    { email: "adam@sandbox.example", status: "Active" },
    { email: "mona@sandbox.example" },
    { email: null, status: "active" },
  ];
  const rows = new Map([["people.ndjson", people.map((each) => `${JSON.stringify(each)}\n`).join("")]]);
  const command = ["--", "group", "members", "writers", "--add", "{email}"];
  const run = await batch(["people.ndjson", "--where", "status=Active", "--skip-empty", ...command], { files: rows });
  expect(run.outcomes).toEqual(["1 done", "2 not_selected", "3 skipped"]);
  const unknown = await batch(["people.ndjson", "--where", "state=Active", ...command], { files: rows });
  expect(unknown.err).toBe('zulipctl: people.ndjson has no column "state"\nDid you mean: status?\n');
  expect(unknown.code).toBe(2);
});

test("an empty cell is named as such", async () => {
  const text = "group,email,name\n,cora@sandbox.example,x\nwriters,,x\nwriters,cora@sandbox.example,\n";
  const rows = new Map([["f.csv", text]]);
  const command = ["--", "group", "members", "{group}", "--add", "name:{name},{email}"];
  const { code, err, sent } = await batch(["f.csv", ...command], { files: rows });
  expect(err).toContain(`  f.csv, line 2, column group: the cell is empty
  f.csv, line 3, column email: the cell is empty
  f.csv, line 4, column name: the cell is empty
`);
  expect(code).toBe(2);
  expect(sent.filter(({ method }) => method !== "GET")).toEqual([]);
});

test("an empty cell for an exact list is stopped, and its line named", async () => {
  const rows = new Map([["f.csv", "group,people\nwriters,\n"]]);
  const run = await batch(["f.csv", "--", "group", "members", "{group}", "--set", "{people}"], { files: rows });
  expect(run.err).toBe(
    'zulipctl: this would remove the only member of group "writers" (line 2). To do that, add: --allow-empty\n',
  );
  expect(run.code).toBe(2);
});

test("a run is resumed with the same filters", async () => {
  const sandbox = fresh();
  const all = { sandbox, files: new Map(files) };
  await batch(["google.csv", "--journal", "j", ...active, "--skip-empty", ...words], all);
  const other = await batch(["google.csv", "--resume", "j", "--skip-empty", ...words], all);
  expect(other.err).toContain("the journal j belongs to another command");
  const same = await batch(["google.csv", "--resume", "j", ...active, "--skip-empty", ...words], all);
  expect(same.code).toBe(0);
  expect(same.changes).toEqual([]);
});

test("errors and summaries have the line of the file", async () => {
  const rows = new Map([["f.csv", "\n\ngroup,email\nwriters,cora@sandbox.example\nwriters,x@sandbox.example\n"]]);
  const command = ["--", "group", "members", "{group}", "--add", "{email}"];
  const run = await batch(["f.csv", "--skip-invalid", "-o", "table", ...command], { files: rows });
  expect(run.out).toBe(`LINE\tTARGET\tOUTCOME\tRESULT
4\twriters\tdone\tUpdated group "writers": 1 member added.
5\t\tinvalid\t--add: user "x@sandbox.example" not found, or not visible to this account
`);
  expect(run.err).toContain("line 5: --add: user");
});

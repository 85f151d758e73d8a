import { describe, expect, test } from "vitest";
import { fresh, zulipctl, zulipctlAsking } from "../run.ts";
import { batch, column } from "./rows.ts";

const add = ["--", "group", "members", "{group}", "--add", "{email}"];
const files = (content: string, name = "rows.csv") => new Map([[name, content]]);

describe("bad rows", () => {
  const text = [
    "group,email",
    "designers,otis@sandbox.example",
    "designers,nobody@sandbox.example",
    "nogroup,otis@sandbox.example",
    "designers,Otis",
    "designers",
    "",
  ].join("\n");

  test("are all listed, each with its line and column, and nothing is sent", async () => {
    const run = await batch(["rows.csv", ...add], { files: files(text) });
    expect(run).toMatchObject({
      code: 2,
      out: "",
      changes: [],
      err: [
        "zulipctl: 4 of 5 rows of rows.csv are wrong; nothing was sent",
        '  rows.csv, line 3, column email: --add: user "nobody@sandbox.example" not found, or not visible to this account',
        '  rows.csv, line 4, column group: <group>: group "nogroup" not found, or not visible to this account',
        '  rows.csv, line 5, column email: --add: "Otis" is not an id or an e-mail address',
        "  rows.csv, line 6: there are 1 cells where the header has 2",
        "Correct them, or leave them out with --skip-invalid.",
        "",
      ].join("\n"),
    });
  });

  test("are listed in the JSON error too", async () => {
    const run = await batch(["-o", "json", "rows.csv", ...add], { files: files(column("group,email", ["x,8"])) });
    expect(JSON.parse(run.err)).toEqual({
      error: {
        exit_code: 2,
        kind: "usage",
        message: "1 of 1 row of rows.csv is wrong; nothing was sent",
        outcome: "not_sent",
        problems: [
          {
            file: "rows.csv",
            line: 2,
            column: "group",
            message: '<group>: group "x" not found, or not visible to this account',
            hint: "List them with: zulipctl group list --system --deactivated",
          },
        ],
        hint: "Correct them, or leave them out with --skip-invalid.",
      },
    });
  });

  test("are skipped with --skip-invalid, and reported as invalid", async () => {
    const all = files(text);
    const run = await batch(["rows.csv", "--skip-invalid", "--failed", "bad.csv", ...add], { files: all });
    expect(run.outcomes).toEqual(["1 done", "2 invalid", "3 invalid", "4 invalid", "5 invalid"]);
    expect(run.records[1]).toEqual({
      row: 2,
      outcome: "invalid",
      error: {
        line: 3,
        column: "email",
        exit_code: 2,
        kind: "usage",
        message: '--add: user "nobody@sandbox.example" not found, or not visible to this account',
        outcome: "not_sent",
        hint: "Available: iris@sandbox.example (8, Iris Owner), adam@sandbox.example (9, Adam Admin), mona@sandbox.example (10, Mona Moderator), cora@sandbox.example (11, Cora Member), otis@sandbox.example (12, Otis Member), gwen@sandbox.example (13, Gwen Guest), beep-bot@sandbox.example (14, Beep Bot), dora@sandbox.example (15, Dora Departed, deactivated).",
      },
    });
    expect(run.changes).toEqual(["POST /user_groups/17/members add=[12]"]);
    expect(run.code).toBe(5);
    expect(all.get("bad.csv")).toBe(
      "group,email\ndesigners,nobody@sandbox.example\nnogroup,otis@sandbox.example\ndesigners,Otis\ndesigners\n",
    );
  });

  test("are listed with the column of the word for --format lines", async () => {
    const text =
      "folder create Q4\nchannel update nowhere --new-name x\n  channel update design --foldr x\nchannel 'x\n";
    const run = await batch(["-", "--format", "lines"], { input: text });
    expect(run.err.split("\n").slice(0, 4)).toEqual([
      "zulipctl: 3 of 4 rows of stdin are wrong; nothing was sent",
      '  stdin, line 2, column 16: <channel>: channel "nowhere" not found, or not visible to this account',
      "  stdin, line 3, column 25: unknown flag: --foldr",
      "  stdin, line 4: a quote is not closed on this line",
    ]);
    expect(run.changes).toEqual([]);
  });
});

describe("names", () => {
  test("need one look-up of each kind, and ids none", async () => {
    const rows = ["designers,12", "designers,gwen@sandbox.example", "writers,name:Mona Moderator", "19,me"];
    const run = await batch(["rows.csv", ...add], { files: files(column("group,email", rows)) });
    expect(run.code).toBe(0);
    const reads = run.sent.filter(({ method }) => method === "GET").map(({ url }) => url.replace(/^.*\/v1/, ""));
    expect(reads.map((url) => url.replace(/\?.*/, "")).sort()).toEqual(["/user_groups", "/users", "/users/me"]);
    const ids = await batch(["rows.csv", ...add], { files: files("group,email\n17,12\n17,10\n") });
    expect(ids.sent.map(({ method }) => method)).toEqual(["POST"]);
  });

  test("keep their meaning even if a row renames the thing", async () => {
    const rows = ["channel update design --new-name sketches", "channel update design --description first"];
    const run = await batch(["-", "--format", "lines"], { input: rows.join("\n") });
    expect(run.changes).toEqual(["PATCH /streams/1 new_name=sketches", "PATCH /streams/1 description=first"]);
  });
});

describe("contradictions", () => {
  const wrong = async (...rows: string[]) => {
    const run = await batch(["-", "--format", "lines"], { input: rows.join("\n") });
    expect(run.changes).toEqual([]);
    expect(run.code).toBe(2);
    return run.err.split("\n").slice(1, -2);
  };

  test("rejects a membership that an earlier row has", async () => {
    expect(await wrong("group members designers --add 12", "group members 17 --add 10,otis@sandbox.example")).toEqual([
      "  stdin, line 2, column 24: --add 12: line 1 does the same already",
    ]);
  });

  test("rejects a membership that reverses an earlier row", async () => {
    expect(await wrong("group members 17 --add 12", "group members 17 --delete 12")).toEqual([
      "  stdin, line 2, column 27: --delete 12: line 1 does the opposite",
    ]);
    expect(await wrong("group members 19 --delete-subgroups 18", "group members 19 --add-subgroups writers")).toEqual([
      "  stdin, line 2, column 34: --add-subgroups 18: line 1 does the opposite",
    ]);
  });

  test("bad rows do not count for later rows", async () => {
    const rows = ["group members 17 --add 12,nobody@x.example", "group members 17 --add 12"];
    const run = await batch(["-", "--format", "lines", "--skip-invalid"], { input: rows.join("\n") });
    expect(run.outcomes).toEqual(["1 invalid", "2 done"]);
  });

  test("accepts the same member in other lists, and successive values of a setting", async () => {
    const rows = [
      "group members designers --add 10",
      "group members writers --add 10",
      "channel update design --description one",
      "channel update design --description two",
      "channel update design --description one",
      "folder create Q4",
    ];
    const run = await batch(["-", "--format", "lines"], { input: rows.join("\n") });
    expect(run.code).toBe(0);
    expect(run.changes.filter((change) => change.startsWith("PATCH"))).toEqual([
      "PATCH /streams/1 description=one",
      "PATCH /streams/1 description=two",
      "PATCH /streams/1 description=one",
    ]);
  });
});

describe("rows that are not allowed in a batch", () => {
  const said = async (line: string) => {
    const run = await batch(["-", "--format", "lines"], { input: `${line}\n` });
    expect({ code: run.code, sent: run.changes }).toEqual({ code: 2, sent: [] });
    return run.err.split("\n")[1]!.replace(/^ {2}stdin, line 1(, column \d+)?: /, "");
  };

  test.each([
    ["users list", "users list is not allowed in a batch"],
    ["profile rm work", "profile rm is not allowed in a batch"],
    ["group members designers", "this command changes nothing: a batch takes only commands that change something"],
    ["folder create Q4 --yes", "--yes applies to the whole run: put it before --"],
    ["folder create --help", "--help and --version are not allowed in a row"],
    ["folder create Q4 --description -", "a batch row cannot read stdin"],
    ["zulipctl folder create Q4", 'unknown command "zulipctl"'],
    ["folder", expect.stringMatching(/^folder requires a subcommand: create, [\w, ]+$/)],
    ["channel update design", "channel update requires at least one flag that says what to change"],
    ["linkifier add '(' 'https://x/'", "Bad regular expression: missing ): ("],
  ])("%s", async (line, message) => {
    expect(await said(line)).toEqual(message);
  });
});

describe("a row with empty cells", () => {
  const plan = "stream_id,name,folder\n1,,\n2,general-2,\n3,,\n";
  const words = ["--", "channel", "update", "{stream_id}", "--new-name", "{name?}", "--folder={folder?}"];

  test("is done and unchanged", async () => {
    const run = await batch(["plan.csv", ...words], { files: files(plan, "plan.csv") });
    expect(run.records).toEqual([
      { row: 1, outcome: "done", unchanged: true },
      { row: 2, operation: "channel.update", target: "2", outcome: "done", answer: {} },
      { row: 3, outcome: "done", unchanged: true },
    ]);
    expect(run).toMatchObject({ code: 0, changes: ["PATCH /streams/2 new_name=general-2"] });
    const table = await batch(["plan.csv", "-o", "table", ...words], { files: files(plan, "plan.csv") });
    expect(table.out.split("\n")[1]).toBe("1\t\tdone\tNo changes.");
  });

  test("is invalid if the command changes nothing in any row", async () => {
    const run = await batch(["plan.csv", "--", "channel", "update", "{stream_id}"], { files: files(plan, "plan.csv") });
    expect(run.code).toBe(2);
    expect(run.err.split("\n").slice(0, 2)).toEqual([
      "zulipctl: 3 of 3 rows of plan.csv are wrong; nothing was sent",
      "  plan.csv, line 2 and 2 others: channel update requires at least one flag that says what to change",
    ]);
  });
});

describe("the command line", () => {
  test.each([
    [["rows.txt"], "cannot tell the format of rows.txt from its name: pass --format"],
    [["-"], "reading stdin requires --format"],
    [["rows.csv"], "missing command: put the command for each row after --"],
    [["rows.lines", "--", "folder", "create"], "--format lines takes no command after --"],
    [["rows.csv", "--retry-unknown", ...add], "--retry-unknown requires --resume"],
    [["rows.csv", "--failed", "./rows.csv", ...add], "--failed and <file> are the same file"],
    [["rows.csv", "--failed", "j", "--journal", "j", ...add], "--failed and --journal are the same file"],
    [
      ["rows.csv", "--on-error", "stop", "--max-failures", "3", ...add],
      "--on-error stop cannot be combined with --max-failures",
    ],
    [["rows.csv", "--resume", "last", ...add], "--resume last: no earlier run found"],
    [["rows.csv", "--resume", "nothing.jsonl", ...add], "journal not found: nothing.jsonl"],
    [
      ["rows.csv", "--resume", "a.jsonl", "--journal", "b.jsonl", ...add],
      "--resume a.jsonl and --journal b.jsonl are different journals",
    ],
    [["rows.csv", "--journal", "rows.csv", ...add], "the journal rows.csv already exists"],
    [["rows.csv", "--", "group", "members", "{grp}", "--add", "{email}"], 'rows.csv has no column "grp"'],
  ])("%j is refused", async (argv, message) => {
    const run = await batch(argv, { files: files("group,email\ndesigners,12\n") });
    expect({ code: run.code, out: run.out, changes: run.changes }).toEqual({ code: 2, out: "", changes: [] });
    expect(run.err.split("\n")[0]).toBe(`zulipctl: ${message}`);
  });

  test("a file without rows is done", async () => {
    const run = await batch(["rows.csv", ...add], { files: files("group,email\n") });
    expect(run).toMatchObject({ code: 0, out: "", err: "zulipctl: 0 of 0 rows done\n", sent: [] });
  });

  test("ends with 3 without credentials, before rows are read", async () => {
    const run = await batch(["missing.csv", ...add], { env: {} });
    expect(run).toMatchObject({ code: 3, sent: [] });
  });
});

describe("--dry-run", () => {
  test("prints merged requests, reads only names, and leaves no journal", async () => {
    const all = files(column("group,email", ["designers,otis@sandbox.example", "designers,10", "writers,10"]));
    const run = await zulipctl(["batch", "-n", "-o", "json", "rows.csv", ...add], { files: all });
    expect(run.code).toBe(0);
    expect(JSON.parse(run.out)).toEqual([
      {
        operation: "group.members",
        method: "POST",
        url: "https://chat.example/api/v1/user_groups/17/members",
        parameters: { add: [12, 10] },
        body: "add=%5B12%2C10%5D",
      },
      {
        operation: "group.members",
        method: "POST",
        url: "https://chat.example/api/v1/user_groups/18/members",
        parameters: { add: [10] },
        body: "add=%5B10%5D",
      },
    ]);
    expect(run.sent.map(({ method }) => method)).toEqual(["GET", "GET"]);
    expect([...all.keys()].filter((path) => path.startsWith("/state"))).toEqual([]);
  });

  test("needs no confirmation, and rejects bad rows", async () => {
    const sandbox = fresh();
    const run = await zulipctl(["batch", "-n", "-", "--format", "csv", "--", "attachment", "rm", "{id}"], {
      sandbox,
      input: "id\n1\n2\n",
    });
    expect(run.code).toBe(0);
    expect(run.out).toBe(
      "DELETE https://chat.example/api/v1/attachments/1  attachment.rm\n" +
        "DELETE https://chat.example/api/v1/attachments/2  attachment.rm\n",
    );
    expect(run.sent).toEqual([]);
    expect((await batch(["-n", "-", "--format", "csv", ...add], { input: "group,email\nx,1\n" })).code).toBe(2);
  });
});

describe("confirmation", () => {
  const rm = ["-", "--format", "csv", "--", "attachment", "rm", "{id}"];
  const input = "id\n1\n2\n3\n4\n5\n";

  test("is asked once for a run, with counts", async () => {
    const question =
      "Apply 5 rows to chat.example? 5 changes need confirmation: line 2: Delete attachment 1; line 3: Delete attachment 2; line 4: Delete attachment 3; and 2 more. This cannot be undone.";
    const files = new Map([["ids.csv", input]]);
    const argv = ["batch", "ids.csv", "--journal", "run.jsonl", ...rm.slice(3)];
    const refused = await zulipctlAsking(argv, { files, terminal: true, confirm: [false] });
    expect(refused).toMatchObject({ code: 130, asked: [question], sent: [] });
    expect(files.has("run.jsonl")).toBe(false);
    expect(await zulipctl(argv, { files })).toMatchObject({
      code: 2,
      err: `zulipctl: confirmation required: stdin is not a terminal. ${question} Pass --yes to confirm.\n`,
      sent: [],
    });
    expect((await batch(["--yes", ...rm], { input })).changes).toHaveLength(5);
  });
});

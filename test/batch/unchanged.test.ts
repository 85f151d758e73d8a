/** Memberships that are so already: compared before anything is sent, or judged when a request is refused for them. */
import { describe, expect, test } from "vitest";
import { respond, type Sandbox } from "../../src/sandbox/index.ts";
import { fresh } from "../run.ts";
import { batch, column, disturbed, faulty, members } from "./rows.ts";

const files = (content: string) => new Map([["rows.csv", content]]);
const add = ["--", "group", "members", "{group}", "--add", "{user}"];
const ifChanged = [...add, "--if-changed"];

/** Three hundred people for three groups. */
const crowd = () => {
  const sandbox = fresh({ users: 300 });
  const people = [...sandbox.state.users.values()].filter(({ bot_type, is_active }) => is_active && bot_type === null);
  const there = ["designers", "writers", "makers"].flatMap((name) => members(sandbox, name));
  const ids = people.map(({ user_id }) => user_id).filter((id) => !there.includes(id));
  const rows = ids.slice(-300).map((id, n) => `${17 + (n % 3)},${id}`);
  return { sandbox, text: column("group,user", rows) };
};
const requests = (run: Awaited<ReturnType<typeof batch>>) =>
  run.sent.map(({ method, url }) => `${method} ${url.replace(/^.*\/v1/, "").replace(/\?.*/, "")}`);

describe("the same three hundred rows a second time", () => {
  test("need one read of each group with --if-changed, and are done", async () => {
    const { sandbox, text } = crowd();
    expect(await batch(["rows.csv", ...ifChanged], { sandbox, files: files(text) })).toMatchObject({ code: 0 });
    const again = await batch(["rows.csv", ...ifChanged], { sandbox, files: files(text) });
    expect(again.code).toBe(0);
    expect(requests(again)).toEqual([17, 18, 19].map((id) => `GET /user_groups/${id}/members`));
    expect(again.records[0]).toEqual({
      row: 1,
      operation: "group.members",
      target: "17",
      outcome: "done",
      unchanged: true,
    });
    expect(new Set(again.records.map(({ outcome }) => outcome))).toEqual(new Set(["done"]));
  });

  test("need a request and a read of each group without it, and are refused by name", async () => {
    const { sandbox, text } = crowd();
    await batch(["rows.csv", ...add], { sandbox, files: files(text) });
    const again = await batch(["rows.csv", ...add], { sandbox, files: files(text) });
    expect(again.code).toBe(1);
    expect(requests(again).sort()).toEqual([
      ...[17, 18, 19].map((id) => `GET /user_groups/${id}/members`),
      ...[17, 18, 19].map((id) => `POST /user_groups/${id}/members`),
    ]);
    const [{ error } = {}] = again.records;
    expect(error).toMatchObject({ kind: "refused", outcome: "not_applied", http_status: 400, code: "BAD_REQUEST" });
    expect(error!.hint).toBe("Pass --if-changed to skip what is unchanged.");
    expect(error!.message).toMatch(/^user \d+ is already a member of this group, as a read after the refusal showed$/);
  });
});

describe("a refused request of several rows", () => {
  const rows = column("group,user", ["17,12", "17,9", "17,13", "17,11"]);

  test("is explained by one read: members are refused, the others are added", async () => {
    const sandbox = fresh();
    const run = await batch(["rows.csv", ...add], { sandbox, files: files(rows) });
    expect(run).toMatchObject({ code: 5, outcomes: ["1 done", "2 refused", "3 done", "4 refused"] });
    expect(run.changes).toEqual([
      "POST /user_groups/17/members add=[12,9,13,11]",
      "POST /user_groups/17/members add=[12,13]",
    ]);
    expect(requests(run)).toHaveLength(3);
    expect(members(sandbox, "designers")).toEqual([9, 11, 12, 13]);
  });

  test("is explained for removals too", async () => {
    const run = await batch(["rows.csv", "--", "group", "members", "{group}", "--delete", "{user}"], {
      files: files(rows),
    });
    expect(run).toMatchObject({ code: 5, outcomes: ["1 refused", "2 done", "3 refused", "4 done"] });
    expect(run.records[0]!.error!.message).toBe(
      "user 12 is not a member of this group, as a read after the refusal showed",
    );
    expect(requests(run)).toHaveLength(3);
  });

  test("is done for members with --if-changed, if somebody else added them", async () => {
    const sandbox: Sandbox = disturbed(async ({ request, serve }) => {
      if (request.method === "POST") sandbox.state.groups.get(17)!.members.add(13);
      return respond(serve());
    });
    const run = await batch(["rows.csv", ...ifChanged], { sandbox, files: files(rows) });
    expect(run).toMatchObject({ code: 0, outcomes: ["1 done", "2 done", "3 done", "4 done"] });
    expect(run.records.map((record) => "unchanged" in record)).toEqual([false, true, true, true]);
    expect(run.changes).toEqual(["POST /user_groups/17/members add=[12,13]", "POST /user_groups/17/members add=[12]"]);
  });

  test("counts each refused row for --max-failures and --on-error", async () => {
    const text = column("group,user", ["17,9", "17,11", "19,13"]);
    for (const flags of [
      ["--max-failures", "2"],
      ["--on-error", "stop"],
    ]) {
      const run = await batch(["rows.csv", ...flags, ...add], { files: files(text) });
      expect(run).toMatchObject({ code: 5, outcomes: ["1 refused", "2 refused", "3 not_sent"] });
    }
    const more = await batch(["rows.csv", "--max-failures", "3", ...add], { files: files(text) });
    expect(more.outcomes).toEqual(["1 refused", "2 refused", "3 done"]);
  });

  test("is split if the read does not explain it, and not read again", async () => {
    const bad = column("group,user", ["17,12", "17,99999", "17,13", "17,10"]);
    const run = await batch(["rows.csv", ...add], { files: files(bad) });
    expect(run).toMatchObject({ code: 5, outcomes: ["1 done", "2 refused", "3 done", "4 done"] });
    expect(requests(run).filter((request) => request.startsWith("GET"))).toHaveLength(1);
    expect(run.records[1]!.error!.message).toBe("Invalid user ID: 99999");
  });

  test("is split if the group cannot be read", async () => {
    const run = await batch(["rows.csv", ...add], { sandbox: faulty("500:op=group.members.list"), files: files(rows) });
    expect(run).toMatchObject({ code: 5, outcomes: ["1 done", "2 refused", "3 done", "4 refused"] });
    expect(run.records[1]!.error!.message).toBe("User 9 is already a member of this group");
  });

  test("is not examined again in a resumed run", async () => {
    const sandbox = fresh();
    const all = files(rows);
    const first = await batch(["rows.csv", "--journal", "j", ...add], { sandbox, files: all });
    const entries = all
      .get("j")!
      .split("\n")
      .filter((line) => line.includes('"judged"'));
    expect(entries.map((line) => JSON.parse(line))).toMatchObject([
      { judged: 1, rows: [2, 4], as: "refused", errors: [{ kind: "refused" }, { kind: "refused" }] },
    ]);
    const second = await batch(["rows.csv", "--resume", "j", ...add], { sandbox, files: all });
    expect(second.records).toEqual(first.records);
    expect(second.sent).toEqual([]);
  });
});

describe("--if-changed in a batch", () => {
  test("reads again in a resumed run, and done rows stay done", async () => {
    const sandbox = fresh();
    const all = files(column("group,user", ["17,12", "17,9"]));
    await batch(["rows.csv", "--journal", "j", ...ifChanged], { sandbox, files: all });
    const again = await batch(["rows.csv", "--resume", "j", ...ifChanged], { sandbox, files: all });
    expect(again.records).toMatchObject([
      { row: 1, outcome: "done", answer: {} },
      { row: 2, outcome: "done", unchanged: true },
    ]);
    expect(again.changes).toEqual([]);
  });

  test("sends only the people of a row who are not members", async () => {
    const run = await batch(["rows.csv", "-o", "table", ...ifChanged], { files: files('group,user\n17,"9,12,11"\n') });
    expect(run.changes).toEqual(["POST /user_groups/17/members add=[12]"]);
    expect(run.out).toContain("Updated group 17: 1 member added.");
    const same = await batch(["rows.csv", "-o", "table", ...ifChanged], { files: files('group,user\n17,"9,11"\n') });
    expect(same.out).toContain("17\tdone\tNo changes.");
  });

  test("shows the rest in a dry run", async () => {
    const run = await batch(["rows.csv", "-n", "-o", "json", ...ifChanged], {
      files: files(column("group,user", ["17,9", "17,12", "18,9"])),
    });
    expect(JSON.parse(run.out).map(({ parameters }: { parameters: unknown }) => parameters)).toEqual([
      { add: [12] },
      { add: [9] },
    ]);
  });
});

test("--diff names the line of each row", async () => {
  const rows = "id,text\n17,x\n18,y\n";
  const words = ["--", "group", "update", "{id}", "--description", "{text}", "--diff"];
  const { out } = await (await import("../run.ts")).zulipctl(["batch", "rows.csv", ...words], { files: files(rows) });
  expect(out.split("\n").map((line) => line.slice(0, 15))).toEqual(["line 2: 17: des", "line 3: 18: des", ""]);
});

describe("--set in a batch", () => {
  test("reads an empty cell as nobody, which needs --yes", async () => {
    const sandbox = fresh();
    const bad = await batch(["rows.csv", ...set], { sandbox, files: files("group,people\n17,\n") });
    expect(bad.code).toBe(2);
    expect(bad.err).toContain(
      'confirmation required: --set is empty. Remove every direct member from group "17"? Pass --yes to confirm.',
    );
    await batch(["rows.csv", "--yes", ...set], { sandbox, files: files("group,people\n17,\n") });
    expect(members(sandbox, "designers")).toEqual([]);
  });

  const set = ["--", "group", "members", "{group}", "--set", "{people}"];

  test("has a list in each row, and asks once", async () => {
    const all = () => files('group,people\n17,"9,12"\n18,"12"\n19,"10,12"\n');
    const sandbox = fresh();
    const unasked = await batch(["rows.csv", ...set], { sandbox, files: all() });
    expect(unasked.code).toBe(2);
    expect(unasked.changes).toEqual([]);
    expect(unasked.err).toContain('line 2: Remove 1 member (11) from group "17"');
    const run = await batch(["rows.csv", "--yes", ...set], { sandbox, files: all() });
    expect(run.code).toBe(0);
    expect([17, 18, 19].map((id) => [...sandbox.state.groups.get(id)!.members].sort())).toEqual([
      [12, 9],
      [12],
      [10, 12],
    ]);
    const again = await batch(["rows.csv", ...set], { sandbox, files: all() });
    expect(again).toMatchObject({ code: 0, changes: [] });
    expect(again.records.every((record) => "unchanged" in record)).toBe(true);
  });

  test("considers earlier rows, and rejects rows that reverse them", async () => {
    const lines = (...rows: string[]) => batch(["-", "--format", "lines", "--yes"], { input: rows.join("\n") });
    const run = await lines("group members 17 --add 12", "group members 17 --set 9,11,12,13");
    expect(run.changes).toEqual(["POST /user_groups/17/members add=[12,13]"]);
    expect((await lines("group members 17 --add 12", "group members 17 --set 9,11")).err).toContain(
      "line 2, column 24: --set 12: line 1 does the opposite",
    );
    expect((await lines("group members 17 --set 9,11", "group members 17 --add 12")).err).toContain(
      "line 2, column 24: --add: line 1 already sets the whole list",
    );
    expect((await lines("group members 17 --set 9,11", "group members 17 --set 9,11")).err).toContain(
      "line 2, column 24: --set: line 1 already sets the whole list",
    );
  });

  test("is invalid if the group cannot be read", async () => {
    const run = await batch(["rows.csv", ...set], { files: files("group,people\n999,9\n") });
    expect(run).toMatchObject({ code: 2, changes: [] });
    expect(run.err).toContain("cannot read group 999: Invalid user group");
  });
});

/** The entries that commands add to the log of changes, and how `log` shows them. */
import { describe, expect, test } from "vitest";
import { main } from "../../src/main.ts";
import { credentials, fresh } from "../run.ts";
import { type Setup, testWorld } from "../world.ts";

const path = "/state/log.ndjson";

function machine(setup: Setup = {}, sandbox = fresh()) {
  const world = testWorld({ http: sandbox.handle, env: credentials(sandbox), ...setup });
  const entries = () =>
    (world.files.logs.get(path) ?? "")
      .split("\n")
      .filter(Boolean)
      .map((line) => JSON.parse(line) as Record<string, unknown>);
  const zulipctl = (...argv: string[]) => main(argv, world);
  return { world, entries, zulipctl };
}

describe("the log", () => {
  test("has a line for each change, with all details", async () => {
    const { entries, zulipctl } = machine();
    expect(await zulipctl("channel", "update", "design", "--description", "New")).toBe(0);
    expect(entries()).toEqual([
      {
        time: "2026-01-15T12:00:00.000Z",
        run: "20260115-1",
        n: 1,
        site: "https://chat.example",
        account: "iris@sandbox.example",
        command: "zulipctl channel update design --description New",
        operation: "channel.update",
        target: "design",
        thing: "channel 1",
        outcome: "done",
        before: { description: "Sketches and **drafts**" },
        at: { stream_id: 1 },
        from: { description: "Sketches and **drafts**" },
        to: { description: "New" },
        changes: ['description: "Sketches and **drafts**" → "New"'],
      },
    ]);
  });

  test.each([
    ["--no-record", {}, ["--no-record"]],
    ["the configuration says so", { record_previous: false }, []],
  ])("has no old value with %s", async (_, config, flags) => {
    const { world, entries, zulipctl } = machine({ config });
    expect(await zulipctl("channel", "update", "1", "--description", "New", ...flags)).toBe(0);
    expect(entries()).toMatchObject([{ to: { description: "New" }, changes: ['description: "New"'] }]);
    expect(entries()[0]).not.toHaveProperty("from");
    expect(world.sent.map(({ method }) => method)).toEqual(["GET", "PATCH"]);
  });

  test("makes the change if the old value cannot be read", async () => {
    const sandbox = fresh();
    const http = async (request: Parameters<typeof sandbox.handle>[0]) =>
      request.method === "GET" && request.url.includes("/streams")
        ? { status: 400, headers: {}, body: (async function* () {})() }
        : sandbox.handle(request);
    const { entries, zulipctl } = machine({ http }, sandbox);
    expect(await zulipctl("channel", "update", "1", "--description", "New")).toBe(0);
    expect(entries()).toMatchObject([{ outcome: "done", to: { description: "New" } }]);
    expect(entries()[0]).not.toHaveProperty("from");
  });

  test("has the members that were really added and removed", async () => {
    const { entries, zulipctl } = machine();
    expect(
      await zulipctl("channel", "subscribers", "design", "--add", "iris@sandbox.example,adam@sandbox.example"),
    ).toBe(0);
    expect(entries()).toMatchObject([{ at: { stream_id: 1 }, to: { principals: [expect.any(Number)] } }]);
  });

  test("numbers the runs of a day", async () => {
    const { entries, zulipctl } = machine();
    for (const name of ["One", "Two"]) expect(await zulipctl("folder", "create", name)).toBe(0);
    expect(entries().map(({ run }) => run)).toEqual(["20260115-1", "20260115-2"]);
  });

  test.each([undefined, "", "20260115-\u0000", "20260115-99999999999999999999999\n"])(
    "continues after the runs of the log if the last name reads %j",
    async (text) => {
      const { world, entries, zulipctl } = machine();
      for (const name of ["One", "Two"]) expect(await zulipctl("folder", "create", name)).toBe(0);
      world.files.content.delete("/state/last-run");
      if (text !== undefined) world.files.content.set("/state/last-run", text);
      world.files.content.set(path, `${world.files.logs.get(path)}not a line\n`);
      expect(await zulipctl("folder", "create", "Three")).toBe(0);
      expect(entries().map(({ run }) => run)).toEqual(["20260115-1", "20260115-2", "20260115-3"]);
      expect(world.files.content.get("/state/last-run")).toBe("20260115-3\n");
    },
  );

  test("has the profile, new ids, and the reason of a refusal", async () => {
    const sandbox = fresh();
    const { ZULIP_EMAIL: email, ZULIP_SITE: site, ZULIP_API_KEY: key } = credentials(sandbox);
    const profile = { site, email, store: "keychain", account: "work" };
    const config = { current: "work", profiles: { work: profile } };
    const { entries, zulipctl } = machine({ env: {}, config, keys: new Map([["work", key!]]) }, sandbox);
    expect(await zulipctl("folder", "create", "New")).toBe(0);
    expect(await zulipctl("folder", "create", "New", "--description", "Other")).toBe(1);
    expect(entries()).toMatchObject([
      { profile: "work", operation: "folder.create", outcome: "done", ids: [3] },
      {
        profile: "work",
        outcome: "refused",
        error: { code: "BAD_REQUEST" },
      },
    ]);
  });

  test("has a line for each of several changes, with the same run", async () => {
    const { entries, zulipctl } = machine();
    expect(await zulipctl("attachment", "rm", "1", "99", "--yes")).toBe(5);
    const all = entries();
    expect(all.map(({ target, outcome }) => [target, outcome])).toEqual([
      ["1", "done"],
      ["99", "refused"],
    ]);
    expect(new Set(all.map(({ run }) => run)).size).toBe(1);
  });

  test("has a line for each row of a batch, with the name of the run", async () => {
    const input = "group,email\ndesigners,otis@sandbox.example\ndesigners,gwen@sandbox.example\n";
    const { world, entries, zulipctl } = machine({ input });
    const row = ["group", "members", "{group}", "--add", "{email}"];
    expect(await zulipctl("batch", "-", "--format", "csv", "--", ...row)).toBe(0);
    const [journal] = await world.files.list("/state/batch");
    expect(entries()).toMatchObject(
      [1, 2].map((row) => ({
        row,
        run: "20260115-1",
        journal: journal!.replace(".jsonl", ""),
        target: "designers",
        outcome: "done",
      })),
    );
  });

  test("does not repeat the changes of an earlier run of a batch", async () => {
    const sandbox = fresh();
    const input = "folder create One\nfolder create One --description x\n";
    const first = machine({ input }, sandbox);
    expect(await first.zulipctl("batch", "-", "--format", "lines")).toBe(5);
    expect(first.entries()).toHaveLength(2);
    const { files } = first.world;
    const second = machine({ input, files: files.content }, sandbox);
    expect(await second.zulipctl("batch", "-", "--format", "lines", "--resume", "last")).toBe(5);
    expect(second.entries()).toEqual([]);
  });

  test("marks a change without an answer as unknown", async () => {
    const sandbox = fresh();
    const http = async (request: Parameters<typeof sandbox.handle>[0]) =>
      request.method === "POST"
        ? { status: 502, headers: {}, body: (async function* () {})() }
        : sandbox.handle(request);
    const { entries, zulipctl } = machine({ http }, sandbox);
    expect(await zulipctl("folder", "create", "New")).toBe(7);
    expect(entries()).toMatchObject([{ operation: "folder.create", outcome: "unknown" }]);
  });

  test("records a new API key without its value", async () => {
    const { world, entries, zulipctl } = machine();
    expect(await zulipctl("users", "api-key", "--regenerate", "--print", "--yes")).toBe(0);
    expect(entries()).toMatchObject([{ operation: "users.me.regenerate-key", outcome: "done" }]);
    expect(world.files.logs.get(path)).not.toContain(world.stdout.text.trim());
  });

  test.each([
    ["reads", ["channel", "list"]],
    ["dry runs", ["folder", "create", "New", "--dry-run"]],
    ["unchanged values", ["channel", "update", "design", "--description", "Sketches and **drafts**", "--if-changed"]],
    ["usage errors", ["folder", "update", "nowhere", "--description", "x"]],
    ["the tour", ["tour"]],
  ])("has no line for %s", async (_, argv) => {
    const { world, zulipctl } = machine();
    await zulipctl(...argv);
    expect([...world.files.logs.keys()]).not.toContain(path);
  });

  test("can be turned off", async () => {
    const off = machine({ config: { log: false } });
    expect(await off.zulipctl("folder", "create", "New")).toBe(0);
    expect(off.entries()).toEqual([]);
    const broken = machine({ config: new Error("broken") });
    expect(await broken.zulipctl("folder", "create", "New")).toBe(0);
    expect(broken.entries()).toHaveLength(1);
  });

  test("warns if it cannot be written, and the change is made", async () => {
    const { world, zulipctl } = machine({ input: "folder create One\nfolder create Two\n" });
    world.files.rollingLog = () => ({
      add: async () => Promise.reject(new Error("ENOSPC: no space left on device, write")),
      close: async () => undefined,
    });
    expect(await zulipctl("batch", "-", "--format", "lines", "--quiet")).toBe(0);
    expect(world.stderr.text).toBe(
      "zulipctl: warning: what was changed could not be written into the log: ENOSPC: no space left on device, write. ZULIPCTL_STATE_DIR names another directory for it.\n",
    );
  });
});

describe("log", () => {
  const people = ["mona@sandbox.example", "gwen@sandbox.example"];

  /** Runs commands, then returns the output of `log`. */
  async function logAfter(all: readonly string[][], { argv = [] as string[], input = "" } = {}) {
    const { world, zulipctl } = machine({ input });
    for (const line of all) await zulipctl(...line);
    world.files.content.set(path, world.files.logs.get(path)!);
    world.stdout.text = "";
    expect(await zulipctl("log", ...argv)).toBe(0);
    return world.stdout.text;
  }

  const changesOf = (table: string) =>
    table
      .trimEnd()
      .split("\n")
      .slice(1)
      .map((line) => line.split("\t")[3]);

  test("names added and removed members", async () => {
    const line = ["channel", "subscribers", "design", "--add", "mona@sandbox.example,adam@sandbox.example"];
    expect(changesOf(await logAfter([[...line, "--delete", "gwen@sandbox.example"]])).sort()).toEqual([
      "added 2 people to design: Mona Moderator, Adam Admin",
      "removed 1 person from design: Gwen Guest",
    ]);
    expect(changesOf(await logAfter([["group", "members", "makers", "--add-subgroups", "role:moderators"]]))).toEqual([
      "added 1 member to makers: group role:moderators",
    ]);
  });

  test("describes a refused change", async () => {
    expect(changesOf(await logAfter([["group", "members", "designers", "--add", "cora@sandbox.example"]]))).toEqual([
      "add 1 person to designers: Cora Member",
    ]);
  });

  test("joins the people that a batch has added to a group in a table, not in JSON", async () => {
    const line = ["batch", "-", "--format", "csv", "--", "group", "members", "writers", "--add", "{who}"];
    const input = `who\n${people.join("\n")}\n`;
    const other = ["folder", "create", "New"];
    expect(changesOf(await logAfter([other, line], { input }))).toEqual([
      "added 2 people to writers: Mona Moderator, Gwen Guest",
      'folder.create (name: "New", description: "")',
    ]);
    const json = JSON.parse(await logAfter([line], { input, argv: ["--json"] })) as Record<string, unknown>[];
    expect(json.map(({ row, added }) => [row, added])).toEqual([
      [2, ["Gwen Guest"]],
      [1, ["Mona Moderator"]],
    ]);
  });

  test("shows the newest lines first, and at most --limit", async () => {
    const all = ["One", "Two", "Three"].map((name) => ["folder", "create", name]);
    expect(await logAfter(all, { argv: ["--jq", ".[].target"] })).toBe("Three\nTwo\nOne\n");
    expect(await logAfter(all, { argv: ["--limit", "2", "--jq", ".[].target"] })).toBe("Three\nTwo\n");
    expect(changesOf(await logAfter(all, { argv: ["--limit", "1"] }))).toEqual([
      'folder.create (name: "Three", description: "")',
    ]);
  });

  test.each([
    ["2h", "One\n"],
    ["2026-01-01", "One\n"],
    ["2100-01-01 12:00 -05:00", ""],
    ["2100-01-01T17:00Z", ""],
  ])("shows what changed from %s on", async (since, targets) => {
    const argv = ["--since", since, "--jq", ".[].target"];
    expect(await logAfter([["folder", "create", "One"]], { argv })).toBe(targets);
  });

  test("shortens a long text", async () => {
    const [change] = changesOf(await logAfter([["channel", "update", "design", "--description", "x".repeat(1000)]]));
    expect(change).toBe(`description: "Sketches and **drafts**" → "${"x".repeat(198)}…`);
  });
});

test("shows the other lines of a log with an invalid line", async () => {
  const { world, zulipctl } = machine();
  expect(await zulipctl("folder", "create", "New")).toBe(0);
  const { content, logs } = world.files;
  content.set(path, `{"time":"2026\n${logs.get(path)}`);
  content.set("/state/log.1.ndjson", content.get(path)!.replace(/"target":"New"/, '"target":"Old"'));
  world.stdout.text = "";
  world.stderr.text = "";
  expect(await zulipctl("log", "--jq", ".[].target")).toBe(0);
  expect(await zulipctl("log", "-o", "none")).toBe(0);
  expect([world.stdout.text, world.stderr.text]).toEqual(["New\nOld\n", ""]);
  expect(await zulipctl("log")).toBe(0);
  expect(world.stderr.text).toContain("2 lines of the log cannot be read: a full disk may have cut them short.");
});

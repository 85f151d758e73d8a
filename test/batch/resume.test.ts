/** A run that ended early, and what the next one makes of its journal. */
import { describe, expect, test } from "vitest";
import { main } from "../../src/main.ts";
import type { Sandbox } from "../../src/sandbox/index.ts";
import { credentials, fresh } from "../run.ts";
import { testWorld } from "../world.ts";
import { batch, column, faulty, members } from "./rows.ts";

const rm = ["--yes", "--", "attachment", "rm", "{id}"];
const journal = "run.jsonl";

/** The entries of a journal, its header left out. */
const entries = (files: Map<string, string>) =>
  files
    .get(journal)!
    .trim()
    .split("\n")
    .slice(1)
    .map((line) => JSON.parse(line) as { [name: string]: unknown });

/** Cuts the journal as a killed process leaves it: with the first line for which `last` is true. */
function cut(files: Map<string, string>, last: (entry: { [name: string]: unknown }) => boolean): void {
  const lines = files.get(journal)!.trim().split("\n");
  const at = lines.findIndex((line) => last(JSON.parse(line)));
  expect(at).toBeGreaterThan(0);
  files.set(journal, `${lines.slice(0, at + 1).join("\n")}\n`);
}

/** The owner's attachments 1 and 2, and others that do not exist. */
const ids = () => new Map([["ids.csv", column("id", [1, 77, 2, 78])]]);

describe("the journal", () => {
  test("records each request before it is sent and after it is answered, and the ids of names", async () => {
    const files = new Map([["rows.csv", "group,email\ndesigners,otis@sandbox.example\n"]]);
    await batch(["rows.csv", "--journal", journal, "--", "group", "members", "{group}", "--add", "{email}"], { files });
    expect(JSON.parse(files.get(journal)!.split("\n")[0]!)).toEqual({
      journal: "zulipctl batch",
      version: 1,
      run: expect.stringMatching(/^2026-01-15T12-00-00-[a-z0-9]{6}$/),
      site: "https://chat.example",
      account: "iris@sandbox.example",
      input: expect.stringMatching(/^[0-9a-f]{64}$/),
      words: expect.stringMatching(/^[0-9a-f]{64}$/),
      rows: 1,
      began: "2026-01-15T12:00:00.000Z",
      command: "zulipctl batch -o ndjson rows.csv --journal run.jsonl -- group members {group} --add {email}",
    });
    expect(entries(files)).toEqual([
      { name: "designers", is: 17, kind: "group" },
      { name: "otis@sandbox.example", is: 12, kind: "user" },
      { sent: 1, rows: [1], operation: "group.members", args: { user_group_id: 17, add: [12] } },
      { answered: 1, outcome: "done", answers: [{}] },
      { ended: "2026-01-15T12:00:00.000Z", counts: { done: 1, refused: 0, unknown: 0, not_sent: 0, invalid: 0 } },
    ]);
  });

  test("contains no token", async () => {
    const files = new Map<string, string>();
    const words = ["--", "apns", "register", "--token", "{token}", "--appid", "org.zulip.Zulip"];
    const run = await batch(["-", "--format", "csv", "--journal", journal, ...words], {
      input: "token\nabcdef0123\n",
      files,
    });
    expect(run.code).toBe(0);
    expect(files.get(journal)).not.toContain("abcdef0123");
    expect(entries(files)[0]).toMatchObject({ args: { token: "[secret]", appid: "org.zulip.Zulip" } });
  });

  test("ends the run with 2 if it is locked or cannot be written", async () => {
    const sandbox = fresh();
    const world = testWorld({ env: credentials(sandbox), http: sandbox.handle, files: ids() });
    const lock = await world.files.lock(journal, 0);
    const argv = ["batch", "ids.csv", "--journal", journal, ...rm];
    expect(await main(argv, world)).toBe(2);
    expect(world.stderr.text).toBe(
      "zulipctl: another run is using the journal run.jsonl\nWait until that run ends, or stop it.\n",
    );
    await lock!.release();
    world.stderr.text = "";
    world.files.append = async () => Promise.reject(new Error("EROFS: read-only file system"));
    expect(await main(argv, world)).toBe(2);
    expect(world.stderr.text).toBe(
      "zulipctl: cannot write the journal run.jsonl: EROFS: read-only file system\nZULIPCTL_STATE_DIR names another directory for journals, --journal <file> another file for this one.\n",
    );
    expect(world.sent.filter(({ method }) => method !== "GET")).toEqual([]);
    // The lock was given back each time.
    expect(await world.files.lock(journal, 0)).toBeDefined();
  });

  test("stops the run if it cannot be written any more", async () => {
    const sandbox = fresh();
    const world = testWorld({ env: credentials(sandbox), http: sandbox.handle, files: ids() });
    const { append } = world.files;
    let left = 4;
    world.files.append = async (path, options) => {
      const log = await append(path, options);
      const full = async (text: string) => {
        if (path === journal && left-- <= 0) throw new Error("ENOSPC: no space left on device");
        await log.append(text);
      };
      return { ...log, append: full };
    };
    const code = await main(["batch", "ids.csv", "-o", "ndjson", "--journal", journal, ...rm], world);
    const outcomes = world.stdout.text
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line).outcome);
    expect({ code, outcomes }).toEqual({ code: 5, outcomes: ["done", "refused", "not_sent", "not_sent"] });
    expect(world.sent.filter(({ method }) => method === "DELETE")).toHaveLength(2);
  });
});

describe("--resume", () => {
  /** A first run, cut short in its journal, and a second that goes on. */
  async function resumed(sandbox: Sandbox, last: (entry: { [name: string]: unknown }) => boolean) {
    const files = ids();
    await batch(["ids.csv", "--journal", journal, ...rm], { sandbox, files });
    cut(files, last);
    return batch(["ids.csv", "--resume", journal, ...rm], { sandbox, files });
  }

  test("of a finished run sends nothing, and prints everything again", async () => {
    const sandbox = fresh();
    const files = ids();
    const first = await batch(["ids.csv", "--journal", journal, ...rm], { sandbox, files });
    const second = await batch(["ids.csv", "--resume", journal, ...rm], { sandbox, files });
    expect(second.changes).toEqual([]);
    expect(second.out).toBe(first.out);
    expect(second.code).toBe(first.code);
  });

  test("sends only what was not sent", async () => {
    const run = await resumed(fresh(), ({ answered }) => answered === 2);
    expect(run.outcomes).toEqual(["1 done", "2 refused", "3 refused", "4 refused"]);
    // Number 2 is gone since the first run, whose journal was cut.
    expect(run.changes).toEqual(["DELETE /attachments/2", "DELETE /attachments/78"]);
  });

  test("does not repeat requests without an answer", async () => {
    const run = await resumed(fresh(), ({ sent }) => sent === 2);
    expect(run.outcomes).toEqual(["1 done", "2 unknown", "3 refused", "4 refused"]);
    expect(run.records[1]!.error).toMatchObject({
      kind: "unknown",
      message: "the run ended before the answer came; the change may or may not have been applied",
      hint: "Check with: zulipctl attachment list",
    });
    expect(run.code).toBe(7);
  });

  test("repeats unknown changes with --retry-unknown, and a refusal may then leave them unknown", async () => {
    const sandbox = fresh();
    const kept = structuredClone(sandbox.state.attachments.get(1)!);
    const files = ids();
    await batch(["ids.csv", "--journal", journal, ...rm], { sandbox, files });
    cut(files, ({ sent }) => sent === 1);
    sandbox.state.attachments.set(1, kept);
    const again = ["ids.csv", "--resume", journal, "--retry-unknown", ...rm];
    const run = await batch(again, { sandbox, files });
    expect(run.outcomes).toEqual(["1 done", "2 refused", "3 refused", "4 refused"]);
    expect(run.changes[0]).toBe("DELETE /attachments/1");
    // Number 2 was the repetition.
    cut(files, ({ sent }) => sent === 3);
    const second = await batch(again, { sandbox, files });
    expect(second.changes[0]).toBe("DELETE /attachments/77");
    expect(second.records[1]).toMatchObject({
      outcome: "unknown",
      error: { message: "Invalid attachment; it is unknown whether it was applied before" },
    });
  });

  test.each([{ version: 2 }, { journal: "zulipctl org apply" }])(
    "rejects a journal with %j, and does not change it",
    async (other) => {
      const files = ids();
      await batch(["ids.csv", "--journal", journal, ...rm], { files });
      const [first, ...rest] = files.get(journal)!.split("\n");
      const text = [JSON.stringify({ ...JSON.parse(first!), ...other }), ...rest].join("\n");
      files.set(journal, text);
      const run = await batch(["ids.csv", "--resume", journal, ...rm], { files });
      expect({ code: run.code, sent: run.sent }).toEqual({ code: 2, sent: [] });
      expect(run.err).toMatch(/^zulipctl: run\.jsonl, line 1: not a journal of zulipctl batch, or damaged\n/);
      expect(files.get(journal)).toBe(text);
    },
  );

  test("finds the journal by path, by the name of the run, or as the last one", async () => {
    const files = ids();
    const sandbox = fresh();
    await batch(["ids.csv", "--journal", journal, ...rm], { sandbox, files });
    const both = await batch(["ids.csv", "--resume", journal, "--journal", "./run.jsonl", ...rm], { sandbox, files });
    expect(both.changes).toEqual([]);
    await batch(["ids.csv", ...rm], { sandbox, files });
    const run = [...files.keys()].find((path) => path.startsWith("/state/batch"))!.slice("/state/batch/".length, -6);
    for (const which of ["last", run]) {
      const again = await batch(["ids.csv", "--resume", which, ...rm], { sandbox, files });
      expect([which, again.code, again.changes]).toEqual([which, 1, []]);
    }
  });

  test("rejects another file, command or account", async () => {
    const sandbox = fresh();
    const files = ids();
    await batch(["ids.csv", "--journal", journal, ...rm], { sandbox, files });
    files.set("other.csv", column("id", [1, 77, 2, 79]));
    const said = async (argv: string[], as?: number) => {
      const run = await batch(argv, { sandbox, files, as });
      expect(run.changes).toEqual([]);
      return `${run.code} ${run.err.split("\n")[0]}`;
    };
    const words = ["--yes", "--", "attachment", "rm"];
    expect(await said(["other.csv", "--resume", journal, ...rm])).toBe(
      "2 zulipctl: the journal run.jsonl belongs to another input",
    );
    expect(await said(["ids.csv", "--resume", journal, ...words, "0{id}"])).toBe(
      "2 zulipctl: the journal run.jsonl belongs to another command",
    );
    expect(await said(["ids.csv", "--resume", journal, ...rm], 200)).toBe(
      "2 zulipctl: the journal run.jsonl belongs to another account",
    );
    expect(await said(["ids.csv", "--resume", "ids.csv", ...rm])).toBe(
      "2 zulipctl: ids.csv, line 1: not a journal of zulipctl batch, or damaged",
    );
  });

  test("rejects a changed file that rows name", async () => {
    const sandbox = fresh();
    const files = new Map([["text.md", "one\n"]]);
    const input = "channel update design --description @text.md\n";
    await batch(["-", "--format", "lines", "--journal", journal], { sandbox, files, input });
    files.set("text.md", "two\n");
    const run = await batch(["-", "--format", "lines", "--resume", journal], { sandbox, files, input });
    expect(run).toMatchObject({ code: 2, changes: [] });
  });

  test("uses the ids that names had when the run began", async () => {
    const sandbox = fresh();
    const files = new Map<string, string>();
    const input = ["channel update design --new-name sketches", "channel update design --description new"].join("\n");
    const argv = ["-", "--format", "lines"];
    await batch([...argv, "--journal", journal], { sandbox, files, input });
    cut(files, ({ answered }) => answered === 1);
    // By now there is no channel of the name.
    const run = await batch([...argv, "--resume", journal], { sandbox, files, input });
    expect(run).toMatchObject({ code: 0, outcomes: ["1 done", "2 done"] });
    expect(run.changes).toEqual(["PATCH /streams/1 description=new"]);
  });

  test("needs confirmation only for what is still to be sent", async () => {
    const sandbox = fresh();
    const files = ids();
    await batch(["ids.csv", "--journal", journal, ...rm], { sandbox, files });
    const words = rm.filter((word) => word !== "--yes");
    expect((await batch(["ids.csv", "--resume", journal, ...words], { sandbox, files })).code).toBe(5);
    cut(files, ({ answered }) => answered === 2);
    const run = await batch(["ids.csv", "--resume", journal, ...words], { sandbox, files });
    expect(run.code).toBe(2);
    expect(run.err).toContain(
      "Apply 4 rows to chat.example? 2 changes need confirmation: line 4: Delete attachment 2;",
    );
  });

  test("with --dry-run shows the rest, reads nothing and writes nothing", async () => {
    const sandbox = fresh();
    const files = ids();
    await batch(["ids.csv", "--journal", journal, ...rm], { sandbox, files });
    cut(files, ({ answered }) => answered === 2);
    const before = files.get(journal);
    const run = await batch(["-n", "ids.csv", "--resume", journal, ...rm], { sandbox, files });
    expect(run.out.match(/^DELETE .*$/gm)).toEqual([
      "DELETE https://chat.example/api/v1/attachments/2  attachment.rm",
      "DELETE https://chat.example/api/v1/attachments/78  attachment.rm",
    ]);
    expect([run.sent, files.get(journal)]).toEqual([[], before]);
  });
});

describe("settling", () => {
  const words = ["--", "group", "members", "designers", "--add", "{id}"];
  const csv = ["-", "--format", "csv", "--journal", journal];
  const input = column("id", [12, 13]);
  const lost = (...faults: string[]) => faulty(...faults.map((fault) => `${fault},op=group.members`));

  test("sends a change again if nothing is applied for a minute", async () => {
    const sandbox = lost("drop-before:times=1");
    const files = new Map<string, string>();
    const run = await batch([...csv, ...words], { sandbox, input, files });
    expect(run).toMatchObject({ code: 0, outcomes: ["1 done", "2 done"] });
    expect(run.changes).toHaveLength(2);
    expect(entries(files).slice(-5, -1)).toMatchObject([
      { unanswered: 1 },
      { settled: 1, as: "not_applied" },
      { sent: 2, rows: [1, 2], again: true },
      { answered: 2, outcome: "done" },
    ]);
    expect(members(sandbox, "designers")).toEqual([9, 11, 12, 13]);
  });

  test("--resume settles first", async () => {
    const sandbox = fresh();
    const files = new Map<string, string>();
    await batch([...csv, ...words], { sandbox, input, files });
    cut(files, ({ sent }) => sent === 1);
    const run = await batch(["-", "--format", "csv", "--resume", journal, ...words], { sandbox, input, files });
    expect(run).toMatchObject({ code: 0, outcomes: ["1 done", "2 done"], changes: [] });
  });
});

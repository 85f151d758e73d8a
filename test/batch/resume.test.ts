/** Runs that were killed. Other journals are in `test/transcripts/batch-resume.txt`. */
import { describe, expect, test } from "vitest";
import { main } from "../../src/main.ts";
import type { Sandbox } from "../../src/sandbox/index.ts";
import { credentials, fresh } from "../run.ts";
import { testWorld } from "../world.ts";
import { batch, column } from "./rows.ts";

const rm = ["--yes", "--", "attachment", "rm", "{id}"];
const journal = "run.jsonl";

/** Cuts the journal after the first line for which `last` is true, as a killed process leaves it. */
function cut(files: Map<string, string>, last: (entry: { [name: string]: unknown }) => boolean): void {
  const lines = files.get(journal)!.trim().split("\n");
  const at = lines.findIndex((line) => last(JSON.parse(line)));
  expect(at).toBeGreaterThan(0);
  files.set(journal, `${lines.slice(0, at + 1).join("\n")}\n`);
}

/** The owner's attachments 1 and 2, and others that do not exist. */
const ids = () => new Map([["ids.csv", column("id", [1, 77, 2, 78])]]);

describe("the journal", () => {
  test("ends the run with 2 if another run uses it, or if it cannot be written", async () => {
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
    // Each run has released the lock.
    expect(await world.files.lock(journal, 0)).toBeDefined();
  });

  test("stops the run if the disk is full", async () => {
    const sandbox = fresh();
    const world = testWorld({ env: credentials(sandbox), http: sandbox.handle, files: ids() });
    const { append } = world.files;
    let remaining = 4;
    world.files.append = async (path, options) => {
      const log = await append(path, options);
      const full = async (text: string) => {
        if (path === journal && remaining-- <= 0) throw new Error("ENOSPC: no space left on device");
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
  /** Runs, cuts the journal, and resumes. */
  async function resume(sandbox: Sandbox, last: (entry: { [name: string]: unknown }) => boolean) {
    const files = ids();
    await batch(["ids.csv", "--journal", journal, ...rm], { sandbox, files });
    cut(files, last);
    return batch(["ids.csv", "--resume", journal, ...rm], { sandbox, files });
  }

  test("sends only what was not sent", async () => {
    const run = await resume(fresh(), ({ answered }) => answered === 2);
    expect(run.outcomes).toEqual(["1 done", "2 refused", "3 refused", "4 refused"]);
    // The first run has deleted number 2 already.
    expect(run.changes).toEqual(["DELETE /attachments/2", "DELETE /attachments/78"]);
  });

  test("does not repeat requests without an answer", async () => {
    const run = await resume(fresh(), ({ sent }) => sent === 2);
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
    const attachment = structuredClone(sandbox.state.attachments.get(1)!);
    const files = ids();
    await batch(["ids.csv", "--journal", journal, ...rm], { sandbox, files });
    cut(files, ({ sent }) => sent === 1);
    sandbox.state.attachments.set(1, attachment);
    const again = ["ids.csv", "--resume", journal, "--retry-unknown", ...rm];
    const run = await batch(again, { sandbox, files });
    expect(run.outcomes).toEqual(["1 done", "2 refused", "3 refused", "4 refused"]);
    expect(run.changes[0]).toBe("DELETE /attachments/1");
    // Request 2 repeated request 1.
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

  test("uses the ids that names had when the run began", async () => {
    const sandbox = fresh();
    const files = new Map<string, string>();
    const input = ["channel update design --new-name sketches", "channel update design --description new"].join("\n");
    const argv = ["-", "--format", "lines"];
    await batch([...argv, "--journal", journal], { sandbox, files, input });
    cut(files, ({ answered }) => answered === 1);
    // The channel has another name now.
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

test("--resume checks unanswered requests first", async () => {
  const sandbox = fresh();
  const files = new Map([["rows.csv", column("id", [12, 13])]]);
  const words = ["--", "group", "members", "designers", "--add", "{id}"];
  await batch(["rows.csv", "--journal", journal, ...words], { sandbox, files });
  cut(files, ({ sent }) => sent === 1);
  const run = await batch(["rows.csv", "--resume", journal, ...words], { sandbox, files });
  expect(run).toMatchObject({ code: 0, outcomes: ["1 done", "2 done"], changes: [] });
});

/** What the log and undo say of a run that was killed while it sent a change. */
import { expect, test } from "vitest";
import { main } from "../../src/main.ts";
import { credentials, fresh } from "../run.ts";
import { testWorld } from "../world.ts";

const madeNames = ["one", "two", "three"];

/** A batch was killed while it sent the row `nth`, or once its journal had the answer. */
async function killed(
  nth: number,
  flags: readonly string[] = [],
  row: readonly string[] = ["channel", "create", "{name}", "--description", "d"],
  isAnswered = false,
  names: readonly string[] = madeNames,
) {
  const sandbox = fresh();
  const [files, logs] = [new Map([["rows.csv", `name\n${names.join("\n")}\n`]]), new Map<string, string>()];
  const words = ["rows.csv", "--", ...row];
  const zulipctl = async (...argv: string[]) => {
    const world = testWorld({ http: sandbox.handle, env: credentials(sandbox), files, logs });
    const code = await main(argv, world);
    return { code, out: world.stdout.text, err: world.stderr.text };
  };
  // Later rows were not sent.
  files.set("sent.csv", `name\n${names.slice(0, nth).join("\n")}\n`);
  expect((await zulipctl("batch", ...flags, ...words)).code).toBe(0);
  const cut = (all: Map<string, string>, path: string, lines: number) =>
    all.set(path, (all.get(path) ?? "").split("\n").slice(0, lines).concat("").join("\n"));
  const journal = [...files.keys()].find((path) => path.endsWith(".jsonl")) ?? "";
  const isSent = (line: string) => line.startsWith(`{"sent":${nth},`);
  cut(files, journal, (files.get(journal) ?? "").split("\n").findIndex(isSent) + (isAnswered ? 2 : 1));
  cut(logs, "/state/log.ndjson", nth - 1);
  const runs = (logs.get("/state/runs.ndjson") ?? "").split("\n").filter((line) => !line.includes('"ended"'));
  logs.set("/state/runs.ndjson", runs.join("\n"));
  /** The channel that was being created is not as it was asked for, so a resumed run cannot tell whether it was made. */
  const resume = async (name: string, ...more: string[]) => {
    const made = [...sandbox.state.channels.values()].find((each) => each.name === names[nth - 1]);
    if (made) made.description = "theirs";
    const ended = await zulipctl("batch", "--resume", name, ...more, ...words);
    if (made) made.description = "d";
    return ended;
  };
  const shown = async (run: string) =>
    JSON.parse((await zulipctl("log", "show", run, "-o", "json")).out).map(
      ({ target, outcome, can_undo }: Record<string, unknown>) => [target, outcome, can_undo],
    );
  return { zulipctl, resume, shown, journal, sandbox, files };
}

test.each([[[]], [["--journal", "/other/run.jsonl"]]])(
  "undo takes back what was being sent, if it is there: %j",
  async (flags) => {
    const { zulipctl, shown, sandbox } = await killed(2, flags);
    const expected = [
      ["one", "done", true],
      ["two", "unknown", false],
    ];
    expect(await shown("last")).toEqual(expected);
    expect(await shown("20260115-1")).toEqual(expected);
    const { code, err } = await zulipctl("undo", "--yes");
    expect(code, err).toBe(0);
    const archived = [...sandbox.state.channels.values()].filter(({ is_archived }) => is_archived);
    expect(archived.map(({ name }) => name)).toEqual(expect.arrayContaining(["one", "two"]));
  },
);

test("undo finds a run that was killed while it sent its first change", async () => {
  const { zulipctl, shown, journal, sandbox } = await killed(1);
  expect(await shown("last")).toEqual([["one", "unknown", false]]);
  expect((await zulipctl("log", "show")).out).toContain("no: it is unknown whether it happened: undo looks for it");
  const one = [...sandbox.state.channels.values()].find(({ name }) => name === "one");
  if (one) one.creator_id = 11;
  const { code, err } = await zulipctl("undo", "--yes");
  expect(code).toBe(6);
  const run = journal.replace(/^.*\/|\.jsonl$/g, "");
  const says =
    "channel one: it is unknown whether the run made it, or somebody else; look with: zulipctl channel show one";
  expect(err).toContain(`nothing of run ${run} can be undone: ${says}`);
  if (one) one.name = "another";
  expect((await zulipctl("undo", "--yes")).err).toContain("nothing to undo");
});

test("a later run of another organization does not hide it", async () => {
  const { zulipctl, files, journal } = await killed(1);
  const text = files.get(journal) ?? "";
  const ended = `${JSON.stringify({ ended: "2026-01-16T00:00:00.000Z", counts: { done: 1 } })}\n`;
  const other = text.split("\n")[0]?.replace("https://chat.example", "https://other.example");
  files.set("/state/batch/20260116-1.jsonl", `${other}\n${ended}`);
  files.set("/state/batch/20260116-2.jsonl", text.replace("https://chat.example", "https://other.example"));
  const { err } = await zulipctl("undo", "--yes");
  expect(err).toContain("channel one: archived");
});

test("a later run is the last one", async () => {
  const { zulipctl, shown } = await killed(1);
  await zulipctl("channel", "update", "design", "--description", "x");
  expect(await shown("last")).toEqual([["design", "done", true]]);
});

test("a resumed run logs what stays unknown, once", async () => {
  const { resume, shown } = await killed(2);
  expect((await resume("last")).code).toBe(7);
  expect(await shown("20260115-1")).toEqual([
    ["one", "done", true],
    ["two", "unknown", false],
  ]);
});

test("--retry-unknown of a creation says how to end the run", async () => {
  const { resume } = await killed(3);
  const { code, err } = await resume("last", "--retry-unknown");
  expect(code).toBe(7);
  expect(err).toContain(
    "Check with: zulipctl channel list --archived. If the change is there, remove the journal /state/batch/",
  );
});

test("undo takes back all parts of a run that was resumed, and says so", async () => {
  const { zulipctl, resume, sandbox } = await killed(3);
  expect((await resume("last")).code).toBe(7);
  // It was not applied.
  for (const [id, { name }] of sandbox.state.channels) if (name === "three") sandbox.state.channels.delete(id);
  expect((await resume("last", "--retry-unknown")).code).toBe(0);
  const { code, err } = await zulipctl("undo", "--yes");
  expect(code, err).toBe(0);
  expect(err).toContain(
    "zulipctl: runs 20260115-1, 20260115-2, 20260115-3 are parts of one, and are taken back together. Only the last: zulipctl undo 20260115-3\n",
  );
  const made = [...sandbox.state.channels.values()].filter(({ name }) => madeNames.includes(name));
  expect(made.map(({ is_archived }) => is_archived)).toEqual([true, true, true]);
});

test("undo counts the lost line of a killed run whose resumed part was taken back before", async () => {
  const { zulipctl, resume, sandbox } = await killed(2, [], undefined, true);
  // It was not sent.
  for (const [id, { name }] of sandbox.state.channels) if (name === "three") sandbox.state.channels.delete(id);
  expect((await resume("last")).code).toBe(0);
  expect((await zulipctl("undo", "20260115-2", "--yes")).err).toContain("channel three: archived");
  const { code, err } = await zulipctl("undo", "20260115-1", "--yes");
  expect(code, err).toBe(5);
  expect(err).toContain("zulipctl: 1 change of this run is not in the log: left alone\n");
});

test("undo takes back once what had no answer twice", async () => {
  const { zulipctl, resume } = await killed(3);
  expect((await resume("last")).code).toBe(7);
  expect((await resume("last", "--retry-unknown")).code).toBe(7);
  const { code, out, err } = await zulipctl("undo", "--yes", "-o", "json", "--fields", "target,outcome");
  expect([code, JSON.parse(out)]).toEqual([0, ["three", "two", "one"].map((target) => ({ target, outcome: "done" }))]);
  expect(err).toContain(
    "zulipctl: runs 20260115-1, 20260115-2, 20260115-3 are parts of one, and are taken back together.",
  );
});

test("undo names a raw request that a killed batch was sending", async () => {
  const { zulipctl, shown } = await killed(1, [], ["api", "PATCH", "/realm", "--field", "description={name}"]);
  const { code, err } = await zulipctl("undo", "--yes");
  expect(code, err).toBe(1);
  expect(err).toContain("api: cannot be undone: it is unknown whether it happened");
  expect(await shown("20260115-1")).toEqual([["api", "unknown", false]]);
});

/** A run was killed while it sent the nth request. Its log has the lines before. */
async function interrupted(lines: readonly string[], nth: number) {
  const sandbox = fresh();
  const [files, logs] = [new Map<string, string>(), new Map<string, string>()];
  const zulipctl = async (...argv: string[]) => {
    const world = testWorld({ http: sandbox.handle, env: credentials(sandbox), files, logs });
    const code = await main(argv, world);
    return { code, out: world.stdout.text, err: world.stderr.text };
  };
  const [command = "", ...words] = lines;
  expect((await zulipctl(command, ...words)).code).toBe(0);
  const journal = [...files.keys()].find((path) => path.endsWith(".jsonl")) ?? "";
  const all = (files.get(journal) ?? "").split("\n");
  const last = all.findIndex((line) => line.startsWith(`{"sent":${nth},`));
  files.set(journal, `${all.slice(0, last + 1).join("\n")}\n`);
  const log = (logs.get("/state/log.ndjson") ?? "").split("\n");
  logs.set(
    "/state/log.ndjson",
    log
      .slice(0, nth - 1)
      .concat("")
      .join("\n"),
  );
  const runs = (logs.get("/state/runs.ndjson") ?? "").split("\n").filter((line) => !line.includes('"ended"'));
  logs.set("/state/runs.ndjson", runs.join("\n"));
  return { zulipctl, sandbox, files };
}

test("undo restores the old value of what a killed run was sending", async () => {
  const { zulipctl, sandbox } = await interrupted(
    ["messages", "move", "--narrow", "channel:design topic:logo", "--to-topic", "news", "--yes"],
    2,
  );
  const topics = () => [...sandbox.state.messages.values()].flatMap(({ topic }) => topic);
  const before = topics().filter((topic) => topic === "news").length;
  const { code, err } = await zulipctl("undo", "--yes");
  expect(code, err).toBe(0);
  expect(err).toContain("the run ended without an answer to this");
  expect([before, topics().filter((topic) => topic === "news").length]).toEqual([2, 0]);
});

test("undo restores what a resumed run moved after the run that was killed", async () => {
  const { zulipctl, sandbox } = await interrupted(
    ["messages", "move", "--narrow", "channel:general", "--to-topic", "all", "--yes"],
    2,
  );
  const subjects = () => [...sandbox.state.messages.values()].map(({ topic }) => topic);
  // The third message was not sent.
  const third = [...sandbox.state.messages.values()].findLast(({ topic }) => topic === "all");
  if (third) third.topic = "";
  const { code, err } = await zulipctl("messages", "move", "--resume", "last", "--yes");
  expect(code, err).toBe(0);
  expect(third?.topic).toBe("all");
  const undone = await zulipctl("undo", "--yes");
  expect(undone.code, undone.err).toBe(0);
  expect(subjects()).not.toContain("all");
});

test("undo of a job counts the line that a killed batch did not log, although the resumed one had nothing to do", async () => {
  const { zulipctl, resume, sandbox } = await killed(3, ["--job", "nightly"], undefined, true);
  const resumed = await resume("20260115-1", "--job", "nightly");
  expect(resumed.code, resumed.err).toBe(0);
  const { code, err } = await zulipctl("undo", "--job", "nightly", "--yes");
  expect([code, err]).toEqual([5, expect.stringContaining("1 change of this run is not in the log: left alone")]);
  const active = [...sandbox.state.channels.values()].filter(({ is_archived }) => !is_archived);
  expect(active.flatMap(({ name }) => (madeNames.includes(name) ? [name] : []))).toEqual(["three"]);
});

test("undo names what a killed batch was changing", async () => {
  const { zulipctl, sandbox } = await killed(3, [], ["channel", "update", "general", "--description", "{name}"]);
  const { code, err } = await zulipctl("undo", "--yes");
  expect([code, sandbox.state.channels.get(2)?.description], err).toEqual([0, "Everyone"]);
  expect(err).toContain("~ channel general\n");
  expect(err).not.toContain("channel channel");
});

test("undo names a list of which a killed batch does not know whether it was changed", async () => {
  const add = ["channel", "subscribers", "{name}", "--add", "mona@sandbox.example"];
  const { zulipctl } = await killed(3, [], add, false, ["design", "announcements", "staff"]);
  const { code, err } = await zulipctl("undo", "--yes");
  expect(code, err).toBe(5);
  expect(err).toContain("channel staff: cannot be undone");
  expect(err).not.toContain("channel 4");
});

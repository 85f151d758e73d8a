/** Which run an undo means, jobs, and what it leaves alone. */
import { describe, expect, test } from "vitest";
import { main } from "../../src/main.ts";
import { credentials, fresh } from "../run.ts";
import { testWorld } from "../world.ts";

function organization(setup: { env?: Record<string, string>; config?: unknown } = {}) {
  const sandbox = fresh();
  const [files, logs] = [new Map<string, string>(), new Map<string, string>()];
  const run = async (
    words: string | readonly string[],
    more: { env?: Record<string, string>; input?: string; fits?: (line: string) => boolean } = {},
  ) => {
    const env = { ...credentials(sandbox), ...setup.env, ...more.env };
    const { input, fits = () => true } = more;
    const world = testWorld({
      ...{ http: sandbox.handle, env, files, logs, config: setup.config },
      ...(input !== undefined && { input }),
    });
    const full = () => new Error("ENOSPC: no space left on device, write");
    const { rollingLog, write } = world.files;
    world.files.rollingLog = (path, options) => {
      const log = rollingLog(path, options);
      return { ...log, add: async (line) => (fits(line) ? log.add(line) : Promise.reject(full())) };
    };
    world.files.write = async (path, text) => (fits(text) ? write(path, text) : Promise.reject(full()));
    const code = await main(typeof words === "string" ? words.split(" ") : words, world);
    return { code, out: world.stdout.text, err: world.stderr.text };
  };
  const channel = (name: string) => [...sandbox.state.channels.values()].find((each) => each.name === name);
  const described = (name: string) => channel(name)?.description;
  return { run, files, logs, sandbox, channel, described };
}

const update = (name: string, text: string) => `channel update ${name} --description ${text}`;

describe("undo without a run", () => {
  test.each([
    ["was refused", "channel create design --private"],
    ["names nothing", "channel update nowhere --description x"],
    ["was mistyped", "channel update design --descripton x"],
    ["is unknown", "channel updat design"],
    ["was not confirmed", "channel archive general"],
    ["had nothing to do", "channel update design --description first --if-changed"],
    ["set what was so already", "channel update general --description Everyone"],
    ["removed somebody who was not there", "channel subscribers staff --delete otis@sandbox.example"],
    ["added somebody who was there", "channel subscribers staff --add adam@sandbox.example"],
  ])("takes nothing back if the last command %s", async (_, line) => {
    const { run, described } = organization();
    await run(update("design", "first"));
    const { code: failed } = await run(line);
    expect(failed === 0).toBe(/--if-changed|Everyone|subscribers/.test(line));
    const { code, err, out } = await run("undo --yes");
    expect([code, out, described("design")], err).toEqual([0, "", "first"]);
    expect(err).toContain("zulipctl: nothing to undo: the last command (20260115-2: channel ");
    expect(err).toContain("Undo the run before it with: zulipctl undo 20260115-1\n");
    expect((await run("undo 20260115-1 --yes")).code).toBe(0);
    expect(described("design")).toBe("Sketches and **drafts**");
  });

  test.each([
    "bots create Build",
    "bots rotate-key beep-bot@sandbox.example",
    "audit fetch --too",
    "each -- channel update design --descripton x",
    "each --profiles nowhere -- channel update design --description x",
  ])("takes nothing back after a command that sent nothing: %s", async (line) => {
    const { run, described } = organization();
    await run(update("design", "first"));
    expect((await run(line)).code).toBeGreaterThan(0);
    const { code, err } = await run("undo --yes");
    expect([code, described("design")], err).toEqual([0, "first"]);
    expect(err).toContain("zulipctl: nothing to undo: the last command (20260115-2: ");
  });

  test("is refused after an undo, which names both commands", async () => {
    const { run, described } = organization();
    await run(update("design", "first"));
    await run(update("design", "second"));
    expect((await run("undo --yes")).code).toBe(0);
    const { code, err } = await run("undo --yes");
    expect([code, described("design")]).toEqual([2, "first"]);
    expect(err).toBe(
      "zulipctl: the last run is an undo (20260115-3)\nBring its changes back with: zulipctl undo 20260115-3. Undo the run before with: zulipctl undo 20260115-1\n",
    );
  });

  test("means the same after an undo that changed nothing", async () => {
    const { run, described } = organization();
    await run(update("design", "first"));
    expect((await run("undo")).code).toBe(2);
    expect((await run("undo --dry-run")).code).toBe(0);
    expect((await run("undo --yes")).code).toBe(0);
    expect(described("design")).toBe("Sketches and **drafts**");
  });

  test.each([
    "channel subscribers staff",
    "group members writers",
    "api GET streams",
    "users offboard cora@sandbox.example --check",
    "each --profiles nowhere -- channel list",
  ])("means the same after a command that only reads: %s", async (line) => {
    const { run, described } = organization();
    await run(update("design", "first"));
    expect((await run(line)).code).toBe(line.startsWith("each") ? 2 : 0);
    expect((await run("undo --yes")).code).toBe(0);
    expect(described("design")).toBe("Sketches and **drafts**");
  });

  test("takes back the rest after --only", async () => {
    const { run, described } = organization();
    await run("batch - --format lines", { input: `${update("design", "x")}\n${update("general", "x")}\n` });
    expect((await run("undo --only design --yes")).code).toBe(0);
    expect(described("general")).toBe("x");
    const { code, err } = await run("undo --yes");
    expect([code, described("general")], err).toEqual([0, "Everyone"]);
  });

  test.each([
    ["was not logged", { log: false }, "run 20260115-1 was not logged"],
    ["is not known", undefined, "this machine does not know the last run by iris@sandbox.example"],
  ])("is refused if the last run %s", async (_, config, says) => {
    const { run } = organization({ config });
    if (config) await run(update("design", "first"));
    const { code, err } = await run("undo --yes");
    expect(code).toBe(2);
    expect(err).toContain(says);
  });

  const withoutLast = (logs: Map<string, string>, path: string, has: string) => {
    const lines = (logs.get(path) ?? "").split("\n");
    lines.splice(
      lines.findLastIndex((line) => line.includes(has)),
      1,
    );
    logs.set(path, lines.join("\n"));
  };

  /** Lets the second run of a state directory look as if it was killed while it waited for its last answer. */
  const kill = (logs: Map<string, string>) => {
    withoutLast(logs, "/state/log.ndjson", "20260115-2");
    withoutLast(logs, "/state/runs.ndjson", '"ended"');
  };

  test.each([
    ["channel update design --description K", "channel design"],
    ["channel archive general --yes", "channel general: unarchived"],
    ["channel archive announcements,design --yes", "channel design: unarchived"],
    ["users deactivate otis@sandbox.example --yes", "person Otis Member"],
    ["users update cora@sandbox.example --full-name K", "person K"],
    ["topic rename design logo news --yes", "topic logo: moved back"],
    ["channel create made", "channel made: archived"],
    ["invite add new@example.com --channel design", "invitation new@example.com: revoked"],
    ["settings update name_changes_disabled=true", "settings"],
    ["api PATCH streams/1 -f description=K", "channel design"],
  ])("takes back what a killed command was sending: %s", async (words, says) => {
    const { run, logs, sandbox } = organization();
    await run(update("general", "first"));
    const shown = () => {
      const { users, channels, organization, messages, invitations } = sandbox.state;
      const open = [...channels.values()].filter(({ is_archived }) => !is_archived);
      return JSON.stringify([
        [...users.values()].map(({ full_name, is_active }) => [full_name, is_active]),
        open.map(({ name, description }) => [name, description]),
        invitations.filter(({ revoked }) => !revoked),
        [...messages.values()].flatMap(({ topic, sender_id }) => (sender_id > 7 ? [topic] : [])),
        organization,
      ]);
    };
    const before = shown();
    expect((await run(words)).code).toBe(0);
    kill(logs);
    const { code, err } = await run("undo --yes");
    expect(code, err).toBe(0);
    expect(err).toContain(says);
    expect(err).toContain("the run ended without an answer to this");
    expect(shown()).toBe(before);
    expect((await run("undo --yes")).code).toBe(2);
  });

  test("does not claim to know a change that a killed command did not keep", async () => {
    const { run, logs } = organization();
    await run(update("general", "first"));
    expect((await run("channel archive announcements,design --yes")).code).toBe(0);
    kill(logs);
    // As if it was too large.
    withoutLast(logs, "/state/sending.ndjson", "20260115-2");
    const { code, err } = await run("undo --yes");
    expect(code, err).toBe(5);
    expect(err).toContain("channel announcements: unarchived");
    expect(err).toContain("what it changed is not known, so look at the server");
  });

  test("says that a killed command changed nothing that is there", async () => {
    const { run, logs, channel } = organization();
    await run(update("general", "first"));
    const before = channel("design")?.description ?? "";
    await run(update("design", "second"));
    kill(logs);
    const design = channel("design");
    if (design) design.description = before;
    const { code, err } = await run("undo --yes");
    expect([code, err]).toEqual([0, "zulipctl: nothing to undo: everything that run 20260115-2 changed is back\n"]);
  });

  test("does not say that a killed command changed nothing", async () => {
    const { run, logs, described } = organization();
    await run(update("design", "first"));
    await run(update("design", "second"));
    kill(logs);
    withoutLast(logs, "/state/sending.ndjson", "20260115-2");
    const { code, err } = await run("undo --yes");
    expect([code, described("design")]).toEqual([5, "second"]);
    expect(err).toContain("run 20260115-2 ended while it sent a change: what it changed is not known");
  });

  test("takes back a batch alone whose journal has the path of an older one", async () => {
    const { run, files, described } = organization();
    for (const [name, text] of [
      ["design", "monday"],
      ["general", "tuesday"],
    ] as const) {
      files.delete("/jobs/journal");
      const words = ["batch", "-", "--format", "lines", "--journal", "/jobs/journal"];
      expect((await run(words, { input: `${update(name, text)}\n` })).code).toBe(0);
    }
    expect((await run("undo --yes")).code).toBe(0);
    expect([described("design"), described("general")]).toEqual(["monday", "Everyone"]);
  });
});

describe("a job", () => {
  const env = { ZULIPCTL_JOB: "nightly-42" };

  test("is taken back as one, and then has nothing to undo", async () => {
    const { run, described } = organization();
    await run(update("staff", "other"));
    await run(update("design", "one"), { env });
    await run(`${update("general", "two")} --job nightly-42`);
    await run(update("staff", "other2"));
    const jobs: { job?: string }[] = JSON.parse((await run("log -o json")).out);
    expect(jobs.map(({ job }) => job)).toEqual([undefined, "nightly-42", "nightly-42", undefined]);
    expect(JSON.parse((await run("log show --job nightly-42 -o json")).out)).toHaveLength(2);
    const { code, err } = await run("undo --job nightly-42 --yes");
    expect([code, described("design"), described("general"), described("staff")], err).toEqual([
      ...[0, "Sketches and **drafts**", "Everyone", "other2"],
    ]);
    const again = await run("undo --job nightly-42 --yes");
    expect([again.code, again.out]).toEqual([0, ""]);
    expect(again.err).toContain("nothing to undo: job nightly-42 was taken back already");
    const { err: other } = await run("undo --job other --yes");
    expect(other).toContain("nothing to undo: job other has no run that changed something");
  });

  test("is refused if its runs are more than 24 hours apart", async () => {
    const { run, logs, described } = organization();
    for (const text of ["one", "two"]) await run(update("design", text), { env });
    const path = "/state/runs.ndjson";
    logs.set(path, (logs.get(path) ?? "").replace('"began":"2026-01-15', '"began":"2026-01-13'));
    const { code, err } = await run("undo --job nightly-42 --yes");
    expect([code, described("design")]).toEqual([2, "two"]);
    expect(err).toContain("the runs of job nightly-42 are more than 24 hours apart: 20260115-1, 20260115-2");
  });

  test.each(["two words", "x".repeat(65), "a/b"])("has no name like %j", async (name) => {
    const { run, described } = organization();
    const { code, err } = await run(update("design", "x"), { env: { ZULIPCTL_JOB: name } });
    expect([code, described("design")]).toEqual([2, "Sketches and **drafts**"]);
    expect(err).toContain("ZULIPCTL_JOB: invalid job");
  });
});

test("log show --check says what the plan would", async () => {
  const { run } = organization();
  for (const text of ["one", "two"]) await run(update("design", text));
  const shown = async (...flags: string[]) =>
    JSON.parse((await run(["log", "show", "20260115-1", ...flags, "-o", "json"])).out).map(
      ({ can_undo, reason }: Record<string, unknown>) => [can_undo, reason],
    );
  expect(await shown()).toEqual([[true, undefined]]);
  expect(await shown("--check")).toEqual([[false, "description was changed by run 20260115-2 since"]]);
  expect((await run("undo 20260115-2 --yes")).code).toBe(0);
  expect(await shown("--check")).toEqual([[true, undefined]]);
  expect((await run("undo 20260115-1 --yes")).code).toBe(0);
  expect(await shown("--check")).toEqual([[false, "it is back already"]]);
});

test("log show --check says that another account made the change", async () => {
  const { run, sandbox } = organization();
  await run(update("design", "one"));
  const { out } = await run("log show 20260115-1 --check -o json", {
    env: credentials(sandbox, "adam@sandbox.example"),
  });
  expect(JSON.parse(out)).toMatchObject([
    { can_undo: false, reason: "it was made as iris@sandbox.example on https://chat.example" },
  ]);
});

test("a dry run of undo has what is left alone in its JSON, also if nothing goes back", async () => {
  const { run } = organization();
  await run("messages send --channel general --topic t --content x");
  const { code, out, err } = await run("undo --dry-run -o json");
  const reason = "a message that was sent stays; delete it with: zulipctl messages delete";
  expect([code, JSON.parse(out)], err).toEqual([
    1,
    [{ operation: "messages.send", target: "#general > t", outcome: "impossible", reason }],
  ]);
});

test("undo --job names the runs of another account, with 5", async () => {
  const { run, logs, described } = organization();
  await run(update("design", "one"), { env: { ZULIPCTL_JOB: "j" } });
  for (const [path, text] of logs) logs.set(path, text.replaceAll("iris@sandbox.example", "adam@sandbox.example"));
  const { code, err } = await run("undo --job j --yes");
  expect([code, described("design")]).toEqual([5, "one"]);
  expect(err).toContain("runs of another account or site are left alone: 20260115-1");
});

describe("undo leaves alone, and says", () => {
  test("what a later run set, whatever the value is now", async () => {
    const { run, described } = organization();
    for (const text of ["one", "two", "one"]) await run(update("design", text));
    const { code, err } = await run("undo 20260115-1 --yes");
    expect([code, described("design")]).toEqual([6, "one"]);
    expect(err).toContain("description was changed by run 20260115-3 since");
  });

  test("nothing of a later run that was taken back itself", async () => {
    const { run, described } = organization();
    for (const text of ["one", "two"]) await run(update("design", text));
    expect((await run("undo 20260115-2 --yes")).code).toBe(0);
    expect((await run("undo 20260115-1 --yes")).code).toBe(0);
    expect(described("design")).toBe("Sketches and **drafts**");
  });

  test("a member whom a later run added again", async () => {
    const { run } = organization();
    const members = "group members writers --";
    await run(`${members}add adam@sandbox.example`);
    await run(`${members}delete adam@sandbox.example --yes`);
    await run(`${members}add adam@sandbox.example`);
    const { code, err } = await run("undo 20260115-1 --yes");
    expect(code).toBe(6);
    expect(err).toContain("Adam Admin was added by run 20260115-3 since");
  });

  test("changes whose lines the log has lost, with 5", async () => {
    const { run, logs, described } = organization();
    await run("batch - --format lines", { input: `${update("design", "x")}\n${update("general", "x")}\n` });
    const path = "/state/log.ndjson";
    const [first = "", second = ""] = (logs.get(path) ?? "").split("\n");
    logs.set(path, `${first}\n${second.slice(0, 40)}\n`);
    const { code, err } = await run("undo --yes");
    expect([code, described("design"), described("general")]).toEqual([5, "Sketches and **drafts**", "x"]);
    expect(err).toContain("1 change of this run is not in the log: left alone");
    expect(err).not.toContain("everything that could go back is back");
  });

  test("a channel with people and messages that came since, unless --include-later", async () => {
    const { run, channel } = organization();
    await run("channel create plans --subscribe cora@sandbox.example");
    await run("channel subscribers plans --add otis@sandbox.example,mona@sandbox.example");
    await run("messages send --channel plans --topic t --content Hi");
    const { code, err } = await run("undo 20260115-1 --yes");
    expect([code, channel("plans")?.is_archived]).toEqual([6, false]);
    expect(err).toContain("2 people were subscribed since, 1 message was written since (the last on 2026-01-15)");
    const all = await run("undo 20260115-1 --include-later --yes");
    expect([all.code, channel("plans")?.is_archived], all.err).toEqual([0, true]);
    expect(all.err).toContain("  ! 2 people were subscribed since, 1 message was written since");
  });

  test("what the run made, if it is gone", async () => {
    const { run } = organization();
    await run("linkifier add B-(?P<id>[0-9]+) https://b.example/{id}");
    const { out } = await run("linkifier list -o ids");
    await run(`linkifier rm ${out.trim().split("\n").at(-1)} --yes --no-record`, { env: { ZULIPCTL_STATE_DIR: "/x" } });
    const { code, err } = await run("undo 20260115-1 --yes");
    expect(code).toBe(6);
    expect(err).toContain("it is gone, or not visible");
  });
});

test("undo says before it sends anything that servers do not let this account subscribe others", async () => {
  const { run, channel } = organization();
  const subscribers = "channel subscribers council --delete";
  expect((await run(`${subscribers} iris@sandbox.example --yes`)).code).toBe(0);
  expect((await run(`${subscribers} cora@sandbox.example --yes`)).code).toBe(0);
  const before = [...(channel("council")?.subscribers ?? [])];
  const { code, err } = await run("undo --dry-run");
  expect(code).toBe(1);
  expect(err).toContain("✗ channel council: cannot be undone: this account does not read the private channel");
  expect([...(channel("council")?.subscribers ?? [])]).toEqual(before);
});

test("undo puts back what the run replaced under one name", async () => {
  const { run, sandbox } = organization();
  const add = (url: string) => ["playground", "add", "Rust", "Rust", url];
  await run(add("https://a.example/{code}"));
  const made = await run([...add("https://b.example/{code}"), "--or-update", "--yes"]);
  expect(made.code, made.err).toBe(0);
  const { code, err } = await run("undo --yes");
  expect(code, err).toBe(0);
  const urls = [...sandbox.state.playgrounds.values()].map(({ url_template }) => url_template);
  expect(urls).toContain("https://a.example/{code}");
  expect(urls).not.toContain("https://b.example/{code}");
});

test("undo changes lists before it archives", async () => {
  const { run, channel } = organization();
  await run("channel archive design --yes");
  const before = [...(channel("design")?.subscribers ?? [])];
  const input = "channel unarchive 1\nchannel subscribers 1 --add adam@sandbox.example\n";
  expect((await run("batch - --format lines --yes", { input })).code).toBe(0);
  const { code, err } = await run("undo --yes");
  expect(code, err).toBe(0);
  expect([channel("design")?.is_archived, [...(channel("design")?.subscribers ?? [])]]).toEqual([true, before]);
});

test("a run that was taken back is resumed only with --again", async () => {
  const { run, files, described } = organization();
  files.set("rows.csv", "name\ndesign\ngeneral\n");
  const words = ["--", "channel", "update", "{name}", "--description", "x"];
  expect((await run(["batch", "rows.csv", ...words])).code).toBe(0);
  expect((await run("undo --yes")).code).toBe(0);
  const refused = await run(["batch", "rows.csv", "--resume", "20260115-1", ...words]);
  expect([refused.code, described("design")]).toEqual([2, "Sketches and **drafts**"]);
  expect(refused.err).toContain("changes of run 20260115-1 were taken back by run 20260115-2\n");
  expect(JSON.parse((await run("batch show 20260115-1 -o json")).out)).toMatchObject({ undone_by: "20260115-2" });
  expect((await run(["batch", "rows.csv", "--resume", "20260115-1", "--again", ...words])).code).toBe(0);
  expect([described("design"), described("general")]).toEqual(["x", "x"]);
});

test("no secret of a URL is kept, and none is sent back", async () => {
  const { run, logs, sandbox } = organization();
  const add = (url: string) => ["linkifier", "update", "1", "--url-template", url];
  const secret = "https://ada:pw@b.example/{id}?token=s3cret&x={id}";
  expect((await run(add(secret))).code).toBe(0);
  expect((await run(add("https://c.example/{id}"))).code).toBe(0);
  const kept = [...logs.values()].join("");
  expect(kept).toContain("https://[secret]@b.example/{id}?token=[secret]&x={id}");
  expect(kept).not.toMatch(/s3cret|ada:pw/);
  const { code, err } = await run("undo --yes");
  expect(code, err).toBe(1);
  expect(err).toContain("the old value has a secret, which the log does not keep");
  expect([...sandbox.state.linkifiers.values()][0]?.url_template).toBe("https://c.example/{id}");
});

describe("on a full disk", () => {
  const rest = (line: string) => !/sends|lines|description/.test(line);

  test.each([
    ["nothing of a command can be kept", () => false],
    ["only the beginning of a command can be kept", rest],
  ])("undo without a run takes nothing back if %s", async (_, fits) => {
    const { run, described } = organization();
    await run(update("design", "first"));
    expect((await run(update("general", "lost"), { fits })).code).toBe(0);
    for (const words of ["undo --yes", "undo --dry-run", "undo --yes"]) {
      const { code, err } = await run(words);
      expect([code, described("design"), described("general")], err).toEqual([2, "first", "lost"]);
      expect(err).toContain("the last command could not be kept");
    }
    expect((await run("undo 20260115-1 --yes")).code).toBe(0);
    expect(described("design")).toBe("Sketches and **drafts**");
  });

  test("a later command that was kept is the last one", async () => {
    const { run, described } = organization();
    await run(update("design", "first"));
    await run(update("general", "lost"), { fits: () => false });
    await run(update("staff", "second"));
    expect((await run("undo --yes")).code).toBe(0);
    expect([described("staff"), described("general")]).toEqual(["Private", "lost"]);
  });
});

test("names of runs never go back, and a damaged file gives no name twice", async () => {
  const { run, files, logs } = organization();
  for (const kept of [undefined, "", "20260115-\u0000", "20260115-1\u00002", "20260115-1"]) {
    if (kept === undefined) files.delete("/state/last-run");
    else files.set("/state/last-run", kept);
    await run("channel create design");
  }
  const names = [...(logs.get("/state/runs.ndjson") ?? "").matchAll(/"run":"([^"]+)","began"/g)].map(
    ([, name]) => name,
  );
  expect(names).toEqual(["20260115-1", "20260115-2", "20260115-3", "20260115-4", "20260115-5"]);
});

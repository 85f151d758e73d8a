/** Runs the cron job and the CI job of `docs/unattended.md` with a server that fails. */
import { existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { parse } from "yaml";
import { injectFaults, parseFault } from "../../src/sandbox/index.ts";
import { directory } from "../node/directory.ts";
import { blocks, page } from "../pages.ts";
import { zulipctl } from "../run.ts";
import { environment, program, run, serving } from "./program.ts";

const [cron = "", members = "", drift = ""] = blocks(page("docs/unattended.md"), "sh");

/** A home with `zulipctl` on the path, and a server with these faults. */
async function place(faults: string[]) {
  const home = directory();
  mkdirSync(join(home, "bin"));
  symlinkSync(program, join(home, "bin/zulipctl"));
  const { sandbox, env } = await serving(faults.length ? { disturb: injectFaults(faults.map(parseFault), sleep) } : {});
  const start = async (script: string, more: Record<string, string> = {}) => {
    writeFileSync(join(home, "script"), script);
    const all: Record<string, string> = { ...environment(home), ...env, ...more };
    return run(["sh", "script"], { env: { ...all, PATH: `${home}/bin:${all.PATH}` }, cwd: home });
  };
  /** Somebody else runs a command: in this process, without what the scripts have. */
  const byHand = async (line: string, files?: Map<string, string>) => {
    const { code, out, err } = await zulipctl(line.split(" ").slice(1), { sandbox, env, files });
    expect({ code, err }).toEqual({ code: 0, err: "" });
    return out;
  };
  return { home, sandbox, start, byHand };
}

const sleep = async () => undefined;

describe("the cron job", () => {
  const nobody = { ZULIP_API_KEY: "x".repeat(32) };
  test.each<[string, string[], Record<string, string>, number, RegExp, boolean]>([
    ["says nothing when all is well", [], {}, 0, /^$/, true],
    ["waits out a rate limit", ["429:op=channel.update,times=1,after=0.1"], {}, 0, /^$/, true],
    [
      "says that nothing changed where a page answers",
      ["redirect:op=changes"],
      {},
      4,
      /^Not reached, and nothing/,
      false,
    ],
    ["finds out that what had no answer was done", ["drop-after:op=changes"], {}, 0, /^$/, true],
    ["finds out that what had no answer was not done", ["drop-before:op=changes"], {}, 7, /^Nobody knows/, false],
    ["tells of an ignored parameter", ["ignore:param=description,op=channel.update"], {}, 5, /^Done in part/, false],
    ["tells of a key that is refused", [], nobody, 3, /^The key is not accepted/, false],
  ])("%s", async (_, faults, env, code, says, done) => {
    const { home, sandbox, start } = await place(faults);
    writeFileSync(join(home, "on-call"), "On call: Cora\n");
    const ended = await start(cron, env);
    expect({ code: ended.code, err: ended.err }).toEqual({ code, err: "" });
    expect(ended.out).toMatch(says);
    if (code && code !== 3) expect(JSON.parse(ended.out.slice(ended.out.indexOf("{"))).error.exit_code).toBe(code);
    const general = [...sandbox.state.channels.values()].find(({ name }) => name === "general")!;
    expect(general.description === "On call: Cora").toBe(done);
  });

  test("reports a command line that will fail again", async () => {
    const { start } = await place([]);
    const { code, out } = await start(cron);
    expect(code).toBe(2);
    expect(out).toMatch(/^It will fail again until somebody fixes it: .*on-call/);
  });
});

describe("the CI job", () => {
  const rows = "group,email\nwriters,mona@sandbox.example\ndesigners,otis@sandbox.example\n";
  const wrong = `${rows}writers,nobody@sandbox.example\n`;
  test.each<[string, string[], string, number, RegExp, number]>([
    ["puts the rows into force", [], rows, 0, /^$/, 2],
    [
      "goes on after a proxy that gave up when the work was done",
      ["504:op=group.members,applied=yes,nth=1"],
      rows,
      0,
      /^$/,
      2,
    ],
    ["goes on after a server that was away", ["redirect:op=group.members,nth=1"], rows, 0, /^$/, 2],
    ["says that the server is not reached", ["redirect:op=group.members"], rows, 4, /^The server is not reached/, 0],
    ["sends nothing where a row is wrong", [], wrong, 2, /^Nothing was done/, 0],
  ])("%s", async (_, faults, csv, code, says, made) => {
    const { home, sandbox, start } = await place(faults);
    writeFileSync(join(home, "members.csv"), csv);
    const has = (name: string, email: string) => {
      const group = [...sandbox.state.groups.values()].find((each) => each.name === name)!;
      return group.members.has(
        [...sandbox.state.users.values()].find((user) => user.delivery_email === email)!.user_id,
      );
    };
    const all = () => [has("writers", "mona@sandbox.example"), has("designers", "otis@sandbox.example")];
    expect(all()).toEqual([false, false]);
    const ended = await start(members);
    expect({ code: ended.code, err: code ? "" : ended.err, out: ended.out }).toMatchObject({
      code,
      out: expect.stringMatching(says),
    });
    expect(all().filter(Boolean)).toHaveLength(made);
    if (code !== 0) return;
    const result = readFileSync(join(home, "result.ndjson"), "utf8").trim().split("\n");
    expect(result.map((line) => JSON.parse(line).outcome)).toEqual(["done", "done"]);
  });
});

/** A machine with the script for drift, the file of the organization, and a stand-in for mail. */
async function keeper() {
  const { home, sandbox, start, byHand } = await place([]);
  const script = (name: string, text: string) => writeFileSync(join(home, "bin", name), text, { mode: 0o755 });
  script("drift", drift);
  script("mail", '#!/bin/sh\n{ echo "$*"; cat; } > "$HOME/mail.txt"\n');
  mkdirSync(join(home, "organization"));
  const run = async (line: string, more: Record<string, string> = {}) => {
    const { code, out, err } = await start(line, more);
    return { code, out, err };
  };
  const file = await byHand("zulipctl org export --complete");
  writeFileSync(join(home, "organization/organization.yaml"), file);
  const files = new Map([["organization/organization.yaml", file]]);
  return { home, sandbox, run, byHand: (line: string) => byHand(line, files) };
}

/** What cron does with a line: it runs its command, and mails what that prints. */
const cronCommand = (): string => {
  const [table = ""] = blocks(page("docs/unattended.md"), "crontab");
  return /^17 3 \* \* \* (.*)$/m.exec(table)?.[1] ?? "";
};

describe("drift each night", () => {
  test("a week: cron mails what differs on each day, and nothing on a day without drift", async () => {
    const { sandbox, run, byHand } = await keeper();
    const { site } = sandbox.info();
    const days: [day: string, line: string][] = [
      ["Monday", ""],
      ["Tuesday", "zulipctl channel archive design --yes -o none"],
      ["Wednesday", "zulipctl users deactivate cora@sandbox.example --yes -o none"],
      ["Thursday", "zulipctl group create oncall --description Night -o none"],
      ["Friday", "zulipctl settings update message_content_edit_limit_seconds=60 -o none"],
      ["Saturday", "zulipctl org apply organization/organization.yaml --prune --yes -o none --quiet"],
      ["Sunday", "zulipctl users reactivate cora@sandbox.example -o none"],
    ];
    const mails: string[] = [];
    for (const [day, line] of days) {
      if (line) await byHand(line);
      const { out, err } = await run(cronCommand());
      expect(err).toBe("");
      mails.push(`== ${day}: ${line || "nothing was changed"}\n${out || "(no mail)\n"}`);
    }
    await expect(mails.join("\n").replaceAll(site, "https://chat.example.com")).toMatchFileSnapshot(
      "week-of-drift.txt",
    );
  });

  test("cron mails when the server is not reached", async () => {
    const { run } = await keeper();
    const { code, out } = await run(cronCommand(), { ZULIP_SITE: "http://127.0.0.1:9" });
    expect(code).toBe(4);
    expect(out).toMatch(/^The server was not reached\. The next run tries again:\nzulipctl: /);
  });

  test("the systemd service mails only what differs", async () => {
    const { home, run, byHand } = await keeper();
    const [service = "", timer = ""] = blocks(page("docs/unattended.md"), "ini");
    expect(timer).toMatch(/^OnCalendar=\*-\*-\* 03:17$/m);
    // systemd writes `$` as `$$`.
    const command = /^ExecStart=(.*)$/m.exec(service)![1]!.replaceAll("$$", "$");
    const mail = () => (existsSync(join(home, "mail.txt")) ? readFileSync(join(home, "mail.txt"), "utf8") : undefined);
    expect(await run(command)).toEqual({ code: 0, out: "", err: "" });
    expect(mail()).toBeUndefined();
    await byHand("zulipctl channel archive design --yes -o none");
    expect(await run(command)).toEqual({ code: 0, out: "", err: "" });
    expect(mail()).toMatch(
      /^-s Zulip drift admins@example\.com\nSomebody changed the organization:\n[\s\S]*~ channel design/,
    );
  });

  test("the GitLab job fails only if something differs", async () => {
    const { run, byHand } = await keeper();
    const [job] = blocks(page("docs/unattended.md"), "yaml")
      .map((text) => parse(text))
      .flatMap((all) => (all.drift ? [all.drift] : []));
    expect(Object.keys(job.variables)).toEqual(["ZULIP_SITE", "ZULIP_EMAIL"]);
    const script = `cd organization\n${job.script.join("\n")}`;
    expect(await run(script)).toMatchObject({ code: 0, err: "" });
    await byHand("zulipctl group create oncall --description Night -o none");
    expect(await run(script)).toMatchObject({ code: 8, out: expect.stringContaining("- group oncall: deactivated") });
  });
});

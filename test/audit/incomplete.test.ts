/** Exports without a file or a table, and people whose activity is not known. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import { Parser } from "tar";
import { expect, test } from "vitest";
import { zulipctl } from "../run.ts";

/** The JSON files of an export of a running server. */
async function realFiles(): Promise<Map<string, string>> {
  const files = new Map<string, string>();
  const parser = new Parser({
    onReadEntry(entry) {
      const parts: Buffer[] = [];
      entry.on("data", (part: Buffer) => parts.push(part));
      entry.on("end", () => {
        const name = /^[^/]+\/([^/]+\.json)$/.exec(entry.path)?.[1];
        if (name !== undefined) files.set(`e/${name}`, Buffer.concat(parts).toString("utf8"));
      });
    },
  });
  const ended = new Promise((resolve) => parser.on("end", resolve));
  parser.end(gunzipSync(readFileSync(join(import.meta.dirname, "../data/exports/open-1.tar.gz"))));
  await ended;
  return files;
}

const real = await realFiles();

const audit = (files: Map<string, string>, ...argv: string[]) =>
  zulipctl(["audit", ...argv, "--from", "e"], { files, env: {} });

const without = (name: string) => new Map([...real].filter(([path]) => path !== `e/${name}`));

function edited(name: string, edit: (content: Record<string, unknown[]>) => void): Map<string, string> {
  const content = JSON.parse(real.get(`e/${name}`)!);
  edit(content);
  return new Map([...real, [`e/${name}`, JSON.stringify(content)]]);
}

const withoutTable = (name: string, table: string) => edited(name, (content) => delete content[table]);

/** Without statistics, the names of files count. */
const uncounted = (...messages: string[]) =>
  new Map([
    ...[...without("stats.json")].filter(([path]) => !path.includes("messages-")),
    ...messages.map((number) => [`e/messages-${number}.json`, real.get("e/messages-000001.json")!] as const),
  ]);

const messages = "messages-000001.json";

test.each<[what: string, files: Map<string, string>, needing: string[]]>([
  [messages, without(messages), ["people", "channels"]],
  [messages, uncounted(), ["people", "channels"]],
  ["messages-000002.json", uncounted("000001", "000003"), ["people", "channels"]],
  ["table zerver_message in messages-000001.json", withoutTable(messages, "zerver_message"), ["people", "channels"]],
  ["table zerver_useractivity in realm.json", withoutTable("realm.json", "zerver_useractivity"), ["people"]],
  [
    "table zerver_userprofile in realm.json",
    withoutTable("realm.json", "zerver_userprofile"),
    ["log", "people", "uploads"],
  ],
  ["table zerver_stream in realm.json", withoutTable("realm.json", "zerver_stream"), ["log", "channels"]],
  ["table zerver_subscription in realm.json", withoutTable("realm.json", "zerver_subscription"), ["channels"]],
  ["table zerver_realmauditlog in realm.json", withoutTable("realm.json", "zerver_realmauditlog"), ["log"]],
  ["attachment.json", without("attachment.json"), ["uploads"]],
])("without %s, the commands that need it refuse the export", async (what, files, needing) => {
  for (const verb of ["log", "people", "channels", "uploads"]) {
    const { code, out, err } = await audit(files, verb, "-o", "ids");
    if (!needing.includes(verb)) expect({ verb, code }).toEqual({ verb, code: 0 });
    else
      expect({ verb, code, out, err }).toEqual({
        ...{ verb, code: 2, out: "" },
        err: `zulipctl: e is not a complete export: it has no ${what}\nGet the whole file again with: zulipctl audit fetch\n`,
      });
  }
});

test("a server that counted no file of messages had no message to export", async () => {
  const files = edited("stats.json", (counts) => delete counts["messages-000001"]);
  files.delete(`e/${messages}`);
  expect(await audit(files, "people")).toMatchObject({ code: 0 });
});

test("activity that is not recorded is unknown, and nobody counts as inactive for it", async () => {
  const people = await audit(real, "people", "--fields", "id,last_active,LAST ACTIVE", "-o", "csv");
  expect(people.out.split("\r\n")).toContain("55,,unknown");
  expect(people.out).not.toContain("never");
  const earlier = edited("realm.json", ({ zerver_useractivity = [] }) => {
    for (const row of zerver_useractivity) Object.assign(Object(row), { last_visit: 1_700_000_000 });
  });
  const inactive = await audit(earlier, "people", "--inactive-for", "1s", "-o", "ids");
  expect(inactive.out.split("\n").filter(Boolean).sort()).toEqual(["10", "36", "37", "38", "40"]);
  expect(inactive.err).toContain("zulipctl: skipped 1 account without known activity: the server has recorded none\n");
});

/** The first screen at a terminal. `test/transcripts/first-screen.txt` has whole screens. */
import { expect, test } from "vitest";
import { Usage } from "../../src/errors.ts";
import { main } from "../../src/main.ts";
import { testWorld } from "../world.ts";

const profile = { site: "https://chat.example", email: "ada@example.com", store: "keychain", account: "work" };
const config = { current: "work", profiles: { work: profile } };

const header = {
  journal: "zulipctl batch",
  version: 1,
  site: "https://chat.example",
  rows: 60,
  began: "2026-01-15T11:00:00.000Z",
};
const counts = { done: 60, refused: 0, unknown: 0, not_sent: 0, invalid: 0 };

/** Returns the files of a run in the state directory. */
const journal = (directory: string, second: string, ...lines: readonly (object | string)[]): [string, string] => [
  `/state/${directory}/20260115-9${Number(second)}.jsonl`,
  lines.map((line) => (typeof line === "string" ? line : `${JSON.stringify(line)}\n`)).join(""),
];

async function shown(
  files: readonly [string, string][],
  more: object = {},
  columns = 80,
  argv: readonly string[] = [],
) {
  const world = testWorld({ config, env: {}, terminal: true, columns, files: new Map(files), ...more });
  const code = await main(argv, world);
  expect({ code, err: world.stderr.text, sent: world.sent, asked: world.asked }).toEqual({
    code: 0,
    err: "",
    sent: [],
    asked: [],
  });
  return world.stdout.text;
}

const unfinished = (text: string) => /^Unfinished:\n([\s\S]*?)\n\n/m.exec(text)?.[1]?.split("\n");

test("shows the newest runs that did not end, and how many more there are", async () => {
  const ended = { ended: "2026-01-15T11:30:00.000Z", counts };
  const open = { ...counts, not_sent: 3, unknown: 1 };
  const files = [
    journal("batch", "00", header, ended),
    journal("batch", "01", header, { sent: 1, rows: [1] }),
    journal(
      "organization",
      "02",
      { ...header, journal: "zulipctl org apply" },
      { ...ended, counts: { ...counts, not_sent: 3 } },
    ),
    journal("messages-delete", "03", { ...header, journal: "zulipctl messages delete" }, { ...ended, counts: open }),
    journal("undo", "04", { ...header, journal: "zulipctl undo" }, ended, { resumed: "x" }, '{"ended":"2026'),
    journal("offboarding", "05"),
  ];
  expect(unfinished(await shown(files))).toEqual([
    "  zulipctl batch show 20260115-95",
    "      users offboard: stopped before its end, or still running",
    "  zulipctl batch show 20260115-94",
    "      undo of 60 rows on chat.example, 2026-01-15 11:00Z: stopped before its",
    "      end, or still running",
    "  zulipctl batch show 20260115-93",
    "      messages delete of 60 rows on chat.example, 2026-01-15 11:00Z: 1 unknown,",
    "      3 not sent",
    "  zulipctl batch list",
    "      1 more",
  ]);
});

test("reads a journal of many long lines", async () => {
  const lines = Array.from({ length: 5000 }, (_, n) => ({ answered: n, outcome: "done", answers: ["x".repeat(200)] }));
  const files = [journal("batch", "00", header, ...lines, { ended: "", counts })];
  expect(unfinished(await shown(files))).toBeUndefined();
});

test("shows no plan of another organization, and no file that is no plan", async () => {
  const plan = { format: "zulipctl organization plan", site: "https://other.example", changes: [{}] };
  for (const text of [JSON.stringify(plan), "{", "[1]", `${JSON.stringify(plan)}${" ".repeat(2 ** 20)}`])
    expect(unfinished(await shown([["plan.json", text]]))).toBeUndefined();
});

test("says that a kept plan is damaged", async () => {
  const plan = { format: "zulipctl organization plan", version: 2, site: "https://chat.example", changes: [{}] };
  const text = JSON.stringify({ ...plan, taken: "soon", digest: "sha256:0" });
  expect(unfinished(await shown([["plan.json", text]]))).toEqual([
    "  zulipctl org plan",
    "      plan.json was changed after it was made: its digest does not match",
  ]);
  expect(unfinished(await shown([["plan.json", text.replace(":2", ":9")]]))).toEqual([
    "  zulipctl org plan",
    "      plan.json is a plan of version 9; this zulipctl reads version 2",
  ]);
});

test.each([-1, "3", null, 1.5])("does not show a count of %j", async (unknown) => {
  const damaged = journal("batch", "00", header, { ended: "", counts: { ...counts, unknown } });
  expect(unfinished(await shown([damaged]))).toEqual([
    "  zulipctl batch show 20260115-90",
    "      batch: the journal is damaged",
  ]);
});

test("makes texts of files safe for a terminal", async () => {
  const email = "ada\u001b[31m@example.com";
  const text = await shown([journal("batch", "00", { ...header, site: "https://\u001b]0;x\u0007chat.example" })], {
    config: { ...config, profiles: { work: { ...profile, email } } },
  });
  expect(text).not.toMatch(/[\u0000-\u0009\u000b-\u001f]/);
  expect(text).toContain("@example.com");
});

test("says that the configuration is broken, and how to repair it", async () => {
  const text = (await shown([], { config: { profiles: [] } })).replaceAll(/\s+/g, " ");
  expect(text).toContain(": must be an object, not a list. Fix the file, or remove it");
});

test("names the profiles where none is current", async () => {
  const text = (await shown([], { config: { profiles: { work: profile } } })).replaceAll(/\s+/g, " ");
  expect(text).toContain("no credentials found. There is the profile work; choose with: zulipctl profile use work");
});

test.each([40, 80, 120])("fits a terminal of %i columns", async (columns) => {
  const text = await shown([journal("batch", "00", header)], {}, columns);
  for (const line of text.split("\n"))
    if (!line.startsWith("  zulipctl ")) expect([line, line.length <= columns]).toEqual([line, true]);
});

test("--profile stands in the commands too", async () => {
  const text = await shown([journal("batch", "00", header)], {}, 80, ["-p", "work"]);
  expect(unfinished(text)?.[0]).toBe("  zulipctl -p work batch show 20260115-90");
  expect(text).toContain("  zulipctl -p work channel list ");
});

test("an accepted finding expires after its last day", async () => {
  const accepted = (until: string): [string, string] => [
    "accepted.yaml",
    `- {finding: guests_in_private_channel, target: council, why: meant, until: ${until}}\n`,
  ];
  expect(unfinished(await shown([accepted("2026-01-14")]))?.[1]).toContain("expired on 2026-01-14");
  expect(unfinished(await shown([accepted("2026-01-15")]))?.[1]).toContain("accepted until 2026-01-15");
});

test("what cannot be read is told, or left out", async () => {
  const world = testWorld({ config, env: {}, terminal: true });
  const denied = async () => {
    throw new Usage("permission denied");
  };
  Object.assign(world.files, { kind: denied, list: denied });
  expect(await main([], world)).toBe(0);
  expect(unfinished(world.stdout.text)).toEqual([
    "  zulipctl batch list",
    "      earlier runs cannot be read: permission denied",
  ]);
});

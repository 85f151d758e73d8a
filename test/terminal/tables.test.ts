/** Tables with names in every script, checked in a terminal emulator that measures characters itself. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { createSandbox, listen } from "../../src/sandbox/index.ts";
import { directory } from "../node/directory.ts";
import { person, zulipctl } from "../run.ts";
import { emulated, type Screen } from "./emulator.ts";
import { scripts } from "./scripts.ts";
import { left, note, terminal } from "./terminal.ts";

const names = Object.values(scripts);

/** An organization with names, topics and texts in each script. */
const organization = {
  users: [
    {
      key: "owner",
      full_name: "Iris Owner",
      email: "iris@sandbox.example",
      role: 100 as const,
      bot: false,
      active: true,
    },
    ...Object.entries(scripts).map(([key, full_name]) => ({
      key,
      full_name,
      email: `${key}@sandbox.example`,
      role: 400 as const,
      bot: false,
      active: true,
    })),
  ],
  channels: names.map((name) => ({
    name,
    description: `${name} – ${name}`,
    privacy: "public" as const,
    archived: false,
    default: false,
    subscribers: ["owner"],
  })),
  groups: names.map((name) => ({ name, description: name, members: ["owner"], subgroups: [] })),
  messages: names.map((name) => ({ channel: name, topic: name, sender: "owner", content: `${name} ${name}` })),
  web_public: false,
};

/** The columns in which the heads of a table begin. */
const startsOf = (head: string[]): number[] =>
  head.flatMap((sign, at) =>
    sign !== " " &&
    head
      .slice(Math.max(0, at - 2), at)
      .join("")
      .trim() === ""
      ? [at]
      : [],
  );

describe.skipIf(left)(`tables of every script${note}`, () => {
  let env: Record<string, string>;

  beforeAll(async () => {
    const make = (site: string) =>
      createSandbox({ site, clock: Date, random: Math.random, rateLimits: false, world: organization });
    const { site, sandbox, close } = await listen(0, make, (error) => {
      throw error;
    });
    const { email, api_key } = person(sandbox, 100);
    env = { ZULIP_SITE: site, ZULIP_EMAIL: email, ZULIP_API_KEY: api_key };
    const done = async (...words: string[]) =>
      expect(await zulipctl(words, { sandbox })).toMatchObject({ code: 0, err: "" });
    for (const name of names) await done("folder", "create", name, "--description", name);
    for (const name of names) await done("drafts", "add", "--channel", name, "--topic", name, "--content", name);
    for (const name of names) await done("channel", "update", name, "--folder", `name:${name}`);
    return close;
  });

  const drawn = async (argv: string[], columns: number): Promise<Screen & { code: number }> => {
    const screen = terminal(argv, { env, columns });
    const code = await screen.ends();
    return { code, ...(await emulated(screen.screen.split("\x1b[2K").at(-1)!, columns)) };
  };

  /** Whether a line is the first of a row. Others have no number. */
  const begins = (line: string[]) => line.slice(0, 3).join("").trim() !== "";

  /** Every cell begins under its head, after the end of the cell before it. */
  const expectAligned = ([head, ...body]: string[][], filled: string[]) => {
    const line = head!.join("");
    const shown = filled.filter((name) => line.includes(name));
    expect(shown).not.toEqual([]);
    for (const name of shown) {
      const at = startsOf(head!).find((start) => name.startsWith(line.slice(start).split(/ |…/)[0]!));
      expect({ name, at }).toEqual({ name, at: expect.any(Number) });
      for (const row of body)
        expect({ row: row.join(""), before: row.slice(at! - 2, at), first: row[at!] }).toEqual({
          row: row.join(""),
          before: [" ", " "],
          first: begins(row) ? expect.stringMatching(/\S/) : expect.anything(),
        });
    }
  };

  const ids = names.map((_, n) => n + 1).join(",");
  const tables = [
    { argv: ["channel", "list"], filled: ["NAME", "PRIVACY", "FOLDER", "DESCRIPTION"] },
    { argv: ["users", "list", "--role", "member"], filled: ["NAME", "EMAIL", "ROLE"] },
    { argv: ["group", "list"], filled: ["NAME", "DESCRIPTION"] },
    { argv: ["folder", "list"], filled: ["NAME", "DESCRIPTION"] },
    { argv: ["drafts", "list"], filled: ["TYPE", "TO", "TOPIC", "EDITED", "CONTENT"] },
    { argv: ["messages", "match", "--ids", ids, "--narrow", ""], filled: ["MATCH", "TOPIC", "CONTENT"] },
  ];
  const widths = [40, 80, 200].flatMap((columns) => tables.map((table) => ({ columns, ...table })));
  const more = [60, 120].map((columns) => ({ columns, ...tables[0]! }));

  test.each([...widths, ...more])("$argv.0 $argv.1 in $columns columns", async ({ argv, columns, filled }) => {
    const { code, lines, wrapped } = await drawn([...argv, "-q"], columns);
    const rows = lines.filter(begins).length;
    expect({ code, wrapped, rows }).toEqual({ code: 0, wrapped: false, rows: names.length + 1 });
    expectAligned(lines, filled);
  });

  test("shows the refused rows of a batch", async () => {
    const file = join(directory(), "rows.csv");
    writeFileSync(file, `name\n${names.join("\n")}\n`);
    const { code, lines, wrapped } = await drawn(
      ["batch", file, "--", "folder", "update", "{name}", "--new-name", "x".repeat(61)],
      120,
    );
    expect({ code, wrapped }).toEqual({ code: 1, wrapped: false });
    const from = lines.findIndex((line) => line.join("").startsWith("LINE"));
    const table = lines.slice(from, from + names.length + 1);
    expect(table.at(-1)!.join("").trimStart()).toMatch(new RegExp(`^${names.length + 1} `));
    expectAligned(table, ["TARGET", "OUTCOME", "RESULT"]);
  });
});

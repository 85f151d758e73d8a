/** Which columns of a table a terminal shows, and how. */
import { describe, expect, test } from "vitest";
import { zulipctl } from "../run.ts";

const plain = (text: string) => text.replace(/\x1b\[[0-9;]*m/g, "");

async function drawn(argv: string[], columns: number, more: Parameters<typeof zulipctl>[1] = {}) {
  const { out, err } = await zulipctl(argv, { terminal: true, columns, ...more });
  return { lines: plain(out).trimEnd().split("\n"), notes: plain(err).trimEnd() };
}

describe("a table that is wider than the terminal", () => {
  test("leaves out columns of low importance and says so", async () => {
    const { lines, notes } = await drawn(["channel", "list"], 80);
    expect(lines.slice(0, 4)).toEqual([
      "ID  NAME                 PRIVACY     FOLDER    SUBSCRIBERS  DESCRIPTION",
      " 3  announcements        web-public                      3  Open to the world",
      " 5  council              private                         3  Private, with its w…",
      " 1  design               public      Projects            4  Sketches and **draf…",
    ]);
    expect(notes).toBe("Columns left out: DEFAULT. Use --fields or -o json.");
  });

  test("shows what a list of channels is about in 40 columns", async () => {
    const { lines, notes } = await drawn(["channel", "list"], 40);
    expect(lines).toEqual([
      "ID  NAME                 PRIVACY",
      " 3  announcements        web-public",
      " 5  council              private",
      " 1  design               public",
      " 2  general              public",
      " 6  moderation requests  private",
      " 4  staff                private",
    ]);
    expect(notes).toBe("Columns left out: DEFAULT, FOLDER, SUBSCRIBERS, DESCRIPTION. Use --fields or -o json.");
  });

  test("says what a column that it leaves out says in every row", async () => {
    const { lines, notes } = await drawn(["permissions", "list", "--scope", "organization"], 80);
    expect(lines.slice(0, 2)).toEqual([
      "PERMISSION                                GRANTED TO           PEOPLE  GUESTS",
      "create_multiuse_invite_group              role:administrators       2       0",
    ]);
    expect(notes).toBe("Columns left out: SCOPE (organization), BOTS. Use --fields or -o json.");
  });

  test("does not mention empty columns that it leaves out", async () => {
    const { lines, notes } = await drawn(["channel", "subscribers", "design"], 45);
    expect(lines.slice(0, 2)).toEqual([
      "ID  NAME         EMAIL                 ROLE",
      " 8  Iris Owner   iris@sandbox.example  owner",
    ]);
    expect(notes).toBe("");
  });

  test("does not mention columns that it leaves out with --quiet", async () => {
    expect((await drawn(["channel", "list", "-q"], 40)).notes).toBe("");
  });

  test("shows every column that --fields names", async () => {
    const { lines, notes } = await drawn(["channel", "list", "--fields", "id,name,default,description"], 40);
    expect(lines[0]).toBe("ID  NAME          DEFAULT  DESCRIPTION");
    expect(notes).toBe("");
  });

  test("goes on in the next line rather than cut what a permission goes through", async () => {
    const { lines } = await drawn(["permissions", "who", "can_create_groups"], 80);
    expect(lines.slice(0, 7)).toEqual([
      "ID  NAME            EMAIL                 ROLE           THROUGH",
      " 8  Iris Owner      iris@sandbox.example  owner          role:members ›",
      "                                                         role:fullmembers ›",
      "                                                         role:moderators ›",
      "                                                         role:administrators ›",
      "                                                         role:owners › Iris",
      "                                                         Owner",
    ]);
  });

  test("breaks names of permissions between their words", async () => {
    const { lines } = await drawn(["permissions", "list", "--scope", "organization"], 40);
    expect(lines.slice(0, 5)).toEqual([
      "PERMISSION           GRANTED TO",
      "create_multiuse_     role:administrators",
      "invite_group",
      "can_invite_users_    role:members",
      "group",
    ]);
  });

  test("goes on in the next line with the remedies of doctor", async () => {
    const { lines } = await drawn(["doctor"], 50, { env: {} });
    const from = lines.findIndex((line) => line.startsWith("credentials"));
    const to = lines.findIndex((line) => line.startsWith("keychain"));
    const text = lines.slice(from, to).map((line) => line.slice(23).trim());
    expect(text.join(" ")).toMatch(/ZULIP_API_KEY\.$/);
    expect(lines.join("\n")).not.toContain("…");
  });

  test("shows the command of each run of batch whole", async () => {
    const run = "2026-01-14T09-30-00-000abc";
    const command =
      "zulipctl batch rows.csv -- folder create '{name}' --description 'What we make together, and what we only think about'";
    const header = { journal: "zulipctl batch", version: 1, run, rows: 2, began: "2026-01-14T09:30:00.000Z", command };
    const files = new Map([[`/state/batch/${run}.jsonl`, `${JSON.stringify(header)}\n`]]);
    const { lines } = await drawn(["batch", "list"], 80, { files });
    expect(lines[0]).toMatch(/^RUN +.*COMMAND$/);
    const from = lines[0]!.indexOf("COMMAND");
    expect(
      lines
        .slice(1)
        .map((line) => line.slice(from))
        .join(" "),
    ).toBe(command);
  });
});

test("a table into a pipe has all columns whole", async () => {
  const { out, err } = await zulipctl(["channel", "list"]);
  expect(out.split("\n")[0]).toBe("ID\tNAME\tPRIVACY\tDEFAULT\tFOLDER\tSUBSCRIBERS\tDESCRIPTION");
  expect(err).toBe("");
});

/** The columns of a table that fit into a terminal. */
import { describe, expect, test } from "vitest";
import { zulipctl } from "../run.ts";

const plain = (text: string) => text.replace(/\x1b\[[0-9;]*m/g, "");

async function drawn(argv: string[], columns: number, more: Parameters<typeof zulipctl>[1] = {}) {
  const { out, err } = await zulipctl(argv, { terminal: true, columns, ...more });
  return { lines: plain(out).trimEnd().split("\n"), notes: plain(err).trimEnd() };
}

describe("a table that is wider than the terminal", () => {
  test("hides columns of low importance and names them", async () => {
    const { lines, notes } = await drawn(["channel", "list"], 80);
    expect(lines.slice(0, 4)).toEqual([
      "ID  NAME                 PRIVACY     FOLDER    SUBSCRIBERS  DESCRIPTION",
      " 3  announcements        web-public                      3  Open to the world",
      " 5  council              private                         3  Private, with its w…",
      " 1  design               public      Projects            4  Sketches and **draf…",
    ]);
    expect(notes).toBe("Columns left out: DEFAULT. Use --fields or -o json.");
  });

  test("names a hidden column with the value of all its rows", async () => {
    const { lines, notes } = await drawn(["permissions", "list", "--scope", "organization"], 80);
    expect(lines.slice(0, 2)).toEqual([
      "PERMISSION                                GRANTED TO           PEOPLE  GUESTS",
      "create_multiuse_invite_group              role:administrators       2       0",
    ]);
    expect(notes).toBe("Columns left out: SCOPE (organization), BOTS, TITLE. Use --fields or -o json.");
  });

  test("does not name empty hidden columns", async () => {
    const { lines, notes } = await drawn(["channel", "subscribers", "design"], 45);
    expect(lines.slice(0, 2)).toEqual([
      "ID  NAME         EMAIL                 ROLE",
      " 8  Iris Owner   iris@sandbox.example  owner",
    ]);
    expect(notes).toBe("");
  });

  test("shows every column that --fields names", async () => {
    const { lines, notes } = await drawn(["channel", "list", "--fields", "id,name,default,description"], 40);
    expect(lines[0]).toBe("ID  NAME          DEFAULT  DESCRIPTION");
    expect(notes).toBe("");
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

  test("wraps whole columns before it cuts values", async () => {
    const { lines, notes } = await drawn(["settings", "list", "--match", "content_edit_limit"], 40);
    expect(lines).toEqual([
      "NAME                    VALUE",
      "message_content_edit_   10 minutes (600)",
      "limit_seconds",
    ]);
    expect(notes.split("\n")).toEqual([
      "Columns left out: KIND (limit), WHO",
      "(administrators). Use --fields or -o",
      "json.",
    ]);
  });
});

test("wraps sentences between words", async () => {
  const argv = ["permissions", "check", "gwen@sandbox.example", "read", "--channel", "staff"];
  const { lines } = await drawn(argv, 40);
  expect(lines[1]).toBe("  the channel is not open to the web;");
  expect(lines.every((line) => line.length <= 40)).toBe(true);
});

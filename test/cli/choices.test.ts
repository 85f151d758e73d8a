import { expect, test } from "vitest";
import { batch } from "../batch/rows.ts";
import { zulipctl } from "../run.ts";

test("a role is taken in any case, with blanks around it, in cells and at the command line", async () => {
  const files = new Map([["roles.csv", "email,role\ncora@sandbox.example,Guest\notis@sandbox.example, MODERATOR \n"]]);
  const words = ["--", "users", "update", "{email}", "--role", "{role}"];
  const { code, changes } = await batch(["roles.csv", ...words], { files });
  expect(changes).toEqual(["PATCH /users/11 role=600", "PATCH /users/12 role=300"]);
  expect(code).toBe(0);
  const typed = await zulipctl(["users", "update", "cora@sandbox.example", "--role", "Guest", "-n", "-o", "JSON"]);
  expect(JSON.parse(typed.out)).toMatchObject([{ parameters: { role: 600 } }]);
});

test("words of other values are taken in any case too", async () => {
  const invited = await zulipctl([
    "invite",
    "add",
    "a@new.example",
    "--no-channels",
    "--expires",
    " Never",
    "-n",
    "--json",
  ]);
  expect(JSON.parse(invited.out)).toMatchObject([{ parameters: { invite_expires_in_minutes: null } }]);
  const shown = await zulipctl(["users", "show", "Me", "--jq", ".user_id"]);
  expect({ code: shown.code, out: shown.out }).toEqual({ code: 0, out: "8\n" });
});

test("what servers store is taken, as lists have it in CSV", async () => {
  const stored = [
    ["users update 12 --role 600", { role: 600 }],
    ["invite add a@new.example --no-channels --role 300", { invite_as: 300 }],
    ["profile-field create Team --type 4", { field_type: 4 }],
    ["export create --type full_with_consent", { export_type: "full_with_consent" }],
    ["bots create Build --short-name build --type 2 --print", { bot_type: 2 }],
    ["channel update design --message-retention-days -1", { message_retention_days: "unlimited" }],
    ["channel update design --message-retention-days null", { message_retention_days: "realm_default" }],
  ] as const;
  for (const [line, parameters] of stored) {
    const { out } = await zulipctl([...line.split(" "), "--dry-run", "-o", "json"]);
    expect(JSON.parse(out), line).toMatchObject([{ parameters }]);
  }
  expect((await zulipctl(["users", "update", "12", "--role", "0600"])).code).toBe(2);
});

test("another word is refused with the words that exist, and the one that is meant", async () => {
  const files = new Map([["roles.csv", "email,role\ncora@sandbox.example, Admin\n"]]);
  const words = ["--", "users", "update", "{email}", "--role", "{role}"];
  const { code, err } = await batch(["roles.csv", ...words], { files });
  expect(err).toContain(
    'line 2, column role: invalid --role " Admin": must be one of owner, administrator, moderator, member, guest\n',
  );
  expect(code).toBe(2);
  const typed = await zulipctl(["users", "update", "11", "--role", "Admin"]);
  expect(typed.err).toBe(
    'zulipctl: invalid --role "Admin": must be one of owner, administrator, moderator, member, guest\nDid you mean: administrator?\n',
  );
});

test("an invisible character in a word of a choice is named", async () => {
  const typed = await zulipctl(["users", "update", "11", "--role", "\u200bguest"]);
  expect(typed.err).toContain('invalid --role "guest": contains U+200B (zero width space) at the beginning\n');
  const setting = await zulipctl(["settings", "show", "\u200bname"]);
  expect(setting.err).toContain("Did you mean: name? What was typed has an invisible character.\n");
});

test("errors have the form that any spelling of --output asks for", async () => {
  const { err } = await zulipctl(["users", "show", "nobody@sandbox.example", "--output", "JSON"]);
  expect(JSON.parse(err)).toMatchObject({ error: { exit_code: 2 } });
});

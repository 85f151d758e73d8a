/** `users create` in a batch: where passwords come from, and where they never go. */
import { expect, test } from "vitest";
import { fresh, zulipctl } from "../run.ts";
import { answer } from "../world.ts";
import { batch, disturbed } from "./rows.ts";

const secret = "made-up-1";
const people = `email,name,password\nada@sandbox.example,Ada L,${secret}\nbob@sandbox.example,Bob S,${secret}2\n`;
const words = ["--", "users", "create", "--email", "{email}", "--full-name", "{name}"];
/** What shows that the account may create users. It creates nothing: servers refuse the address and the name. */
const permissionCheck = "POST /users email=iris@sandbox.example password= full_name=";
const fromColumn = [...words, "--password-column", "password"];

/** A sandbox in which the account in use may create users. */
function sandbox(text = people) {
  const made = fresh();
  for (const user of made.state.users.values()) user.can_create_users = true;
  return { sandbox: made, files: new Map([["people.csv", text]]) };
}

test("the password comes from a column, and only the request has it", async () => {
  const options = sandbox();
  const { code, out, err, changes, records } = await batch(["people.csv", "--journal", "j", ...fromColumn], options);
  expect(changes).toEqual([
    permissionCheck,
    `POST /users email=ada@sandbox.example password=${secret} full_name=Ada L`,
    `POST /users email=bob@sandbox.example password=${secret}2 full_name=Bob S`,
  ]);
  expect(records.map(({ answer }) => answer)).toEqual([{ user_id: 16 }, { user_id: 17 }]);
  expect(code).toBe(0);
  const journal = options.files.get("j");
  expect(journal).toContain('"password":"[secret]"');
  expect(`${out}${err}${journal}`).not.toContain(secret);
});

test("a dry run masks it, and the file of --failed keeps the row as it was", async () => {
  const options = sandbox(`${people}cora@sandbox.example,Cora,${secret}3\n`);
  const dry = await batch(["people.csv", "-n", ...fromColumn], options);
  expect(dry.out.match(/\[secret\]/g)).toHaveLength(3);
  expect(`${dry.out}${dry.err}`).not.toContain(secret);
  const { code, out, err } = await batch(["people.csv", "--failed", "failed.csv", ...fromColumn], options);
  expect(code).toBe(5);
  expect(`${out}${err}`).not.toContain(secret);
  expect(options.files.get("failed.csv")).toBe(`email,name,password\ncora@sandbox.example,Cora,${secret}3\n`);
});

test("a random password is long, and differs for each account", async () => {
  const { code, out, err, sent } = await batch(["people.csv", ...words, "--random-password"], sandbox());
  const passwords = sent.flatMap(({ body = "" }) => new URLSearchParams(body).get("password") || []);
  expect(new Set(passwords).size).toBe(2);
  for (const password of passwords) {
    expect(password).toMatch(/^[\w-]{32}$/);
    expect(`${out}${err}`).not.toContain(password);
  }
  expect(code).toBe(0);
});

test("people who have an account with that name are unchanged, so that a job can run every night", async () => {
  const options = sandbox(
    `${people}cora@sandbox.example,Cora,x-${secret}\ndora@sandbox.example,Dora Departed,x-${secret}\n`,
  );
  const first = await batch(["people.csv", ...fromColumn], options);
  expect(first.outcomes).toEqual(["1 done", "2 done", "3 refused", "4 refused"]);
  const { code, records, sent } = await batch(["people.csv", "--where", "name!=Cora", ...fromColumn], options);
  expect(records.map(({ outcome, unchanged }) => [outcome, unchanged])).toEqual([
    ["done", true],
    ["done", true],
    ["not_selected", undefined],
    ["refused", undefined],
  ]);
  expect(sent.map(({ method, url }) => `${method} ${new URL(url).pathname}`).slice(0, 3)).toEqual([
    "POST /api/v1/users",
    "POST /api/v1/users",
    "GET /api/v1/users/ada%40sandbox.example",
  ]);
  expect(code).toBe(5);
});

test("an account that was there proves nothing if no answer comes, and a bot is nobody's account", async () => {
  const accounts = `cora@sandbox.example,Cora Member,x-${secret}\nbeep-bot@sandbox.example,Beep Bot,x-${secret}\n`;
  const options = sandbox(`email,name,password\n${accounts}`);
  const made = disturbed(async ({ request, serve }) => {
    if (request.method === "POST" && request.body?.includes("cora")) return answer(502, "");
    const { status, headers, text } = serve();
    return answer(status, text, headers);
  });
  for (const user of made.state.users.values()) user.can_create_users = true;
  const { outcomes, code } = await batch(["people.csv", ...fromColumn], { ...options, sandbox: made });
  expect(outcomes).toEqual(["1 unknown", "2 refused"]);
  expect(code).toBe(7);
});

test("one account is unchanged too, and the sentence says that its password stays", async () => {
  const command = [
    "users",
    "create",
    "--email",
    "cora@sandbox.example",
    "--full-name",
    "Cora Member",
    "--password-stdin",
  ];
  const { code, out } = await zulipctl(command, { ...sandbox(), input: `${secret}\n` });
  expect(out).toBe("cora@sandbox.example has an account with this name already; its password is not changed.\n");
  expect(code).toBe(0);
});

test.each([
  [words, "after --: users create in a batch requires --password-column or --random-password"],
  [[...words, "--password-stdin"], "after --: users create in a batch requires --password-column or --random-password"],
  [[...words, "--password-column", "pasword"], 'after --: people.csv has no column "pasword"\nDid you mean: password?'],
  [
    [...fromColumn, "--random-password"],
    "2 of 2 rows of people.csv are wrong; nothing was sent\n" +
      "  people.csv, line 2 and 1 other: --password-column cannot be combined with --random-password\n" +
      "Correct them, or skip them with --skip-invalid.",
  ],
  [
    [...words, "--password-column", "{password}"],
    "2 of 2 rows of people.csv are wrong; nothing was sent\n" +
      "  people.csv, line 2, column password: --password-column takes the name of a column, not its value\n" +
      "  people.csv, line 3, column password: --password-column takes the name of a column, not its value\n" +
      "    Write: --password-column password\n" +
      "Correct them, or skip them with --skip-invalid.",
  ],
])("%s is refused", async (command, message) => {
  const { code, err, changes } = await batch(["people.csv", ...command], sandbox());
  expect(err).toBe(`zulipctl: ${message}\n`);
  expect(code).toBe(2);
  expect(changes).toEqual([]);
});

test("an empty password is named, or skipped", async () => {
  const text = `email,name,password\nada@sandbox.example,Ada,\nbob@sandbox.example,Bob,${secret}\n`;
  const { code, err } = await batch(["people.csv", ...fromColumn], sandbox(text));
  expect(err).toContain("  people.csv, line 2, column password: the cell is empty\n");
  expect(code).toBe(2);
  const skipped = await batch(["people.csv", "--skip-empty", ...fromColumn], sandbox(text));
  expect(skipped.outcomes).toEqual(["1 skipped", "2 done"]);
  expect(skipped.code).toBe(0);
});

test("typed commands have no columns", async () => {
  const files = new Map([["x.lines", "users create --email a@x.example --full-name A --password-column password\n"]]);
  const { code, err } = await batch(["x.lines"], { ...sandbox(), files });
  expect(err).toContain("--password-column needs columns, and --format lines has none");
  expect(code).toBe(2);
});

/** Hints about the required role, from the operation and from the account's role if it is known. */
import { describe, expect, test } from "vitest";
import { routes } from "../../src/sandbox/index.ts";
import { fresh, zulipctl } from "../run.ts";

const api = "https://chat.example/api/v1";

describe("a refusal names the required role", () => {
  test.each([
    // The role is unknown.
    [["folder", "create", "x"], 300, "Must be an organization administrator", "Only administrators can do this."],
    [["export", "list"], 400, "Must be an organization administrator", "Only administrators can do this."],
    [
      ["channel", "update", "2", "--message-retention-days", "30", "--yes"],
      200,
      "Must be an organization owner",
      "Only owners can set how long messages are kept.",
    ],
    // The look-up of names returned the role.
    [
      ["users", "deactivate", "12", "--yes"],
      300,
      "Insufficient permission",
      "Only administrators can do this; this account is a moderator.",
    ],
    [
      ["users", "update", "me", "--role", "owner", "--yes"],
      200,
      "Must be an organization owner",
      "Only owners can give and take the role owner; this account is an administrator.",
    ],
    [
      ["users", "update", "12", "--role", "owner", "--yes"],
      200,
      "Must be an organization owner",
      "Only administrators can do this, and only owners can give and take the role owner.",
    ],
    [
      ["group", "members", "17", "--add", "me"],
      600,
      "Not allowed for guest users",
      "Only members can do this; this account is a guest.",
    ],
  ])("%j by %i", async (argv, as, message, hint) => {
    const { code, err } = await zulipctl(argv, { as });
    expect({ code, err }).toEqual({ code: 1, err: `zulipctl: ${message}\n${hint}\n` });
  });
});

describe("a permission that only the server's command line grants", () => {
  const create = ["users", "create", "--email", "ada@sandbox.example", "--full-name", "Ada", "--password-stdin"];
  const missing = (permission: string) =>
    `The permission ${permission} is missing: only the server's command line grants it, even to owners.`;

  test.each<[string[], number | undefined, string]>([
    [
      create,
      undefined,
      `User not authorized to create users\n${missing("can_create_users")} Invite people instead with: zulipctl invite add`,
    ],
    [
      ["users", "update", "12", "--email", "o@sandbox.example"],
      undefined,
      `User not authorized to change user emails\n${missing("can_change_user_emails")}`,
    ],
    [create, 400, "Must be an organization administrator\nOnly administrators can do this."],
    [["users", "update", "12", "--full-name", "a*b"], undefined, "Invalid characters in name!"],
    [["group", "members", "17", "--add", "me,11"], undefined, "User 11 is already a member of this group"],
  ])("explains only refusals that it causes: %j by %s", async (argv, as, message) => {
    const { err } = await zulipctl(argv, { input: "a-password\n", ...(as && { as }) });
    expect(err).toBe(`zulipctl: ${message}\n`);
  });

  test("does not explain a weak password", async () => {
    const sandbox = fresh();
    for (const user of sandbox.state.users.values()) user.can_create_users = true;
    expect((await zulipctl(create, { input: "a\n", sandbox })).err).toBe("zulipctl: The password is too weak.\n");
  });
});

test("no request is made for a hint", async () => {
  const { sent } = await zulipctl(["folder", "create", "x"], { as: 400 });
  expect(sent.map(({ method, url }) => `${method} ${url}`)).toEqual([`POST ${api}/channel_folders/create`]);
});

test("operations state the role that the sandbox requires", () => {
  const asked = routes.filter(({ rules: { who } }) => who && who !== "human");
  expect(asked.length).toBeGreaterThan(40);
  expect(
    asked.filter(({ rules, operation }) => operation.who?.role !== rules.who).map(({ operation }) => operation.name),
  ).toEqual([]);
});

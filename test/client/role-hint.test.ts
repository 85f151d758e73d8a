/** Who may, told beside a refusal: from the operation's own statement, and the account's role where it is known anyway. */
import { describe, expect, test } from "vitest";
import { routes } from "../../src/sandbox/index.ts";
import { fresh, zulipctl } from "../run.ts";

const api = "https://chat.example/api/v1";

describe("what a role lacks for is told", () => {
  test.each([
    // Nothing was read that tells the role.
    [["folder", "create", "x"], 300, "Must be an organization administrator", "Only administrators can do this."],
    [["export", "list"], 400, "Must be an organization administrator", "Only administrators can do this."],
    [
      ["channel", "update", "2", "--message-retention-days", "30", "--yes"],
      200,
      "Must be an organization owner",
      "Only owners can set how long messages are kept.",
    ],
    // The look-up of names has told it.
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

describe("a permission that the server's command line gives", () => {
  const create = ["users", "create", "--email", "ada@sandbox.example", "--full-name", "Ada", "--password-stdin"];

  test("is told of where it may be what lacks", async () => {
    const { code, err } = await zulipctl(create, { input: "a-password\n" });
    expect({ code, err }).toEqual({
      code: 1,
      err:
        "zulipctl: User not authorized to create users\nThe permission can_create_users is missing: only the server's command line grants it, even to owners. " +
        "Invite people instead with: zulipctl invite add\n",
    });
    const email = await zulipctl(["users", "update", "12", "--email", "o@sandbox.example"]);
    expect(email.err).toBe(
      "zulipctl: User not authorized to change user emails\nThe permission can_change_user_emails is missing: only the server's command line grants it, even to owners.\n",
    );
  });

  test("is not told where a role lacks, or the request has nothing to do with it", async () => {
    expect((await zulipctl(create, { input: "a-password\n", as: 400 })).err).toBe(
      "zulipctl: Must be an organization administrator\nOnly administrators can do this.\n",
    );
    const sandbox = fresh();
    for (const user of sandbox.state.users.values()) user.can_create_users = true;
    expect((await zulipctl(create, { input: "a\n", sandbox })).err).toBe("zulipctl: The password is too weak.\n");
    expect((await zulipctl(["users", "update", "12", "--full-name", "a*b"])).err).toBe(
      "zulipctl: Invalid characters in name!\n",
    );
  });
});

test("nothing is told of refusals that have another reason, whatever is known", async () => {
  const { err } = await zulipctl(["group", "members", "17", "--add", "me,11"]);
  expect(err).toBe("zulipctl: User 11 is already a member of this group\n");
});

test("no request is made to tell it", async () => {
  const { sent } = await zulipctl(["folder", "create", "x"], { as: 400 });
  expect(sent.map(({ method, url }) => `${method} ${url}`)).toEqual([`POST ${api}/channel_folders/create`]);
});

test("operations state the role that the sandbox asks for", () => {
  const asked = routes.filter(({ rules: { who } }) => who && who !== "human");
  expect(asked.length).toBeGreaterThan(40);
  expect(
    asked.filter(({ rules, operation }) => operation.who?.role !== rules.who).map(({ operation }) => operation.name),
  ).toEqual([]);
});

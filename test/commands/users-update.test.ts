/** `users update` and `users reactivate`: their questions and batches. */
import { describe, expect, test } from "vitest";
import { fresh, zulipctl, zulipctlAsking } from "../run.ts";

const api = "https://chat.example/api/v1";
/** An organization with two owners. */
function twoOwners() {
  const sandbox = fresh();
  sandbox.state.users.get(9)!.role = 100;
  return sandbox;
}

describe("users update asks", () => {
  test.each([
    ["12", "administrator", "Change the role of Otis Member from member to administrator"],
    ["12", "owner", "Change the role of Otis Member from member to owner"],
    ["9", "guest", "Change the role of Adam Admin from administrator to guest"],
  ])("before %s becomes %s", async (id, role, words) => {
    const argv = ["users", "update", id, "--role", role];
    expect(await zulipctl(argv)).toMatchObject({
      code: 2,
      err: `zulipctl: confirmation required: stdin is not a terminal. ${words} on chat.example? Pass --yes to confirm.\n`,
      sent: [...(role === "owner" ? [] : [{ url: `${api}/users/me` }]), { url: `${api}/users/${id}` }],
    });
    expect(await zulipctl(argv, { terminal: true, confirm: [false] })).toMatchObject({ code: 130 });
  });

  test("and reads no accounts with --yes or in a dry run", async () => {
    for (const flag of ["--yes", "--dry-run"]) {
      const { code, sent } = await zulipctl(["users", "update", "9", "--role", "member", flag]);
      const reads = sent.flatMap(({ method, url }) => (method === "GET" ? [url] : []));
      // The own account must be known.
      expect([code, reads]).toEqual([0, flag === "--yes" ? [`${api}/users/me`] : []]);
    }
  });

  test.each([
    ["12", "moderator"],
    ["10", "guest"],
    // The role stays.
    ["9", "administrator"],
  ])("nothing before %s becomes %s", async (id, role) => {
    expect((await zulipctl(["users", "update", id, "--role", role])).code).toBe(0);
  });

  test.each(["me", "8"])("for --allow-lockout before %s loses a role", async (who) => {
    const argv = ["users", "update", who, "--role", "member", "--yes"];
    const { code, err, sent } = await zulipctl(argv, { sandbox: twoOwners() });
    expect({ code, err, changes: sent.filter(({ method }) => method !== "GET") }).toEqual({
      code: 2,
      err: "zulipctl: your account would lose the role owner\nIf you mean it, add: --allow-lockout\n",
      changes: [],
    });
    expect(await zulipctl([...argv, "--allow-lockout"], { sandbox: twoOwners() })).toMatchObject({ code: 0 });
  });

  test("before an administrator is reactivated, and names the role", async () => {
    const sandbox = fresh();
    sandbox.state.users.get(15)!.role = 200;
    const asking = { sandbox, terminal: true, confirm: [false] };
    const { code, asked, sent } = await zulipctlAsking(["users", "reactivate", "15"], asking);
    expect({ code, asked, changes: sent.filter(({ method }) => method !== "GET") }).toEqual({
      code: 130,
      asked: ["Reactivate Dora Departed on chat.example? Dora Departed is an administrator."],
      changes: [],
    });
    expect(await zulipctl(["users", "reactivate", "15"], { sandbox })).toMatchObject({ code: 2 });
    expect(await zulipctl(["users", "reactivate", "15", "--yes"], { sandbox })).toMatchObject({ code: 0 });
    expect(await zulipctl(["users", "reactivate", "15"])).toMatchObject({ code: 0 });
  });

  test("once for a batch, with one read of all accounts", async () => {
    const input = "id,role\n12,moderator\n11,administrator\n9,member\n99,guest\n";
    const batch = ["batch", "-", "--format", "csv", "--", "users", "update", "{id}", "--role", "{role}"];
    const { code, err, sent } = await zulipctl(batch, { input });
    expect(code).toBe(2);
    expect(err).toContain(
      "Apply 4 rows to chat.example? 2 changes need confirmation: line 3: Change the role of Cora Member from member to administrator; line 4: Change the role of Adam Admin from administrator to member.",
    );
    expect(sent.map(({ method, url }) => `${method} ${url}`)).toEqual([`GET ${api}/users/me`, `GET ${api}/users`]);
    const yes = await zulipctl([...batch.slice(0, 4), "--yes", ...batch.slice(4)], { input });
    expect([yes.code, yes.sent.map(({ method }) => method)]).toEqual([5, ["GET", "PATCH", "PATCH", "PATCH", "PATCH"]]);
  });
});

test("in a batch, profile fields are read once, and columns are values", async () => {
  const input = "id,office,mentor\n11,Berlin,8\n12,Lisbon,\n";
  const flags = ["--profile-field", "Office={office}", "--profile-field", "Mentor={mentor?}"];
  const sandbox = fresh();
  const { code, sent } = await zulipctl(["batch", "-", "--format", "csv", "--", "users", "update", "{id}", ...flags], {
    sandbox,
    input,
  });
  expect(code).toBe(0);
  expect(sent.filter(({ url }) => url.endsWith("/realm/profile_fields")).length).toBe(1);
  expect([11, 12].map((id) => [...sandbox.state.users.get(id)!.profile].filter(([field]) => field > 2))).toEqual([
    [
      [3, "0"],
      [4, "[8]"],
    ],
    [[3, "1"]],
  ]);
});

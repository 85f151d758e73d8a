/** `users deactivate`: its questions, refusals and results. */
import { describe, expect, test } from "vitest";
import type { Sandbox } from "../../src/sandbox/index.ts";
import { fresh, zulipctl, zulipctlAsking } from "../run.ts";

const api = "https://chat.example/api/v1";
const wire = (sent: readonly { method: string; url: string; body?: string }[]) =>
  sent.map(({ method, url, body }) => `${method} ${url}${body ? ` ${body}` : ""}`);
const reads = [`GET ${api}/users`, `GET ${api}/users/me`];

/** Cora has a bot, two bots that are gone, and three invitations. */
function lively(): Sandbox {
  const sandbox = fresh();
  const { users, invitations } = sandbox.state;
  const beep = users.get(14)!;
  beep.bot_owner_id = 11;
  users.set(16, { ...beep, user_id: 16, full_name: "Boop Bot", delivery_email: "boop@sandbox.example" });
  users.set(17, {
    ...beep,
    user_id: 17,
    full_name: "Gone Bot",
    delivery_email: "gone@sandbox.example",
    is_active: false,
  });
  for (const id of [1, 2, 3, 4])
    invitations.push({
      id,
      email: `guest${id}@example.com`,
      key: "",
      invited_by_user_id: id === 4 ? 12 : 11,
      invited: 0,
      expiry_date: null,
      invited_as: 400,
      notify_referrer_on_join: false,
      revoked: false,
    });
  return sandbox;
}

test("users deactivate gives a record for each account, and continues after a refusal", async () => {
  const { code, out, err } = await zulipctl(["users", "deactivate", "15", "12", "-", "--yes", "--json"], {
    input: "99 13\n",
  });
  expect(code).toBe(5);
  expect(JSON.parse(out).map((each: Record<string, unknown>) => [each.target, each.outcome])).toEqual([
    ["15", "refused"],
    ["12", "done"],
    ["99", "refused"],
    ["13", "done"],
  ]);
  expect(JSON.parse(err).error.message).toContain("15: User is deactivated; 99: No such user");
  const one = await zulipctl(["users", "deactivate", "12", "--yes", "--json"]);
  expect(JSON.parse(one.out)).toEqual([{ operation: "users.deactivate", target: "12", outcome: "done", answer: {} }]);
});

describe("users deactivate asks", () => {
  const three = "guest1@example.com, guest2@example.com, guest3@example.com";
  test.each([
    [
      "cora@sandbox.example",
      "Cora Member and their 2 bots",
      ` The person is logged out everywhere. 3 invitations are revoked: ${three}.`,
    ],
    [
      "11 14",
      "2 accounts (Cora Member, Beep Bot) and their 1 bot",
      ` The person is logged out everywhere. 3 invitations are revoked: ${three}.`,
    ],
    [
      "11 12 13",
      "3 people (Cora Member, Otis Member, Gwen Guest) and their 2 bots",
      ` They are logged out everywhere. 4 invitations are revoked: ${three}, guest4@example.com.`,
    ],
    ["12", "Otis Member", " The person is logged out everywhere. 1 invitation is revoked: guest4@example.com."],
    ["13", "Gwen Guest", " The person is logged out everywhere."],
    ["14", "the bot Beep Bot", ""],
    ["14 16", "2 bots (Beep Bot, Boop Bot)", ""],
  ])("%s: Deactivate %s?%s", async (who, whom, consequence) => {
    const asking = { sandbox: lively(), terminal: true, confirm: [false] };
    const run = await zulipctlAsking(["users", "deactivate", ...who.split(" ")], asking);
    const question = `Deactivate ${whom} on chat.example?${consequence}`;
    expect({ code: run.code, asked: run.asked }).toEqual({ code: 130, asked: [question] });
    expect(wire(run.sent)).toEqual([...reads, ...(consequence ? [`GET ${api}/invites`] : [])]);
  });

  test("with fewer details without a terminal, and sends nothing", async () => {
    const { code, err, sent } = await zulipctl(["users", "deactivate", "11"], { sandbox: lively() });
    expect({ code, err }).toEqual({
      code: 2,
      err: "zulipctl: confirmation required: stdin is not a terminal. Deactivate Cora Member and their 2 bots on chat.example? The person is logged out everywhere. Pass --yes to confirm.\n",
    });
    expect(wire(sent)).toEqual(reads);
  });
});

test("users deactivate refuses all of several last owners, and allows one of two", async () => {
  const sandbox = fresh();
  sandbox.state.users.get(12)!.role = 100;
  // A bot of that role is no owner that an organization could do with.
  sandbox.state.users.get(14)!.role = 100;
  const { code, err } = await zulipctl(["users", "deactivate", "8", "12", "--yes"], { sandbox, as: 200 });
  expect([code, err.split("\n")[0]]).toEqual([
    2,
    "zulipctl: this would leave the organization without an owner: Iris Owner, Otis Member are the last",
  ]);
  expect((await zulipctl(["users", "deactivate", "12", "--yes"], { sandbox })).code).toBe(0);
});

/** What servers refuse to bots. */
import { expect, test } from "vitest";
import { fresh, zulipctl } from "../run.ts";

function asBot() {
  const sandbox = fresh();
  sandbox.state.users.get(14)!.role = 200;
  return { sandbox, as: "beep-bot@sandbox.example" };
}

test("a refusal says which request only people can make", async () => {
  const run = await zulipctl(["invite", "list"], asBot());
  expect(run.code).toBe(1);
  expect(run.err).toContain("Servers let only people make this request (GET /api/v1/invites), not bots");
});

test("org plan asks for invitations only if the file has some", async () => {
  const plan = (text: string) =>
    zulipctl(["org", "plan", "org.yaml"], { ...asBot(), files: new Map([["org.yaml", text]]) });
  const without = await plan("channels:\n  - name: design\n    description: x\n");
  expect(without).toMatchObject({ code: 0, out: expect.stringContaining("1 to change") });
  expect(without.sent.map(({ url }) => url).join()).not.toContain("/invites");
  const invites = await plan("people:\n  - email: new@sandbox.example\n    invite: true\n");
  expect(invites).toMatchObject({ code: 1, err: expect.stringContaining("use the key of a person") });
});

test("doctor says that the key is that of a bot", async () => {
  const run = await zulipctl(["doctor", "-o", "json"], asBot());
  expect(JSON.parse(run.out)).toContainEqual(expect.objectContaining({ check: "bot" }));
});

test("org apply asks for invitations only if the file has some", async () => {
  const apply = (text: string) =>
    zulipctl(["org", "apply", "org.yaml", "--yes"], { ...asBot(), files: new Map([["org.yaml", text]]) });
  const without = await apply("channels:\n  - name: design\n    description: x\n");
  expect(without).toMatchObject({ code: 0, err: expect.stringContaining("verified: everything is applied") });
  expect(without.sent.map(({ url }) => url).join()).not.toContain("/invites");
  const invites = await apply("people:\n  - email: new@sandbox.example\n    invite: true\n");
  expect(invites).toMatchObject({ code: 1, err: expect.stringContaining("use the key of a person") });
});

import { expect, test } from "vitest";
import { disturbance, parseFault } from "../../src/sandbox/index.ts";
import { fresh, zulipctl } from "../run.ts";

test("each address of a partly refused request has its own reason", async () => {
  const sandbox = fresh();
  const { code, out, err } = await zulipctl(["invite", "add", "Cora@sandbox.example", "ada@example.com", "--json"], {
    sandbox,
  });
  expect(code).toBe(5);
  expect(JSON.parse(out)).toMatchObject([
    {
      operation: "invite.add",
      target: "Cora@sandbox.example",
      outcome: "refused",
      error: { kind: "refused", message: "Already has an account.", code: "INVITATION_FAILED", outcome: "not_applied" },
    },
    { operation: "invite.add", target: "ada@example.com", outcome: "done" },
  ]);
  expect(JSON.parse(err).error).toMatchObject({ kind: "partial", done: 1, refused: 1 });
  expect(sandbox.state.invitations.map(({ email }) => email)).toEqual(["ada@example.com"]);
});

test("without an answer, the failure is that of the whole request", async () => {
  const sandbox = fresh({ disturb: disturbance([parseFault("502:op=invite.add")], async () => undefined) });
  const { code, out, err } = await zulipctl(["invite", "add", "ada@example.com,mary@example.com", "--json"], {
    sandbox,
  });
  expect(code).toBe(7);
  expect(JSON.parse(out).map(({ target, outcome }: Record<string, string>) => `${target} ${outcome}`)).toEqual([
    "ada@example.com unknown",
    "mary@example.com unknown",
  ]);
  expect(JSON.parse(err).error).toMatchObject({ outcome: "unknown", request: { path: "/api/v1/invites" } });
});

test("people who are already invited are named and skipped, whatever the case", async () => {
  const sandbox = fresh();
  await zulipctl(["invite", "add", "grace@example.com"], { sandbox });
  const argv = ["invite", "add", "Grace@Example.com", "ada@example.com", "--expires", "never"];
  const { out, sent } = await zulipctl([...argv, "--json"], { sandbox });
  expect(JSON.parse(out)).toEqual([
    { operation: "invite.add", target: "ada@example.com", outcome: "done", answer: {} },
    { operation: "invite.add", target: "Grace@Example.com", outcome: "done", unchanged: true },
  ]);
  expect(sent.at(-1)!.body).toBe(
    "invitee_emails=ada%40example.com&stream_ids=%5B%5D&invite_expires_in_minutes=null&include_realm_default_subscriptions=true",
  );
});

test("in a batch, a row skips people whom an earlier row invites", async () => {
  const sandbox = fresh();
  const files = new Map([
    ["new.csv", "address,role\nada@example.com,guest\nADA@example.com,member\nmary@example.com,\n"],
  ]);
  const argv = ["batch", "new.csv", "--json", "--", "invite", "add", "{address}", "--role", "{role?}"];
  const { code, out } = await zulipctl(argv, { sandbox, files });
  expect(code).toBe(0);
  expect(JSON.parse(out)).toMatchObject([
    { row: 1, outcome: "done" },
    { row: 2, outcome: "done", unchanged: true },
    { row: 3, outcome: "done" },
  ]);
  expect(sandbox.state.invitations.map(({ email, invited_as }) => `${email} ${invited_as}`)).toEqual([
    "ada@example.com 600",
    "mary@example.com 400",
  ]);
});

test("prints the ids of new invitations, which only the list has", async () => {
  const sandbox = fresh();
  const mails = await zulipctl(["invite", "add", "ada@example.com,mary@example.com", "-o", "ids"], { sandbox });
  expect(mails).toMatchObject({ code: 0, out: "email:1\nemail:2\n", err: "" });
  const link = await zulipctl(["invite", "link", "-o", "ids"], { sandbox });
  expect(link).toMatchObject({ code: 0, out: "link:1\n", err: "" });
});

test("succeeds if the ids of new invitations cannot be read", async () => {
  const sandbox = fresh({ disturb: disturbance([parseFault("502:op=invite.list")], async () => undefined) });
  const { code, out, err } = await zulipctl(["invite", "link", "-o", "ids"], { sandbox });
  expect({ code, out, err }).toEqual({ code: 0, out: "", err: "zulipctl: cannot read the ids of what was created\n" });
});

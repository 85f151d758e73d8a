/** Removals wait for additions. The last subscriber of a private channel is removed only after confirmation. */
import { describe, expect, test } from "vitest";
import { batch } from "../batch/rows.ts";
import { fresh, zulipctl, zulipctlAsking } from "../run.ts";

type Sandbox = ReturnType<typeof fresh>;
const subscribers = ({ state }: Sandbox, id = 1) =>
  [...(state.channels.get(id)?.subscribers ?? [])].sort((a, b) => a - b);
const changes = (sent: { method: string }[]) =>
  sent.filter(({ method }) => method !== "GET").map(({ method }) => method);

/** Channel 4 is private, and one person is left in it. */
function lonely(): Sandbox {
  const sandbox = fresh();
  const channel = sandbox.state.channels.get(4);
  if (!channel) throw new Error("there is no channel 4");
  channel.invite_only = true;
  channel.subscribers = new Set([8]);
  return sandbox;
}

describe("channel subscribers", () => {
  test.each([
    ["--set", ["--set", "8,9999", "--yes"]],
    ["--add with --delete", ["--add", "9999", "--delete", "11,12"]],
  ])("%s removes nobody if an addition is refused", async (_, flags) => {
    const sandbox = fresh();
    const before = subscribers(sandbox);
    const { code, err, sent } = await zulipctl(["channel", "subscribers", "design", ...flags], { sandbox });
    expect({ code, sent: changes(sent), left: subscribers(sandbox) }).toEqual({
      code: 1,
      sent: ["POST"],
      left: before,
    });
    expect(err).toContain("nothing was removed, because the addition before it was refused");
    const json = await zulipctl(["channel", "subscribers", "design", ...flags, "--json"], { sandbox });
    expect(JSON.parse(json.out).map(({ outcome }: { outcome: string }) => outcome)).toEqual(["refused", "not_sent"]);
  });

  test("removes nobody if the result of an addition is unknown", async () => {
    const sandbox = fresh();
    const http: Sandbox["handle"] = async (request, ...rest) => {
      if (request.method === "POST") return { status: 502, headers: {}, body: new Uint8Array() } as never;
      return sandbox.handle(request, ...rest);
    };
    const words = ["channel", "subscribers", "design", "--add", "9", "--delete", "11", "--json"];
    const { code, out, sent } = await zulipctl(words, { sandbox, http });
    expect({ code, sent: changes(sent) }).toEqual({ code: 7, sent: ["POST"] });
    expect(JSON.parse(out).map(({ outcome }: { outcome: string }) => outcome)).toEqual(["unknown", "not_sent"]);
  });

  test("asks before the last subscriber of a private channel is removed", async () => {
    const words = ["channel", "subscribers", "4", "--delete", "8"];
    const alone = await zulipctl(words, { sandbox: lonely() });
    expect({ code: alone.code, sent: changes(alone.sent) }).toEqual({ code: 2, sent: [] });
    expect(alone.err).toContain(
      'Remove the last subscriber of the private channel "4" on chat.example? Nobody can get in again.',
    );
    const sandbox = lonely();
    const asked = await zulipctlAsking(words, { sandbox, terminal: true, confirm: [true] });
    expect({ code: asked.code, asked: asked.asked.length, left: subscribers(sandbox, 4) }).toEqual({
      code: 0,
      asked: 1,
      left: [],
    });
    const confirmed = await zulipctl([...words, "--yes"], { sandbox: lonely() });
    expect({ code: confirmed.code, sent: confirmed.sent.map(({ method }) => method) }).toEqual({
      code: 0,
      sent: ["GET", "DELETE"],
    });
  });

  test.each([
    ["somebody stays", ["--delete", "9"]],
    ["somebody comes", ["--delete", "8", "--add", "9"]],
  ])("does not ask if %s", async (_, flags) => {
    const { code } = await zulipctl(["channel", "subscribers", "4", ...flags], { sandbox: lonely() });
    expect(code).toBe(0);
  });
});

describe("a row of a batch", () => {
  const words = ["--", "channel", "subscribers", "{channel}", "--add", "{add}", "--delete", "{delete}"];
  const run = (text: string, sandbox = fresh()) =>
    batch(["rows.csv", ...words], { sandbox, files: new Map([["rows.csv", `channel,add,delete\n${text}`]]) });

  test("removes nobody if its addition is refused, and other rows continue", async () => {
    const sandbox = fresh();
    const { outcomes, changes, code } = await run("design,9999,11\nstaff,9,8\n", sandbox);
    expect({ outcomes, code, methods: changes.map((each) => each.split(" ")[0]) }).toEqual({
      outcomes: ["1 refused", "2 done"],
      code: 5,
      methods: ["POST", "POST", "DELETE"],
    });
    expect(subscribers(sandbox)).toContain(11);
  });

  test("reports the addition if its removal is refused", async () => {
    const { records, code } = await run("design,9,9999\n");
    expect(code).toBe(5);
    expect(records).toMatchObject([
      { outcome: "refused", answer: [{ subscribed: { 9: ["design"] } }, null], error: { kind: "partial" } },
    ]);
    expect(records[0]?.error?.message).toContain('Done: Updated channel "design": 1 subscriber added.');
  });
});

describe("org apply", () => {
  test("removes no subscriber if an addition is refused", async () => {
    const sandbox = fresh();
    sandbox.state.channels.get(1)?.subscribers.delete(9);
    const before = subscribers(sandbox);
    // One of the added people is unknown by then.
    const http: Sandbox["handle"] = (request, ...rest) =>
      sandbox.handle({ ...request, body: request.body?.replace("principals=%5B9", "principals=%5B9999%2C9") }, ...rest);
    const files = new Map([["o.yaml", "channels: [{ name: design, subscribers: [adam@sandbox.example] }]\n"]]);
    const words = ["org", "apply", "o.yaml", "--yes", "--max-removals", "50"];
    const { code, out, sent } = await zulipctl(words, { sandbox, files, http });
    const subscribing = sent.filter(({ url }) => url.endsWith("/users/me/subscriptions"));
    expect({ code, sent: changes(subscribing), left: subscribers(sandbox) }).toEqual({
      code: 1,
      sent: ["POST"],
      left: before,
    });
    expect(out).toContain("it needs an earlier change of channel design, which was refused");
  });
});

/** `channel create`: one verb on two calls, by the server's level. */
import { describe, expect, test } from "vitest";
import { fresh, zulipctl } from "../run.ts";

describe("below level 417", () => {
  const level = 416;

  test("subscribes the caller without --subscribe, and prints a note", async () => {
    const sandbox = fresh({ level });
    const told = await zulipctl(["channel", "create", "plans"], { sandbox });
    expect(told).toMatchObject({
      code: 0,
      out: "Created channel 8.\n",
      err: "zulipctl: without --subscribe chat.example (feature level 416) subscribes you to the channel that you create\n",
    });
    expect([...sandbox.state.channels.get(8)!.subscribers]).toEqual([8]);
    const named = await zulipctl(["channel", "create", "other", "--subscribe", "9"], { sandbox });
    expect(named).toMatchObject({ code: 0, err: "" });
    expect([...sandbox.state.channels.get(9)!.subscribers]).toEqual([9]);
  });

  test.each([
    ["design", 1],
    ["attic", 7],
    ["staff", 4],
  ])('a channel of that name, archived and private ones too, is a refusal: "%s"', async (name, id) => {
    const sandbox = fresh({ level });
    const before = structuredClone(sandbox.state.channels);
    const { code, out, err, sent } = await zulipctl(["channel", "create", name, "--subscribe", "11", "--json"], {
      sandbox,
    });
    expect({ code, out }).toEqual({ code: 1, out: "" });
    expect(JSON.parse(err).error).toEqual({
      exit_code: 1,
      kind: "refused",
      message: `channel "${name}" already exists (${id})`,
      outcome: "not_sent",
      hint: "chat.example, below feature level 417, would subscribe people to that one.",
    });
    expect(sent.every(({ method }) => method === "GET")).toBe(true);
    expect(sandbox.state.channels).toEqual(before);
  });

  /** A server on which somebody else creates the channel just before this account. */
  const outrun = (name: string, subscribers: number[]) => {
    const sandbox = fresh({ level });
    const { state } = sandbox;
    const http: typeof sandbox.handle = (request, ...rest) => {
      if (request.method === "POST" && !state.channels.has(8))
        state.channels.set(8, { ...state.channels.get(1)!, stream_id: 8, name, subscribers: new Set(subscribers) });
      return sandbox.handle(request, ...rest);
    };
    return { sandbox, http };
  };

  test.each([
    ["ev-secret", [9]],
    ["ev-ſecret", [8]],
  ])("a channel %j that was made meanwhile is no new one, and nothing more is sent about it", async (name, there) => {
    const asked = "ev-ſecret";
    const { sandbox, http } = outrun(name, there);
    const { code, out, err, sent } = await zulipctl(["channel", "create", asked, "--quiet", "--json"], {
      sandbox,
      http,
    });
    expect({ code, out }).toEqual({ code: 5, out: "" });
    expect(JSON.parse(err).error).toEqual({
      exit_code: 5,
      kind: "partial",
      message: `channel "${name}" existed already: nothing was created, and people may have been subscribed to it`,
      outcome: "unknown",
      existed: name,
      hint: `See who is in it: zulipctl channel subscribers ${name === asked ? `'${name}'` : name}`,
    });
    expect(sent.map(({ method }) => method)).toEqual(["GET", "POST"]);
  });

  test("an id that cannot be read causes a notice", async () => {
    const sandbox = fresh({ level });
    const argv = ["channel", "create", "plans", "--private", "--subscribe", "cora@sandbox.example"];
    expect(await zulipctl(argv, { sandbox })).toMatchObject({
      code: 0,
      out: "Created channel.\n",
      err: "zulipctl: the id of channel plans could not be read\n",
    });
    expect(sandbox.state.channels.get(8)?.name).toBe("plans");
    expect(await zulipctl([...argv, "--json"], { level })).toMatchObject({ code: 0, out: "{}\n" });
    expect(await zulipctl([...argv, "-o", "ids"], { level })).toMatchObject({ code: 0, out: "" });
  });

  test("rows of a batch that create the same channel subscribe nobody to it, and the note is said once", async () => {
    const sandbox = fresh({ level });
    const input = "name\none\ndesign\nONE\ntwo\n";
    const { code, out, err } = await zulipctl(
      ["batch", "-", "--format", "csv", "-o", "json", "--", "channel", "create", "{name}"],
      { sandbox, input },
    );
    expect(code).toBe(5);
    const rows = JSON.parse(out).map(
      ({ outcome, answer, error }: { [member: string]: { id?: number; message?: string } }) => [
        outcome,
        answer?.id ?? error?.message,
      ],
    );
    expect(rows).toEqual([
      ["done", 8],
      ["refused", 'channel "design" already exists (1)'],
      ["refused", 'channel "ONE" already exists (8)'],
      ["done", 9],
    ]);
    expect(err.match(/without --subscribe/g)).toHaveLength(1);
    expect([...sandbox.state.channels.get(1)!.subscribers]).toHaveLength(4);
  });
});

test("a permission that servers do not store for a new channel is refused", async () => {
  const permissions = ["--can-delete-any-message-group", "nobody", "--can-create-topic-group", "9"];
  expect(await zulipctl(["channel", "create", "x", ...permissions])).toMatchObject({
    code: 1,
    err:
      "zulipctl: servers ignore --can-delete-any-message-group and --can-create-topic-group when they create a channel" +
      "\nCreate it without; then: " +
      "zulipctl channel update <id> --can-delete-any-message-group … --can-create-topic-group …\n",
    sent: [],
  });
});

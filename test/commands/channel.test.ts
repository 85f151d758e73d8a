import { describe, expect, test } from "vitest";
import { fresh, zulipctl } from "../run.ts";

const record = async (sandbox: ReturnType<typeof fresh>, stream_id: number) => {
  const { out } = await zulipctl(["channel", "list", "--archived", "--json"], { sandbox });
  return JSON.parse(out).find((each: { stream_id: number }) => each.stream_id === stream_id);
};

describe("channel update asks before", () => {
  const changes = (sent: { method: string }[]) => sent.filter(({ method }) => method !== "GET");

  test.each([
    ["--web-public", "makes it readable without an account.", "is_web_public set to true"],
    ["--no-private", "opens it to everybody but guests.", "is_private set to false"],
    ["--message-retention-days 1", "deletes messages older than 1 day.", "message_retention_days set to 1 day"],
    [
      "--no-private --message-retention-days 30",
      "opens it to everybody but guests, and deletes messages older than 30 days.",
      "is_private set to false; message_retention_days set to 30 days",
    ],
  ])("%s", async (flags, effect, set) => {
    const argv = ["channel", "update", "general", ...flags.split(" ")];
    const scripted = await zulipctl(argv);
    expect({ ...scripted, sent: changes(scripted.sent) }).toEqual({
      code: 2,
      out: "",
      err: `zulipctl: confirmation required: stdin is not a terminal. Update channel "general" on chat.example? This ${effect} Pass --yes to confirm.\n`,
      sent: [],
    });
    const declined = await zulipctl(argv, { terminal: true, confirm: [false] });
    expect({ code: declined.code, changes: changes(declined.sent) }).toEqual({ code: 130, changes: [] });
    expect(await zulipctl([...argv, "--yes"])).toMatchObject({ code: 0, out: `Updated channel "general": ${set}.\n` });
  });

  test("for the organization's retention if that is shorter", async () => {
    const sandbox = fresh();
    sandbox.state.organization.settings.message_retention_days = 30;
    sandbox.state.channels.get(1)!.message_retention_days = -1;
    const argv = ["channel", "update", "design", "--message-retention-days", "realm_default"];
    const { code, err } = await zulipctl(argv, { sandbox });
    expect(code).toBe(2);
    expect(err).toContain('Update channel "design" on chat.example? This deletes messages older than 30 days.');
    sandbox.state.channels.get(1)!.message_retention_days = 7;
    expect((await zulipctl(argv, { sandbox })).code).toBe(0);
  });

  test.each([[["--private"]], [["--no-web-public"]], [["--message-retention-days", "unlimited"]]])(
    "but not before %j",
    async (flags) => expect(await zulipctl(["channel", "update", "design", ...flags])).toMatchObject({ code: 0 }),
  );
});

describe("channel update, refused,", () => {
  test("quotes the server in JSON with the outcome not_applied", async () => {
    const { err } = await zulipctl(["channel", "update", "99", "--default", "--json"]);
    expect(JSON.parse(err)).toEqual({
      error: {
        exit_code: 1,
        kind: "refused",
        message: "Invalid channel ID",
        code: "BAD_REQUEST",
        http_status: 400,
        request: { method: "PATCH", path: "/api/v1/streams/99" },
        outcome: "not_applied",
      },
    });
  });

  test("with several parameters names the parts that may be applied, and the command to check with", async () => {
    const sandbox = fresh();
    const flags = ["--description", "new", "--can-subscribe-group", "15", "--expect", "can_subscribe_group=14"];
    const { code, err } = await zulipctl(["channel", "update", "general", ...flags, "--json"], { sandbox });
    expect(code).toBe(6);
    expect(JSON.parse(err).error).toEqual({
      exit_code: 6,
      kind: "conflict",
      message:
        "'old' value does not match the expected value. " +
        "Earlier parts may have been applied, in this order: description, can_subscribe_group",
      code: "EXPECTATION_MISMATCH",
      http_status: 400,
      request: { method: "PATCH", path: "/api/v1/streams/2" },
      outcome: "maybe_partial",
      field_name: "old",
      parameters: ["description", "can_subscribe_group"],
      hint: "Check with: zulipctl channel show 2",
    });
    expect((await record(sandbox, 2)).description).toBe("new");
  });
});

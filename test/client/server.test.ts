import { describe, expect, test } from "vitest";
import { removeAttachment } from "../../src/api/attachments.ts";
import { updateChannel } from "../../src/api/channels.ts";
import { createExport } from "../../src/api/exports.ts";
import { createFolder, getFolders } from "../../src/api/folders.ts";
import { getLinkifiers } from "../../src/api/linkifiers.ts";
import { fetchKey } from "../../src/api/server.ts";
import { RetryBudget } from "../../src/client/retry.ts";
import { call } from "../../src/wire/call.ts";
import { NoAnswer } from "../../src/world/world.ts";
import { answer } from "../world.ts";
import { failureOf, refusal, scripted, success } from "./scripted.ts";

const settings = (level: number) => answer(200, { ...success, zulip_version: "x", zulip_feature_level: level });
const removeCall = (attachment_id = 3) => call(removeAttachment, { attachment_id });

test("traces each request and answer, without password and key", async () => {
  const trace: string[] = [];
  const { server } = scripted(
    [
      answer(200, { ...success, linkifiers: [{ pattern: "x".repeat(600), url_template: "y", id: 1 }] }),
      answer(400, refusal("No such user")),
      answer(200, { ...success, api_key: "K".repeat(32), email: "ada@chat.example", user_id: 7 }),
    ],
    { trace: (line) => trace.push(line) },
  );
  await server.call(getLinkifiers, {});
  await failureOf(server.call(removeAttachment, { attachment_id: 3 }));
  await server.call(fetchKey, { username: "ada", password: "secret1" });
  expect(trace).toEqual([
    "> GET https://chat.example/api/v1/realm/linkifiers",
    `< 200 {"linkifiers":[{"pattern":"${"x".repeat(472)}…`,
    "> DELETE https://chat.example/api/v1/attachments/3",
    "< 400 BAD_REQUEST No such user",
    "> POST https://chat.example/api/v1/fetch_api_key username=ada&password=[secret]",
    '< 200 {"api_key":"[secret]","email":"ada@chat.example","user_id":7}',
  ]);
});

test("sends credentials, its name and what it accepts", async () => {
  const { server, world } = scripted([answer(200, { ...success, linkifiers: [] })]);
  await server.call(getLinkifiers, {});
  expect(world.sent).toMatchObject([
    {
      method: "GET",
      url: "https://chat.example/api/v1/realm/linkifiers",
      headers: {
        authorization: `Basic ${Buffer.from(`ada@chat.example:${"k".repeat(32)}`).toString("base64")}`,
        accept: "application/json",
        "accept-language": "en",
        "user-agent": "zulipctl/0.0.0-test (test)",
      },
      timeout: 30_000,
    },
  ]);
});

describe("retrying", () => {
  const rateLimited = (seconds: number, headers = {}) =>
    answer(429, refusal("API usage exceeded rate limit", "RATE_LIMIT_HIT", { "retry-after": seconds }), headers);

  test("a short 429 delays a command no longer, even if headers promised more", async () => {
    const reset = String(Date.UTC(2026, 0, 15, 12) / 1000 + 60);
    const plenty = { "x-ratelimit-limit": "200", "x-ratelimit-remaining": "198", "x-ratelimit-reset": reset };
    const first = answer(200, { ...success, linkifiers: [] }, plenty);
    const { server, world } = scripted([first, rateLimited(0.1, plenty), answer(200, success, plenty)]);
    await server.call(getLinkifiers, {});
    await server.deliver(removeCall());
    expect(world.slept.reduce((sum, ms) => sum + ms, 0)).toBeLessThan(500);
  });

  test("the waits of all requests together stay within --max-wait", async () => {
    const retryBudget = new RetryBudget(3000);
    const { server, world } = scripted([rateLimited(2), answer(200, success), rateLimited(2)], { retryBudget });
    await server.deliver(removeCall());
    expect(await failureOf(server.deliver(removeCall(4)))).toMatchObject({
      exitCode: 4,
      message:
        'chat.example refuses more requests for now (429 "API usage exceeded rate limit"); it asks to wait 2 seconds',
      details: { outcome: "not_applied", code: "RATE_LIMIT_HIT", httpStatus: 429 },
    });
    expect(world.slept).toEqual([2150]);
  });

  test("after a 429 with a longer wait than --max-wait, the next request is not sent", async () => {
    const { server, world } = scripted([rateLimited(5)], { retryBudget: new RetryBudget(3000) });
    await failureOf(server.deliver(removeCall()));
    expect(await failureOf(server.deliver(removeCall(4)))).toMatchObject({
      exitCode: 4,
      message: "chat.example takes the next request of this account in 5 s, longer than --max-wait",
      details: { outcome: "not_sent" },
    });
    expect(world.sent).toHaveLength(1);
  });

  test("repeats a read after each failure of the connection and of a gateway", async () => {
    const failures = [new NoAnswer("refused", "refused", false), new NoAnswer("reset", "reset", true)];
    const { server, world } = scripted([
      ...failures,
      answer(502, "<html>"),
      answer(200, { ...success, linkifiers: [] }),
    ]);
    await server.call(getLinkifiers, {});
    expect(world.slept).toEqual([500, 1000, 2000]);
  });

  test("repeats a change while nothing is sent", async () => {
    const connectionRefused = () => new NoAnswer("connection refused", "refused", false);
    const { server, world } = scripted([
      connectionRefused(),
      connectionRefused(),
      connectionRefused(),
      connectionRefused(),
    ]);
    expect(await failureOf(server.deliver(removeCall()))).toMatchObject({
      exitCode: 4,
      message: "no answer from chat.example: connection refused; nothing was sent",
      details: { outcome: "not_sent" },
    });
    expect(world.sent).toHaveLength(4);
  });
});

describe("an answer", () => {
  const maybe = "; the change may or may not have been applied";
  test.each([
    [400, refusal("mismatch", "EXPECTATION_MISMATCH"), 6, "mismatch", "not_applied"],
    [401, refusal("Invalid API key", "UNAUTHORIZED"), 3, "Invalid API key", "not_applied"],
    [500, refusal("Internal error"), 7, `chat.example answered 500 with "Internal error"${maybe}`, "unknown"],
    [200, "<h1>Log in</h1>", 7, `chat.example answered 200 with "Log in"${maybe}`, "unknown"],
    [403, "<html>VPN</html>", 4, 'chat.example answered 403 with "VPN"', "not_applied"],
    [302, "", 4, "chat.example answered 302 with a redirect", "not_applied"],
  ])("%i %j to a change ends with %i", async (status, body, exitCode, message, outcome) => {
    const failure = await failureOf(scripted([answer(status, body)]).server.deliver(removeCall()));
    expect(failure).toMatchObject({ exitCode, message, details: { outcome } });
  });

  test("that is missing leaves the outcome unknown, and the hint says how to check", async () => {
    const { server, world } = scripted([new NoAnswer("connection reset", "reset", true)]);
    expect(await failureOf(server.deliver(removeCall(), { verifyWith: "zulipctl attachment list" }))).toMatchObject({
      exitCode: 7,
      message: `no answer from chat.example: connection reset${maybe}`,
      details: { outcome: "unknown", hint: "Check with: zulipctl attachment list" },
    });
    expect(world.sent).toHaveLength(1);
  });

  test.each([
    [200, { ...success, linkifiers: {} }, "with an answer of another shape (linkifiers: must be a list)"],
    [500, "oops", 'with "oops"'],
  ])("%i %j to a read ends with 4", async (status, body, said) => {
    const message = `chat.example answered ${status} ${said}`;
    const { server, world } = scripted(Array.from({ length: 4 }, () => answer(status, body)));
    expect(await failureOf(server.call(getLinkifiers, {}))).toMatchObject({
      exitCode: 4,
      message,
      details: { outcome: undefined },
    });
    expect(world.sent).toHaveLength(status === 500 ? 4 : 1);
  });

  const update = { stream_id: 7, description: "d", new_name: "n" };

  test.each([
    [400, 7, "unknown"],
    [409, 7, "unknown"],
    [401, 4, "not_applied"],
    [404, 4, "not_applied"],
    [429, 4, "not_applied"],
    [500, 7, "unknown"],
  ])("%i that is cut short ends a channel update with %i", async (status, exitCode, outcome) => {
    async function* body() {
      yield Buffer.from('{"result":"err');
      throw new NoAnswer("its answer ends too early", "cut", true);
    }
    const options = { level: 442, retryBudget: new RetryBudget(0) };
    const { server, world } = scripted([{ ...answer(status, ""), body: body() }], options);
    const failure = await failureOf(server.deliver(call(updateChannel, update)));
    expect(failure).toMatchObject({ exitCode, details: { outcome } });
    expect(world.sent).toHaveLength(1);
  });

  test.each([
    [
      update,
      "maybe_partial",
      "Channel name is already in use. Earlier parts may have been applied, in this order: description, new_name",
    ],
    [{ stream_id: 7, new_name: "n" }, "not_applied", "Channel name is already in use."],
  ])("that refuses the channel update %j leaves it %s", async (args, outcome, message) => {
    const { server } = scripted([settings(371), answer(400, refusal("Channel name is already in use."))]);
    const failure = await failureOf(server.deliver(call(updateChannel, args)));
    expect(failure).toMatchObject({ exitCode: 1, message, details: { outcome } });
  });
});

describe("the feature level", () => {
  const paths = (sent: { url: string }[]) => sent.map(({ url }) => new URL(url).pathname.slice("/api/v1/".length));

  test("below the level of a flag refuses the change before it is sent", async () => {
    const { server, world } = scripted([settings(371)]);
    const change = call(updateChannel, { stream_id: 7, folder_id: 3 });
    expect(await failureOf(server.deliver(change, { flags: { folder_id: "--folder" } }))).toMatchObject({
      exitCode: 1,
      message: "--folder requires feature level 389; chat.example has level 371",
      details: { outcome: "not_sent" },
    });
    expect(paths(world.sent)).toEqual(["server_settings"]);
  });

  test("is cached for a day, and read again before it refuses anything", async () => {
    const first = scripted([settings(371), answer(400, refusal("x"))]);
    await failureOf(first.server.deliver(call(createExport, { export_type: "public" })));
    const later = scripted([settings(442), answer(200, { ...success, channel_folder_id: 9 })]);
    for (const [path, text] of first.world.files.content) later.world.files.content.set(path, text);
    await later.server.deliver(call(createFolder, { name: "a", description: "" }));
    expect(paths(later.world.sent)).toEqual(["server_settings", "channel_folders/create"]);
  });

  test("is not read with --feature-level", async () => {
    const { server, world } = scripted([answer(200, success)], { level: 449 });
    await server.deliver(call(createExport, { export_type: "full_with_consent" }));
    expect(world.sent.map(({ url, body }) => `${url} ${body}`)).toEqual([
      "https://chat.example/api/v1/export/realm export_type=full_with_consent",
    ]);
  });

  test("is read only after a refused list, to explain the refusal", async () => {
    const { server, world } = scripted([answer(404, "<html>"), settings(380)]);
    expect(await failureOf(server.call(getFolders, {}, { command: "folder list" }))).toMatchObject({
      exitCode: 1,
      message: "folder list requires feature level 389; chat.example has level 380",
    });
    expect(paths(world.sent)).toEqual(["channel_folders", "server_settings"]);
  });
});

test("an untrusted certificate is reported with the way to trust it", async () => {
  const { server } = scripted([new NoAnswer("no secure connection: self-signed certificate", "tls", false)]);
  expect(await failureOf(server.call(getLinkifiers, {}))).toMatchObject({
    exitCode: 4,
    message: "no answer from chat.example: no secure connection: self-signed certificate",
    details: { hint: "Trust a private certificate authority with --ca-file <file>." },
  });
});

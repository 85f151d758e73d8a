import { describe, expect, test } from "vitest";
import { removeAttachment } from "../../src/api/attachments.ts";
import { updateChannel } from "../../src/api/channels.ts";
import { createExport } from "../../src/api/exports.ts";
import { createFolder, getFolders } from "../../src/api/folders.ts";
import { getLinkifiers } from "../../src/api/linkifiers.ts";
import { fetchKey } from "../../src/api/server.ts";
import { getUsers } from "../../src/api/users.ts";
import { RetryBudget } from "../../src/client/retry.ts";
import type { ServerOptions } from "../../src/client/sending.ts";
import { Server } from "../../src/client/server.ts";
import type { Failure } from "../../src/errors.ts";
import { call } from "../../src/wire/call.ts";
import { type Http, NoAnswer, Secret } from "../../src/world.ts";
import { answer, testWorld } from "../world.ts";

const ok = { result: "success", msg: "" };
const no = (msg: string, code = "BAD_REQUEST", more = {}) => ({ result: "error", msg, code, ...more });
const settings = (level: number) => ({ ...ok, zulip_version: "x", zulip_feature_level: level });

/** A server that gives these answers in order. */
function server(answers: (ReturnType<typeof answer> | NoAnswer)[], manner: Partial<ServerOptions> = {}) {
  const http: Http = async () => {
    const next = answers.shift();
    if (!next) throw new Error("no answer left");
    if (next instanceof NoAnswer) throw next;
    return next;
  };
  const world = testWorld({ http });
  const account = {
    site: "https://chat.example",
    email: "ada@chat.example",
    tls: {},
    key: async () => new Secret("k".repeat(32)),
  };
  const made = new Server(world, account, {
    timeout: 30_000,
    retryBudget: new RetryBudget(120_000),
    allowIgnored: false,
    grace: 2000,
    ...manner,
  });
  return { world, server: made };
}

const fault = async (work: Promise<unknown>): Promise<Failure> =>
  work.then(
    (value) => Promise.reject(new Error(`no failure but ${JSON.stringify(value)}`)),
    (failure) => failure,
  );

test("each request and answer is traced, without password and key", async () => {
  const said: string[] = [];
  const { server: s } = server(
    [
      answer(200, { ...ok, linkifiers: [{ pattern: "x".repeat(600), url_template: "y", id: 1 }] }),
      answer(400, no("No such user")),
      answer(200, { ...ok, api_key: "K".repeat(32), email: "ada@chat.example", user_id: 7 }),
    ],
    { trace: (line) => said.push(line) },
  );
  await s.call(getLinkifiers, {});
  await fault(s.call(removeAttachment, { attachment_id: 3 }));
  await s.call(fetchKey, { username: "ada", password: "secret1" });
  expect(said).toEqual([
    "> GET https://chat.example/api/v1/realm/linkifiers",
    `< 200 {"linkifiers":[{"pattern":"${"x".repeat(473)}…`,
    "> DELETE https://chat.example/api/v1/attachments/3",
    "< 400 BAD_REQUEST No such user",
    "> POST https://chat.example/api/v1/fetch_api_key username=ada&password=[secret]",
    '< 200 {"api_key":"[secret]","email":"ada@chat.example","user_id":7}',
  ]);
});

test("a request carries credentials, a name and what it accepts", async () => {
  const { server: s, world } = server([answer(200, { ...ok, linkifiers: [] })]);
  await s.call(getLinkifiers, {});
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

describe("waiting and trying again", () => {
  const refused = new NoAnswer("connection refused", "refused", false);
  const reset = new NoAnswer("connection reset", "reset", true);
  const limited = (seconds: number) =>
    answer(429, no("API usage exceeded rate limit", "RATE_LIMIT_HIT", { "retry-after": seconds }));

  test("a 429 that says to wait a moment holds a command up no longer, whatever the headers said before", async () => {
    const reset = String(Date.UTC(2026, 0, 15, 12) / 1000 + 60);
    const plenty = { "x-ratelimit-limit": "200", "x-ratelimit-remaining": "198", "x-ratelimit-reset": reset };
    const { server: s, world } = server([
      answer(200, { ...ok, linkifiers: [] }, plenty),
      answer(429, no("slow down", "RATE_LIMIT_HIT", { "retry-after": 0.1 }), plenty),
      answer(200, ok, plenty),
    ]);
    await s.call(getLinkifiers, {});
    await s.deliver(call(removeAttachment, { attachment_id: 3 }));
    expect(world.slept.reduce((sum, ms) => sum + ms, 0)).toBeLessThan(500);
  });

  test("the waits of all requests together stay within --max-wait", async () => {
    const { server: s, world } = server([limited(2), answer(200, ok), limited(2)], {
      retryBudget: new RetryBudget(3000),
    });
    await s.deliver(call(removeAttachment, { attachment_id: 3 }));
    expect(await fault(s.deliver(call(removeAttachment, { attachment_id: 4 })))).toMatchObject({
      exitCode: 4,
      message:
        'chat.example refuses more requests for now (429 "API usage exceeded rate limit"); it asks to wait 2 seconds',
      details: { outcome: "not_applied", code: "RATE_LIMIT_HIT", httpStatus: 429 },
    });
    expect(world.slept).toEqual([2150]);
  });

  test("reads are tried four times in all, with growing pauses", async () => {
    const { server: s, world } = server([
      refused,
      reset,
      answer(502, "<html>"),
      answer(200, { ...ok, linkifiers: [] }),
    ]);
    await s.call(getLinkifiers, {});
    expect(world.slept).toEqual([500, 1000, 2000]);
  });

  test("changes are sent again only where nothing left this machine", async () => {
    const { server: s, world } = server([refused, refused, refused, refused]);
    expect(await fault(s.deliver(call(removeAttachment, { attachment_id: 3 })))).toMatchObject({
      exitCode: 4,
      details: { outcome: "not_sent" },
    });
    expect(world.sent).toHaveLength(4);
    const other = server([reset]);
    expect(
      await fault(
        other.server.deliver(call(removeAttachment, { attachment_id: 3 }), { verifyWith: "zulipctl attachment list" }),
      ),
    ).toMatchObject({
      exitCode: 7,
      message: "no answer from chat.example: connection reset; the change may or may not have been applied",
      details: { outcome: "unknown", hint: "Check with: zulipctl attachment list" },
    });
    expect(other.world.sent).toHaveLength(1);
  });
});

describe("what an answer amounts to", () => {
  const change = (status: number, body: unknown) =>
    fault(server([answer(status, body)]).server.deliver(call(removeAttachment, { attachment_id: 3 })));
  const read = (status: number, body: unknown, headers = {}) =>
    fault(server([answer(status, body, headers)]).server.call(getLinkifiers, {}));

  test.each([
    [400, no("Invalid attachment"), 1, "Invalid attachment", "not_applied"],
    [401, no("Invalid API key", "UNAUTHORIZED"), 3, "Invalid API key", "not_applied"],
    [400, no("mismatch", "EXPECTATION_MISMATCH"), 6, "mismatch", "not_applied"],
    [
      500,
      { result: "error", msg: "Internal server error" },
      7,
      'chat.example answered 500 with "Internal server error"; the change may or may not have been applied',
      "unknown",
    ],
    [
      200,
      "<html><h1>Log in</h1>",
      7,
      'chat.example answered 200 with "Log in"; the change may or may not have been applied',
      "unknown",
    ],
    [403, "<html>VPN</html>", 4, 'chat.example answered 403 with "VPN"', "not_applied"],
    [302, "", 4, "chat.example answered 302 with a redirect", "not_applied"],
  ])("a change answered %i %j ends with %i", async (status, body, exitCode, message, outcome) => {
    expect(await change(status, body)).toMatchObject({ exitCode, message, details: { outcome } });
  });

  test.each([
    [
      200,
      { ...ok, linkifiers: {} },
      4,
      "chat.example answered 200 with an answer of another shape (linkifiers: must be a list)",
    ],
    [200, { a: 1 }, 4, "chat.example answered 200 with JSON that is not this API's"],
    [500, "oops", 4, 'chat.example answered 500 with "oops"'],
  ])("a read answered %i %j ends with %i", async (status, body, exitCode, message) => {
    expect(await read(status, body)).toMatchObject({ exitCode, message, details: { outcome: undefined } });
  });

  /** It breaks off within its body. */
  const cut = (status: number) => ({
    ...answer(status, ""),
    body: (async function* () {
      yield Buffer.from('{"result":"err');
      throw new NoAnswer("its answer ends too early", "cut", true);
    })(),
  });

  test.each([
    [400, 7, "unknown"],
    [409, 7, "unknown"],
    [401, 4, "not_applied"],
    [404, 4, "not_applied"],
    [429, 4, "not_applied"],
    [500, 7, "unknown"],
  ])(
    "of a channel update refused with %i the status tells also where the words are cut off",
    async (status, exitCode, outcome) => {
      const { server: s, world } = server([cut(status)], { level: 442, retryBudget: new RetryBudget(0) });
      const failure = await fault(s.deliver(call(updateChannel, { stream_id: 7, description: "d", new_name: "n" })));
      expect(failure).toMatchObject({ exitCode, details: { outcome } });
      expect(world.sent).toHaveLength(1);
    },
  );

  test("a refused channel update with several parameters may be applied in part", async () => {
    const args = { stream_id: 7, description: "d", new_name: "n" };
    const several = server([answer(200, settings(371)), answer(400, no("Channel name is already in use."))]);
    expect(
      await fault(several.server.deliver(call(updateChannel, args), { verifyWith: "zulipctl channel list" })),
    ).toMatchObject({
      exitCode: 1,
      message:
        "Channel name is already in use. Earlier parts may have been applied, in this order: description, new_name",
      details: {
        outcome: "maybe_partial",
        hint: "Check with: zulipctl channel list",
        more: { parameters: ["description", "new_name"] },
      },
    });
    const single = server([answer(200, settings(371)), answer(400, no("Channel name is already in use."))]);
    expect(await fault(single.server.deliver(call(updateChannel, { stream_id: 7, new_name: "n" })))).toMatchObject({
      details: { outcome: "not_applied" },
    });
  });

  test("an ignored parameter is told, with the flag and the level", async () => {
    const told = server([
      answer(200, settings(400)),
      answer(200, { ...ok, members: [], ignored_parameters_unsupported: ["user_ids"] }),
    ]);
    expect(await fault(told.server.call(getUsers, { user_ids: [8] }, { flags: { user_ids: "--ids" } }))).toMatchObject({
      exitCode: 5,
      message: "chat.example (feature level 400) ignored --ids: that part was not applied",
    });
  });
});

describe("feature levels", () => {
  test("what is too new is refused before it is sent, naming flag and levels", async () => {
    const { server: s, world } = server([answer(200, settings(371))]);
    expect(
      await fault(s.deliver(call(updateChannel, { stream_id: 7, folder_id: 3 }), { flags: { folder_id: "--folder" } })),
    ).toMatchObject({
      exitCode: 1,
      message: "--folder requires feature level 389; chat.example has level 371",
      details: { outcome: "not_sent" },
    });
    expect(world.sent.map(({ url }) => url)).toEqual(["https://chat.example/api/v1/server_settings"]);
  });

  test("the level is remembered for a day and asked again before anything is refused by it", async () => {
    const first = server([answer(200, settings(371)), answer(400, no("x"))]);
    await fault(first.server.deliver(call(createExport, { export_type: "public" })));
    const cache = first.world.files.content;
    const later = server([answer(200, settings(442)), answer(200, { ...ok, channel_folder_id: 9 })]);
    for (const [path, text] of cache) later.world.files.content.set(path, text);
    await later.server.deliver(call(createFolder, { name: "a", description: "" }));
    expect(later.world.sent.map(({ url }) => url)).toEqual([
      "https://chat.example/api/v1/server_settings",
      "https://chat.example/api/v1/channel_folders/create",
    ]);
  });

  test("--feature-level asks nothing", async () => {
    const { server: s, world } = server([answer(200, ok)], { level: 449 });
    await s.deliver(call(createExport, { export_type: "full_with_consent" }));
    expect(world.sent.map(({ url, body }) => `${url} ${body}`)).toEqual([
      "https://chat.example/api/v1/export/realm export_type=full_with_consent",
    ]);
  });

  test("a list is asked for without asking for the level; only its refusal is explained by it", async () => {
    const { server: s, world } = server([answer(404, "<html>"), answer(200, settings(380))]);
    expect(await fault(s.call(getFolders, {}, { command: "folder list" }))).toMatchObject({
      exitCode: 1,
      message: "folder list requires feature level 389; chat.example has level 380",
    });
    expect(world.sent.map(({ url }) => new URL(url).pathname)).toEqual([
      "/api/v1/channel_folders",
      "/api/v1/server_settings",
    ]);
  });
});

test("a certificate that is not trusted is told with the way to trust it", async () => {
  const { server: s } = server([new NoAnswer("no secure connection: self-signed certificate", "tls", false)]);
  const failure = await fault(s.call(getLinkifiers, {}));
  expect([failure.exitCode, failure.message, failure.details.hint]).toEqual([
    4,
    "no answer from chat.example: no secure connection: self-signed certificate",
    "Trust a private certificate authority with --ca-file <file>.",
  ]);
});

/** Looking at channels, and putting them away. */
import { describe, expect, test } from "vitest";
import { fresh, zulipctl, zulipctlAsking } from "../run.ts";
import { answer } from "../world.ts";

const api = "https://chat.example/api/v1";
const wire = ({ sent }: Awaited<ReturnType<typeof zulipctl>>) =>
  sent.map(({ method, url, body }) => `${method} ${url}${body ? `\n${body}` : ""}`);

describe("channel list", () => {
  test.each([
    ["--folder Projects", "1"],
    ["--folder 2", ""],
    ["--no-folder", "3 5 2 6 4"],
    ["--no-folder --archived", "3 7 5 2 6 4"],
    ["--privacy public", "1 2"],
    ["--privacy private", "5 6 4"],
    ["--privacy web-public", "3"],
    ["--default", "2"],
    ["--match PRIVATE", "5 4"],
    ["--match drafts --privacy private", ""],
    ["--inactive", ""],
  ])("with %s gives %j", async (flags, ids) => {
    const { code, out } = await zulipctl(["channel", "list", ...flags.split(" "), "-o", "ids"]);
    expect({ code, ids: out.trim().split("\n").join(" ") }).toEqual({ code: 0, ids });
  });

  test("--inactive lists channels that the server calls inactive", async () => {
    const sandbox = fresh();
    const http = async (request: Parameters<typeof sandbox.handle>[0]) => {
      const response = await sandbox.handle(request);
      if (!request.url.includes("/streams?")) return response;
      const chunks: Uint8Array[] = [];
      for await (const bytes of response.body) chunks.push(bytes);
      const { streams, ...more } = JSON.parse(Buffer.concat(chunks).toString());
      const changed = streams.map((each: { stream_id: number }) => ({
        ...each,
        is_recently_active: ![4, 5].includes(each.stream_id),
      }));
      return answer(200, { ...more, streams: changed });
    };
    const { out } = await zulipctl(["channel", "list", "--inactive", "-o", "ids"], { sandbox, http });
    expect(out).toBe("5\n4\n");
  });
});

describe("channel show", () => {
  test("shows people names beside ids", async () => {
    const sandbox = fresh();
    const flags = [
      "--can-send-message-group",
      "user:cora@sandbox.example,group:writers",
      "--message-retention-days",
      "30",
    ];
    await zulipctl(["channel", "update", "design", ...flags, "--yes"], { sandbox });
    const { code, out, err } = await zulipctl(["channel", "show", "design"], { sandbox });
    expect({ code, err }).toEqual({ code: 0, err: "" });
    expect(out).toBe(
      [
        "FIELD\tVALUE",
        "ID\t1",
        "Name\tdesign",
        "Description\tSketches and **drafts**",
        "Privacy\tpublic",
        "History\tshared",
        "Archived\tno",
        "Folder\t1 (Projects)",
        "Subscribers\t4",
        "Creator\t8 (Iris Owner)",
        "Created\t2026-01-15 12:00Z",
        "Retention\t30 days",
        "Topics\tinherit",
        "can_add_subscribers_group\t9 (role:nobody)",
        "can_remove_subscribers_group\t11 (role:administrators)",
        "can_administer_channel_group\tuser 8 (Iris Owner)",
        "can_delete_any_message_group\t9 (role:nobody)",
        "can_delete_own_message_group\t9 (role:nobody)",
        "can_move_messages_out_of_channel_group\t9 (role:nobody)",
        "can_move_messages_within_channel_group\t9 (role:nobody)",
        "can_send_message_group\tuser 11 (Cora Member), group 18 (writers)",
        "can_subscribe_group\t9 (role:nobody)",
        "can_resolve_topics_group\t9 (role:nobody)",
        "can_create_topic_group\t15 (role:everyone)",
        "",
      ].join("\n"),
    );
  });
});

test.each([
  [null, "as the organization's"],
  [-1, "for ever"],
])("channel show shows a retention of %s days as: %s", async (days, words) => {
  const sandbox = fresh();
  sandbox.state.channels.get(1)!.message_retention_days = days;
  const { out } = await zulipctl(["channel", "show", "design", "--fields", "retention"], { sandbox });
  expect(out).toBe(`FIELD\tVALUE\nRetention\t${words}\n`);
});

describe("channel archive", () => {
  test("reads the details of the question only if it prompts", async () => {
    const one = await zulipctl(["channel", "archive", "2"], { terminal: true, confirm: [false] });
    expect(one.code).toBe(130);
    expect(wire(one)).toEqual([`GET ${api}/streams?exclude_archived=false&include_all=true&include_default=true`]);
    expect(wire(await zulipctl(["channel", "archive", "2", "--yes"], { terminal: true }))).toEqual([
      `DELETE ${api}/streams/2`,
    ]);
  });

  test.each([
    [["2"], 'Archive channel "general" (7 subscribers, a default channel) on chat.example? Subscribers lose access.'],
    [
      ["design", "99", "staff"],
      'Archive 3 channels on chat.example? "design" (4 subscribers), 99 (not found), "staff" (2 subscribers). Subscribers lose access.',
    ],
    [
      ["1", "2", "3", "4", "5", "6"],
      'Archive 6 channels on chat.example? "design" (4 subscribers), ' +
        '"general" (7 subscribers, a default channel), "announcements" (3 subscribers), "staff" (2 subscribers), ' +
        '"council" (3 subscribers) and 1 more. Subscribers lose access.',
    ],
  ])("of %j asks: %s", async (argv, question) => {
    const { code, asked } = await zulipctlAsking(["channel", "archive", ...argv], { terminal: true, confirm: [false] });
    expect({ code, asked }).toEqual({ code: 130, asked: [question] });
  });
});

test("channel email fails if the server has no gateway", async () => {
  const http = async () => answer(200, { result: "success", msg: "", email: "" });
  expect(await zulipctl(["channel", "email", "1", "--feature-level", "442"], { http })).toMatchObject({
    code: 1,
    err: "zulipctl: the server has no gateway for incoming e-mail, so channels have no e-mail address\n",
  });
});

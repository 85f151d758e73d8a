/** What this program does with a server that is newer. */
import { describe, expect, test } from "vitest";
import { parse } from "yaml";
import { newerServer } from "../newer-server.ts";
import { credentials, zulipctl } from "../run.ts";

type Newer = ReturnType<typeof newerServer>;

const run = (newer: Newer, argv: readonly string[], files = new Map<string, string>()) =>
  zulipctl(argv, { http: newer.handle, files, env: credentials(newer.sandbox) });

const bodies = ({ sent }: Awaited<ReturnType<typeof run>>) =>
  sent.filter(({ method, url }) => method === "PATCH" && !url.includes("/register")).map(({ body }) => body);

describe("settings that only the server knows", () => {
  test("are shown, with the kind unknown", async () => {
    const { code, out, err } = await run(newerServer(), [
      ...["settings", "show", "something_new", "newest-number", "newest_list", "can_do_new_things_group"],
    ]);
    expect({ code, err }).toEqual({ code: 0, err: "" });
    expect(out).toBe(
      "NAME\tVALUE\tKIND\tWHO\tDEFAULT\tCHOICES\tDESCRIPTION\n" +
        "something_new\tfalse\tunknown\tadministrators\t\t\tKnown to the server only.\n" +
        "newest_number\t3\tunknown\tadministrators\t\t\tKnown to the server only.\n" +
        "newest_list\t[1]\tunknown\tadministrators\t\t\tKnown to the server only.\n" +
        "can_do_new_things_group\trole:members\tgroup\tadministrators\trole:members\ta group, people, or nobody\tKnown to the server only.\n",
    );
  });

  test.each([
    ["something_new=yes", "something_new=true", "something_new set to true.\n"],
    ["newest_number=7", "newest_number=7", "newest_number set to 7.\n"],
    ["newest_text=true", "newest_text=true", 'newest_text set to "true".\n'],
    ["newest_text=", "newest_text=", 'newest_text set to "".\n'],
    [
      "can_do_new_things_group=role:moderators",
      "can_do_new_things_group=%7B%22new%22%3A12%7D",
      "can_do_new_things_group set to role:moderators.\n",
    ],
    [
      "something_permitted=nobody",
      "something_permitted=%7B%22new%22%3A9%7D",
      "something_permitted set to role:nobody.\n",
    ],
  ])("are set by the type of their value: %s", async (typed, body, sentence) => {
    const newer = newerServer();
    const result = await run(newer, ["settings", "update", typed]);
    const name = typed.replace(/=.*/, "");
    expect({ ...result, sent: bodies(result) }).toEqual({
      code: 0,
      out: sentence,
      err: `zulipctl: ${name} is unknown to this version of zulipctl, and is sent as the server has it\n`,
      sent: [body],
    });
    const again = await run(newer, ["settings", "update", typed]);
    expect({ code: again.code, out: again.out, sent: bodies(again) }).toEqual({
      code: 0,
      out: "No changes.\n",
      sent: [],
    });
  });

  test.each([
    ["newest_list=[2]", "is not a text, a number or a boolean"],
    ["newest_nothing=1", "is not a text, a number or a boolean"],
    ["something_new=perhaps", "must be true or false"],
    ["newest_number=x", "must be a whole number"],
    ["url=https://x.example", "url is not a setting"],
    ["uuid=1", "uuid is not a setting"],
    ["something_ne=true", 'unknown setting "something_ne"\nDid you mean: something_new?'],
    ["workplace_users_group=nobody", "nobody can change it"],
    ["can_do_new_things_group=nobodyy", 'group "nobodyy" not found'],
  ])("are refused with a value of another type, and with other members: %s", async (typed, says) => {
    const result = await run(newerServer(), ["settings", "update", typed]);
    expect({ code: result.code, sent: bodies(result) }).toEqual({ code: 2, sent: [] });
    expect(result.err).toContain(says);
  });

  test("end with 5 if the server ignores them", async () => {
    const newer = newerServer({ ignores: ["something_new"] });
    const { code, err } = await run(newer, ["settings", "update", "something_new=true", "name=Acme"]);
    expect(code).toBe(5);
    expect(err).toContain("something_new");
    expect(newer.settings.something_new).toBe(false);
  });

  test("can be expected, previewed and changed in a batch", async () => {
    const newer = newerServer();
    const files = new Map([["rows.csv", "value\ntrue\n"]]);
    const preview = await run(newer, [
      "settings",
      "update",
      "newest_number=7",
      "something_permitted=role:owners",
      "--diff",
    ]);
    expect({ code: preview.code, out: preview.out }).toEqual({
      code: 0,
      out: "newest_number: 3 → 7\nsomething_permitted: role:moderators → role:owners\n",
    });
    const batch = await run(newer, ["batch", "rows.csv", "--", "settings", "update", "something_new={value}"], files);
    expect({ code: batch.code, value: newer.settings.something_new }).toEqual({ code: 0, value: true });
    const expected = [
      "settings",
      "update",
      "something_permitted=nobody",
      "--expect",
      "something_permitted=role:owners",
    ];
    expect(bodies(await run(newer, expected))).toEqual(["something_permitted=%7B%22new%22%3A9%2C%22old%22%3A10%7D"]);
  });
});

describe("an organization of a newer server", () => {
  test("is exported with its permissions, and planned without differences", async () => {
    const newer = newerServer();
    const { code, out, err } = await run(newer, ["org", "export", "--complete"]);
    expect({ code, err }).toEqual({ code: 0, err: "" });
    const file = parse(out);
    expect(file.settings).toMatchObject({
      can_do_new_things_group: "role:members",
      something_permitted: "role:moderators",
    });
    expect(file.channels[0]).toMatchObject({ can_do_new_things_group: "role:members" });
    expect(file.groups[0]).toMatchObject({ can_do_new_things_group: "role:members" });
    const plan = await run(newer, ["org", "plan", "file.yaml", "--exit-code"], new Map([["file.yaml", out]]));
    expect({ code: plan.code, out: plan.out, err: plan.err }).toEqual({
      code: 0,
      out: "https://chat.example matches the file.\n",
      err: "",
    });
  });

  test("is changed by a file", async () => {
    const newer = newerServer();
    const text = `
settings: { can_do_new_things_group: nobody, something_permitted: role:owners }
channels: [{ name: design, can_do_new_things_group: role:owners }]
groups: [{ name: designers, can_do_new_things_group: { users: [otis@sandbox.example] } }]
`;
    const files = new Map([["file.yaml", text]]);
    const applied = await run(newer, ["org", "apply", "file.yaml", "--yes"], files);
    expect({ code: applied.code, sent: bodies(applied).sort() }).toEqual({
      code: 0,
      sent: [
        "can_do_new_things_group=%7B%22new%22%3A10%2C%22old%22%3A14%7D",
        "can_do_new_things_group=%7B%22new%22%3A9%2C%22old%22%3A14%7D",
        "can_do_new_things_group=%7B%22new%22%3A%7B%22direct_members%22%3A%5B12%5D%2C%22direct_subgroups%22%3A%5B%5D%7D%2C%22old%22%3A14%7D",
        "something_permitted=%7B%22new%22%3A10%2C%22old%22%3A12%7D",
      ].sort(),
    });
    const plan = await run(newer, ["org", "plan", "file.yaml", "--exit-code"], files);
    expect(plan.out).toContain("matches the file.");
  });

  test.each([
    ["settings: { workplace_users_group: nobody }", "nobody can change it"],
    ["settings: { can_do_other_things_group: nobody }", "unknown to zulipctl, and this server does not have it"],
    ["channels: [{ name: design, can_do_other_things_group: nobody }]", "this server does not have it"],
    ["groups: [{ name: designers, can_pin_members_group: nobody }]", "this server does not have it"],
    ["groups: [{ name: designers, can_add_member_group: nobody }]", 'did you mean "can_add_members_group"?'],
    ["settings: { can_do_new_things_group: 3 }", 'unknown key "can_do_new_things_group"'],
    ["settings: { something_new: true }", 'unknown key "something_new"'],
    ["channels: [{ name: design, channel_news: x }]", 'unknown key "channel_news"'],
  ])("is not changed by a key that it does not have: %s", async (text, says) => {
    const { code, err } = await run(newerServer(), ["org", "plan", "file.yaml"], new Map([["file.yaml", text]]));
    expect({ code, says: err.includes(says) }, err).toEqual({ code: 2, says: true });
  });
});

test("permissions lists what only the server knows", async () => {
  const newer = newerServer();
  const { code, out, err } = await run(newer, ["permissions", "list", "--channel", "design", "-o", "json"]);
  const one = JSON.parse(out).find(
    ({ permission }: { permission: string }) => permission === "can_do_new_things_group",
  );
  expect({ code, err, one }).toMatchObject({
    code: 0,
    err: expect.stringContaining("shown by their members only: can_do_new_things_group"),
    one: { permission: "can_do_new_things_group" },
  });
  const table = await run(newer, ["permissions", "list"]);
  expect(table.out).toContain("something_permitted");
});

test.each(
  [
    "channel list",
    "channel show design",
    "group list",
    "group show designers",
    "users list",
    "users show otis@sandbox.example",
    "linkifier list",
    "folder list",
    "invite list",
    "drafts list",
    "emoji list",
    "bots list",
    "attachment list",
    "export list",
    "settings list",
    "settings list --new-users",
    "permissions list",
    "permissions findings",
    "server info",
    "doctor",
    "whoami",
  ].map((line) => [line]),
)("%s works, and keeps new members in JSON", async (line) => {
  const { code, out } = await run(newerServer(), [...line.split(" "), "-o", "json"]);
  expect(code, line).toBe(0);
  const news = { channel: "channel_news", group: "group_news", users: "person_news", linkifier: "linkifier_news" };
  const member = Object.entries(news).find(([noun]) => line.startsWith(`${noun} `))?.[1];
  expect(out).toContain(member ?? "");
});

test("a new narrow operator is sent as it is", async () => {
  const narrow = '[{"operator":"newest","operand":{"a":[1]}}]';
  const result = await run(newerServer(), ["messages", "find", "--narrow-json", narrow]);
  // The sandbox does not know it either.
  expect(result.code).toBe(1);
  expect(result.sent.some(({ url }) => new URL(url).searchParams.get("narrow") === narrow)).toBe(true);
});

test("words of a choice that only the server lists are set, by commands and files", async () => {
  const { sandbox, handle } = newerServer({ providers: { newest_calls: { name: "Newest", id: 90 } } });
  const files = new Map([["file.yaml", "settings: { video_chat_provider: newest_calls }\n"]]);
  const env = credentials(sandbox);
  const preview = ["settings", "update", "video_chat_provider=newest_calls", "--dry-run"];
  expect((await zulipctl(preview, { http: handle, env })).out).toContain("video_chat_provider = 90");
  const plan = await zulipctl(["org", "plan", "file.yaml"], { http: handle, env, files });
  expect(plan.out).toContain("video_chat_provider: jitsi_meet → 90");
  const wrong = await zulipctl(["settings", "update", "video_chat_provider=newer_calls"], { http: handle, env });
  expect([wrong.code, wrong.err]).toEqual([
    2,
    'zulipctl: video_chat_provider: this server has no "newer_calls": must be one of disabled, jitsi_meet, newest_calls\n',
  ]);
});

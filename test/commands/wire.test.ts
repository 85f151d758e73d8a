/**
 * What the eleven operations put on the wire, as literal text: the form parameters are those of recorded requests to a
 * real server, percent-encoded as browsers do. Client and sandbox share definitions, so only these tests see both err.
 */
import { describe, expect, test } from "vitest";
import { zulipctl } from "../run.ts";

const api = "https://chat.example/api/v1";

/** The requests that change something or answer the question, without those that look names up. */
async function wire(argv: string[], options: Parameters<typeof zulipctl>[1] = {}): Promise<string[]> {
  const { sent } = await zulipctl([...argv, "--yes"], options);
  return sent.map(({ method, url, body }) => `${method} ${url}${body === undefined ? "" : `\n${body}`}`);
}

describe("channel update", () => {
  test.each([
    [["--new-name", "p15hocf fbc7eebb"], "new_name=p15hocf+fbc7eebb"],
    [["--description", "a\nb\r\nc\td"], "description=a%0Ab%0D%0Ac%09d"],
    [["--description", "null"], "description=null"],
    [["--description", '"a"'], "description=%22a%22"],
    [["--description", ""], "description="],
    [["--private"], "is_private=true"],
    [["--no-private"], "is_private=false"],
    [["--web-public"], "is_web_public=true"],
    [
      ["--no-web-public", "--no-history-public-to-subscribers"],
      "is_web_public=false&history_public_to_subscribers=false",
    ],
    [["--history-public-to-subscribers"], "history_public_to_subscribers=true"],
    [["--default"], "is_default_stream=true"],
    [["--no-default"], "is_default_stream=false"],
    [["--message-retention-days", "30"], "message_retention_days=30"],
    [["--message-retention-days", "unlimited"], "message_retention_days=%22unlimited%22"],
    [["--message-retention-days", "realm_default"], "message_retention_days=%22realm_default%22"],
    [["--no-archived"], "is_archived=false"],
    [["--folder", "1"], "folder_id=1"],
    [["--no-folder"], "folder_id=null"],
    [["--topics-policy", "inherit"], "topics_policy=inherit"],
    [["--can-send-message-group", "15"], "can_send_message_group=%7B%22new%22%3A15%7D"],
    [
      ["--can-add-subscribers-group", '{"direct_members":[8],"direct_subgroups":[14]}'],
      "can_add_subscribers_group=%7B%22new%22%3A%7B%22direct_members%22%3A%5B8%5D%2C%22direct_subgroups%22%3A%5B14%5D%7D%7D",
    ],
    [
      ["--can-subscribe-group", "12", "--expect", "can_subscribe_group=14"],
      "can_subscribe_group=%7B%22new%22%3A12%2C%22old%22%3A14%7D",
    ],
    [
      ["--can-remove-subscribers-group", "user:8", "--expect", "can-remove-subscribers-group=group:11"],
      "can_remove_subscribers_group=%7B%22new%22%3A%7B%22direct_members%22%3A%5B8%5D%2C%22direct_subgroups%22%3A%5B%5D%7D" +
        "%2C%22old%22%3A%7B%22direct_members%22%3A%5B%5D%2C%22direct_subgroups%22%3A%5B11%5D%7D%7D",
    ],
    [["--can-administer-channel-group", "9"], "can_administer_channel_group=%7B%22new%22%3A9%7D"],
    [["--can-delete-any-message-group", "9"], "can_delete_any_message_group=%7B%22new%22%3A9%7D"],
    [["--can-delete-own-message-group", "9"], "can_delete_own_message_group=%7B%22new%22%3A9%7D"],
    [["--can-move-messages-out-of-channel-group", "9"], "can_move_messages_out_of_channel_group=%7B%22new%22%3A9%7D"],
    [["--can-move-messages-within-channel-group", "9"], "can_move_messages_within_channel_group=%7B%22new%22%3A9%7D"],
    [["--can-resolve-topics-group", "9"], "can_resolve_topics_group=%7B%22new%22%3A9%7D"],
  ])("%j", async (flags, body) => {
    expect(await wire(["channel", "update", "22", ...flags])).toEqual([`PATCH ${api}/streams/22\n${body}`]);
  });

  test.each([
    [60, ["--description", "a"], "description=%22a%22"],
    [64, ["--description", "a"], "description=a"],
    [90, ["--message-retention-days", "unlimited"], "message_retention_days=%22forever%22"],
    [190, ["--can-remove-subscribers-group", "11"], "can_remove_subscribers_group_id=11"],
    [197, ["--can-remove-subscribers-group", "11"], "can_remove_subscribers_group=11"],
    [320, ["--can-remove-subscribers-group", "11"], "can_remove_subscribers_group=%7B%22new%22%3A11%7D"],
  ])("at level %i %j", async (level, flags, body) => {
    const argv = ["channel", "update", "22", ...flags, "--feature-level", String(level)];
    expect(await wire(argv)).toEqual([`PATCH ${api}/streams/22\n${body}`]);
  });
});

test("messages match", async () => {
  expect(await wire(["messages", "match", "--ids", "1342,1343", "--narrow", "wonderful"])).toEqual([
    `GET ${api}/messages/matches_narrow?msg_ids=%5B1342%2C1343%5D` +
      "&narrow=%5B%7B%22operator%22%3A%22search%22%2C%22operand%22%3A%22wonderful%22%7D%5D",
  ]);
});

test("messages match, with every kind of operand", async () => {
  const narrow =
    '[["is","starred"],{"operator":"sender","operand":8,"negated":true},{"operator":"dm","operand":[8,9]}]';
  expect(await wire(["messages", "match", "--ids", "1", "--narrow-json", narrow])).toEqual([
    `GET ${api}/messages/matches_narrow?msg_ids=%5B1%5D` +
      "&narrow=%5B%7B%22operator%22%3A%22is%22%2C%22operand%22%3A%22starred%22%7D" +
      "%2C%7B%22operator%22%3A%22sender%22%2C%22operand%22%3A8%2C%22negated%22%3Atrue%7D" +
      "%2C%7B%22operator%22%3A%22dm%22%2C%22operand%22%3A%5B8%2C9%5D%7D%5D",
  ]);
});

test("folder create sends the description also where it is empty", async () => {
  expect(await wire(["folder", "create", "x", "--description", "y"])).toEqual([
    `POST ${api}/channel_folders/create\nname=x&description=y`,
  ]);
  expect(await wire(["folder", "create", "x"])).toEqual([`POST ${api}/channel_folders/create\nname=x&description=`]);
});

test("drafts add", async () => {
  expect(
    await wire(["drafts", "add", "--channel", "22", "--topic", "a", "--content", "b", "--timestamp", "1595479019"]),
  ).toEqual([
    `POST ${api}/drafts\ndrafts=%5B%7B%22type%22%3A%22stream%22%2C%22to%22%3A%5B22%5D%2C%22topic%22%3A%22a%22` +
      "%2C%22content%22%3A%22b%22%2C%22timestamp%22%3A1595479019%7D%5D",
  ]);
  expect(await wire(["drafts", "add", "--to", "8,9", "--content", "b"])).toEqual([
    `POST ${api}/drafts\ndrafts=%5B%7B%22type%22%3A%22private%22%2C%22to%22%3A%5B8%2C9%5D%2C%22topic%22%3A%22%22` +
      "%2C%22content%22%3A%22b%22%7D%5D",
  ]);
  expect(await wire(["drafts", "add", "--content", "b"])).toEqual([
    `POST ${api}/drafts\ndrafts=%5B%7B%22type%22%3A%22%22%2C%22to%22%3A%5B%5D%2C%22topic%22%3A%22%22%2C%22content%22%3A%22b%22%7D%5D`,
  ]);
});

test("users list", async () => {
  expect(await wire(["users", "list"])).toEqual([`GET ${api}/users`]);
  expect(
    await wire(["users", "list", "--ids", "8,9", "--no-client-gravatar", "--include-custom-profile-fields"]),
  ).toEqual([`GET ${api}/users?client_gravatar=false&include_custom_profile_fields=true&user_ids=%5B8%2C9%5D`]);
});

test("apns register", async () => {
  const token = "a1".repeat(33);
  expect(await wire(["apns", "register", "--token", token, "--appid", "org.zulip.Zulip"])).toEqual([
    `POST ${api}/users/me/apns_device_token\ntoken=${token}&appid=org.zulip.Zulip`,
  ]);
});

test("group members", async () => {
  const lists = ["--add", "8,9", "--delete", "10", "--add-subgroups", "14", "--delete-subgroups", "15"];
  expect(await wire(["group", "members", "156", ...lists])).toEqual([
    `POST ${api}/user_groups/156/members\n` +
      "delete=%5B10%5D&add=%5B8%2C9%5D&delete_subgroups=%5B15%5D&add_subgroups=%5B14%5D",
  ]);
});

test("linkifier add", async () => {
  expect(await wire(["linkifier", "add", "P611-(?P<n>[0-9]+)", "https://e.example/{n}"])).toEqual([
    `POST ${api}/realm/filters\npattern=P611-%28%3FP%3Cn%3E%5B0-9%5D%2B%29&url_template=https%3A%2F%2Fe.example%2F%7Bn%7D`,
  ]);
});

test("attachment rm", async () => {
  expect(await wire(["attachment", "rm", "8"])).toEqual([`DELETE ${api}/attachments/8\n`]);
});

describe("export create", () => {
  test.each([
    [442, [], ""],
    [442, ["--type", "public"], "export_type=1"],
    [442, ["--type", "standard"], "export_type=2"],
    [449, ["--type", "public"], "export_type=public"],
    [449, ["--type", "standard"], "export_type=full_with_consent"],
  ])("at level %i %j", async (level, flags, body) => {
    expect(await wire(["export", "create", ...flags, "--feature-level", String(level)])).toEqual([
      `POST ${api}/export/realm\n${body}`,
    ]);
  });
});

test("every request carries Basic credentials and says what it is", async () => {
  const { sent } = await zulipctl(["drafts", "list"], {
    env: { ZULIP_SITE: "https://chat.example", ZULIP_EMAIL: "iago@zulip.com", ZULIP_API_KEY: "a".repeat(32) },
  });
  expect(sent.map(({ headers }) => headers)).toEqual([
    {
      authorization: `Basic ${Buffer.from(`iago@zulip.com:${"a".repeat(32)}`).toString("base64")}`,
      accept: "application/json",
      "accept-language": "en",
      "user-agent": "zulipctl/0.0.0-test (test)",
    },
  ]);
});

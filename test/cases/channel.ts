import { updateChannel } from "../../src/api/channels.ts";
import type { channel } from "../../src/commands/channel.ts";
import { type CasesOf, change, read } from "./case.ts";

const who = [
  "add-subscribers",
  "remove-subscribers",
  "administer-channel",
  "delete-any-message",
  "delete-own-message",
  "move-messages-out-of-channel",
  "move-messages-within-channel",
  "send-message",
  "subscribe",
  "resolve-topics",
];
const every = "GET /streams?exclude_archived=false&include_all=true";

export const cases: CasesOf<typeof channel> = {
  update: change(updateChannel, {
    takes: [
      "<channel>",
      "--new-name <text>",
      "--description <text>",
      "--private",
      "--no-private",
      "--web-public",
      "--no-web-public",
      "--history-public-to-subscribers",
      "--no-history-public-to-subscribers",
      "--default",
      "--no-default",
      "--message-retention-days <days>",
      "--no-archived",
      "--folder <folder>",
      "--no-folder",
      "--topics-policy <inherit|allow_empty_topic|disable_empty_topic|empty_topic_only>",
      ...who.map((name) => `--can-${name}-group <who>`),
      "--expect <setting=who>...",
    ],
    lines: [
      {
        typed: "2 --description changed",
        sends: "PATCH /streams/2 description=changed",
        made: ({ channels }) => channels.get(2)!.description === "changed",
        ignoring: { params: ["description"], code: 5 },
      },
      {
        typed: "2 --new-name renamed --description changed",
        sends: "PATCH /streams/2 description=changed&new_name=renamed",
        made: ({ channels }) => {
          const { name, description } = channels.get(2)!;
          return name === "renamed" && description === "changed";
        },
        ignoring: { params: ["new_name", "description"], code: 5 },
        parts: ["description", "new_name"],
      },
      {
        typed: "general --folder projects --description Größe --can-send-message-group role:moderators",
        sends: [
          every,
          "GET /channel_folders?include_archived=true",
          "GET /user_groups?include_deactivated_groups=true",
          "PATCH /streams/2 description=Gr%C3%B6%C3%9Fe&folder_id=1&can_send_message_group=%7B%22new%22%3A12%7D",
        ],
        shows: [
          "PATCH https://chat.example/api/v1/streams/2  channel.update",
          "  stream_id = 2 (general)",
          '  description = "Größe"',
          "  folder_id = 1 (Projects)",
          '  can_send_message_group = {"new":12 (role:moderators)}',
          "",
        ].join("\n"),
        made: ({ channels }) => channels.get(2)!.folder_id === 1,
        parts: ["description", "folder_id", "can_send_message_group"],
      },
    ],
    wire: [
      ["22 --new-name 'p15hocf fbc7eebb'", "PATCH /streams/22 new_name=p15hocf+fbc7eebb"],
      [["22", "--description", "a\nb\r\nc\td"], "PATCH /streams/22 description=a%0Ab%0D%0Ac%09d"],
      ["22 --description null", "PATCH /streams/22 description=null"],
      ["22 --description '\"a\"'", "PATCH /streams/22 description=%22a%22"],
      ["22 --description ''", "PATCH /streams/22 description="],
      ["22 --private", "PATCH /streams/22 is_private=true"],
      ["22 --no-private", "PATCH /streams/22 is_private=false"],
      ["22 --web-public", "PATCH /streams/22 is_web_public=true"],
      [
        "22 --no-web-public --no-history-public-to-subscribers",
        "PATCH /streams/22 is_web_public=false&history_public_to_subscribers=false",
      ],
      ["22 --history-public-to-subscribers", "PATCH /streams/22 history_public_to_subscribers=true"],
      ["22 --default", "PATCH /streams/22 is_default_stream=true"],
      ["22 --no-default", "PATCH /streams/22 is_default_stream=false"],
      ["22 --message-retention-days 30", "PATCH /streams/22 message_retention_days=30"],
      ["22 --message-retention-days unlimited", "PATCH /streams/22 message_retention_days=%22unlimited%22"],
      ["22 --message-retention-days realm_default", "PATCH /streams/22 message_retention_days=%22realm_default%22"],
      ["22 --no-archived", "PATCH /streams/22 is_archived=false"],
      ["22 --folder 1", "PATCH /streams/22 folder_id=1"],
      ["22 --no-folder", "PATCH /streams/22 folder_id=null"],
      ["22 --topics-policy inherit", "PATCH /streams/22 topics_policy=inherit"],
      ["22 --can-send-message-group 15", "PATCH /streams/22 can_send_message_group=%7B%22new%22%3A15%7D"],
      [
        '22 --can-add-subscribers-group \'{"direct_members":[8],"direct_subgroups":[14]}\'',
        "PATCH /streams/22 can_add_subscribers_group=%7B%22new%22%3A%7B%22direct_members%22%3A%5B8%5D%2C%22direct_subgroups%22%3A%5B14%5D%7D%7D",
      ],
      [
        "22 --can-subscribe-group 12 --expect can_subscribe_group=14",
        "PATCH /streams/22 can_subscribe_group=%7B%22new%22%3A12%2C%22old%22%3A14%7D",
      ],
      [
        "22 --can-remove-subscribers-group user:8 --expect can-remove-subscribers-group=group:11",
        "PATCH /streams/22 can_remove_subscribers_group=%7B%22new%22%3A%7B%22direct_members%22%3A%5B8%5D%2C%22direct_subgroups%22%3A%5B%5D%7D%2C%22old%22%3A%7B%22direct_members%22%3A%5B%5D%2C%22direct_subgroups%22%3A%5B11%5D%7D%7D",
      ],
      ["22 --can-administer-channel-group 9", "PATCH /streams/22 can_administer_channel_group=%7B%22new%22%3A9%7D"],
      ["22 --can-delete-any-message-group 9", "PATCH /streams/22 can_delete_any_message_group=%7B%22new%22%3A9%7D"],
      ["22 --can-delete-own-message-group 9", "PATCH /streams/22 can_delete_own_message_group=%7B%22new%22%3A9%7D"],
      [
        "22 --can-move-messages-out-of-channel-group 9",
        "PATCH /streams/22 can_move_messages_out_of_channel_group=%7B%22new%22%3A9%7D",
      ],
      [
        "22 --can-move-messages-within-channel-group 9",
        "PATCH /streams/22 can_move_messages_within_channel_group=%7B%22new%22%3A9%7D",
      ],
      ["22 --can-resolve-topics-group 9", "PATCH /streams/22 can_resolve_topics_group=%7B%22new%22%3A9%7D"],
      ["22 --description a --feature-level 60", "PATCH /streams/22 description=%22a%22"],
      ["22 --description a --feature-level 64", "PATCH /streams/22 description=a"],
      [
        "22 --message-retention-days unlimited --feature-level 90",
        "PATCH /streams/22 message_retention_days=%22forever%22",
      ],
      [
        "22 --can-remove-subscribers-group 11 --feature-level 190",
        "PATCH /streams/22 can_remove_subscribers_group_id=11",
      ],
      ["22 --can-remove-subscribers-group 11 --feature-level 197", "PATCH /streams/22 can_remove_subscribers_group=11"],
      [
        "22 --can-remove-subscribers-group 11 --feature-level 320",
        "PATCH /streams/22 can_remove_subscribers_group=%7B%22new%22%3A11%7D",
      ],
    ],
  }),

  list: read({
    takes: ["--archived"],
    lines: [
      {
        typed: "",
        sends: ["GET /streams?include_all=true&include_default=true", "GET /channel_folders?include_archived=true"],
        ids: "3\n5\n1\n2\n6\n4\n",
      },
    ],
    wire: [["--archived -o csv", "GET /streams?exclude_archived=false&include_all=true&include_default=true"]],
  }),
};

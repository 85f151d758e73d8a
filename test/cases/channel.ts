import { createChannel } from "../../src/api/channel-creation.ts";
import { archiveChannel, updateChannel } from "../../src/api/channels.ts";
import { subscribe } from "../../src/api/subscriptions.ts";
import type { channelNoun } from "../../src/commands/channel.ts";
import { besides, type CasesOf, change, read, since, usage } from "./case.ts";

const subscriptions = "/users/me/subscriptions";
/** These arguments prevent that a channel is created if somebody has just renamed it. */
const existing = "&invite_only=true&is_default_stream=true";
const allChannels = "GET /streams?exclude_archived=false&include_all=true";

export const cases: CasesOf<typeof channelNoun> = {
  create: change(createChannel, {
    lines: [
      {
        typed: "'Fault lines' --private --no-history-public-to-subscribers --description d",
        sends: [
          allChannels,
          "POST /channels/create name=Fault+lines&subscribers=%5B%5D&description=d&invite_only=true&history_public_to_subscribers=false",
        ],
        prints: "Created channel 8.\n",
        notes:
          'zulipctl: channel "Fault lines" is private and gets no subscribers: nobody can get in later. To be in it yourself, add: --subscribe me\n',
        ids: "8\n",
        json: '{"id":8}\n',
        shows: [
          "POST https://chat.example/api/v1/channels/create  channel.create",
          '  name = "Fault lines"',
          "  subscribers = []",
          '  description = "d"',
          "  invite_only = true",
          "  history_public_to_subscribers = false",
          '  !! leaves the private channel "Fault lines" without subscribers: nobody can get in',
          "",
        ].join("\n"),
        made: ({ channels }, before) => channels.size - before.channels.size,
        // The server creates a public channel.
        ignoring: { params: ["invite_only"], code: 5, made: 1 },
      },
      {
        typed:
          "plans --folder Projects --subscribe cora@sandbox.example,otis@sandbox.example --can-subscribe-group nobody",
        sends: [
          "GET /channel_folders?include_archived=true",
          "GET /users",
          "GET /user_groups?include_deactivated_groups=true",
          "POST /channels/create name=plans&subscribers=%5B11%2C12%5D&folder_id=1&can_subscribe_group=9",
        ],
        made: ({ channels }) => channels.get(8)?.subscribers.size === 2 && channels.get(8)!.folder_id === 1,
      },
    ],
    wire: [
      ["'Plans & more'", "POST /channels/create name=Plans+%26+more&subscribers=%5B%5D"],
      ["x --subscribe 8,9,8", "POST /channels/create name=x&subscribers=%5B8%2C9%5D"],
      [
        "x --subscribe 8 --private --feature-level 416",
        [
          allChannels,
          `POST ${subscriptions} subscriptions=%5B%7B%22name%22%3A%22x%22%7D%5D&principals=%5B8%5D&invite_only=true`,
          "GET /get_stream_id?stream=x",
        ],
      ],
      [["x", "--description", "a\nb"], "POST /channels/create name=x&subscribers=%5B%5D&description=a%0Ab"],
      ...besides("x", "POST /channels/create name=x&subscribers=%5B%5D&", {
        "--announce --default": "announce=true&is_default_stream=true",
        "--no-private --no-web-public --no-folder --no-default":
          "invite_only=false&is_web_public=false&is_default_stream=false",
        "--web-public": "is_web_public=true",
        "--no-history-public-to-subscribers": "history_public_to_subscribers=false",
        "--message-retention-days unlimited": "message_retention_days=%22unlimited%22",
        "--topics-policy inherit": "topics_policy=%22inherit%22",
        "--can-subscribe-group user:8,group:17":
          "can_subscribe_group=%7B%22direct_members%22%3A%5B8%5D%2C%22direct_subgroups%22%3A%5B17%5D%7D",
      }),
    ],
    refused: [
      {
        typed: "design --description Other",
        says: 'channel "design" exists with another description ("Sketches and **drafts**"). To change it: --or-update, or zulipctl channel update design',
      },
      { typed: "x --private --default --quiet", says: "A default channel cannot be private." },
      {
        typed: "x --message-retention-days 3",
        as: 200,
        says: "Must be an organization owner\nOnly owners can set how long messages are kept.",
      },
      ...usage({
        "x --private --web-public": "--private cannot be combined with --web-public",
        "x --message-retention-days 0": "--message-retention-days must be at least 1 day",
        "x --description @missing.md":
          "--description: file not found: missing.md\nText that begins with @, such as a mention, begins with @@ here.",
        "x --web-public":
          'confirmation required: stdin is not a terminal. Create web-public channel "x" on chat.example? Anybody can read it without an account. Pass --yes to confirm.',
      }),
      ...since(389, { "x --folder Projects": "--folder" }),
      ...since(392, { "x --topics-policy inherit": "--topics-policy" }),
      ...since(404, { "x --topics-policy empty_topic_only": "--topics-policy" }),
    ],
  }),

  update: change(updateChannel, {
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
          allChannels,
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
          "  ! takes can_send_message_group from 3 people and 1 bot",
          "",
        ].join("\n"),
        made: ({ channels }) => channels.get(2)!.folder_id === 1,
        parts: ["description", "folder_id", "can_send_message_group"],
      },
    ],
    wire: [
      [["22", "--description", "a\nb\r\nc\td"], "PATCH /streams/22 description=a%0Ab%0D%0Ac%09d"],
      // A channel without subscribers would be lost.
      [
        ["22", "--private", "--history-public-to-subscribers"],
        [allChannels, "PATCH /streams/22 is_private=true&history_public_to_subscribers=true"],
      ],
      ...besides("22", "PATCH /streams/22 ", {
        "--new-name 'p15hocf fbc7eebb'": "new_name=p15hocf+fbc7eebb",
        "--description null": "description=null",
        "--description '\"a\"'": "description=%22a%22",
        "--description ''": "description=",
        "--no-private --history-public-to-subscribers": "is_private=false&history_public_to_subscribers=true",
        "--web-public": "is_web_public=true",
        "--no-web-public --no-history-public-to-subscribers": "is_web_public=false&history_public_to_subscribers=false",
        "--history-public-to-subscribers --default": "history_public_to_subscribers=true&is_default_stream=true",
        "--no-default": "is_default_stream=false",
        "--message-retention-days 30": "message_retention_days=30",
        "--message-retention-days unlimited": "message_retention_days=%22unlimited%22",
        "--message-retention-days realm_default": "message_retention_days=%22realm_default%22",
        "--no-archived": "is_archived=false",
        "--folder 1": "folder_id=1",
        "--no-folder": "folder_id=null",
        "--topics-policy inherit": "topics_policy=inherit",
        '--can-add-subscribers-group \'{"direct_members":[8],"direct_subgroups":[14]}\'':
          "can_add_subscribers_group=%7B%22new%22%3A%7B%22direct_members%22%3A%5B8%5D%2C%22direct_subgroups%22%3A%5B14%5D%7D%7D",
        "--can-subscribe-group 12 --expect can_subscribe_group=14":
          "can_subscribe_group=%7B%22new%22%3A12%2C%22old%22%3A14%7D",
        "--can-remove-subscribers-group user:8 --expect can-remove-subscribers-group=group:11":
          "can_remove_subscribers_group=%7B%22new%22%3A%7B%22direct_members%22%3A%5B8%5D%2C%22direct_subgroups%22%3A%5B%5D%7D%2C%22old%22%3A%7B%22direct_members%22%3A%5B%5D%2C%22direct_subgroups%22%3A%5B11%5D%7D%7D",
        "--can-administer-channel-group 9": "can_administer_channel_group=%7B%22new%22%3A9%7D",
        "--can-delete-any-message-group 9": "can_delete_any_message_group=%7B%22new%22%3A9%7D",
        "--can-delete-own-message-group 9": "can_delete_own_message_group=%7B%22new%22%3A9%7D",
        "--can-move-messages-out-of-channel-group 9": "can_move_messages_out_of_channel_group=%7B%22new%22%3A9%7D",
        "--can-move-messages-within-channel-group 9": "can_move_messages_within_channel_group=%7B%22new%22%3A9%7D",
        "--can-resolve-topics-group 9": "can_resolve_topics_group=%7B%22new%22%3A9%7D",
        "--can-create-topic-group 9": "can_create_topic_group=%7B%22new%22%3A9%7D",
        "--description a --feature-level 60": "description=%22a%22",
        "--description a --feature-level 64": "description=a",
        "--message-retention-days unlimited --feature-level 90": "message_retention_days=%22forever%22",
        "--can-remove-subscribers-group 11 --feature-level 190": "can_remove_subscribers_group_id=11",
        "--can-remove-subscribers-group 11 --feature-level 197": "can_remove_subscribers_group=11",
        "--can-remove-subscribers-group 11 --feature-level 320": "can_remove_subscribers_group=%7B%22new%22%3A11%7D",
      }),
    ],
    refused: [
      ...since(389, { "general --folder Projects": "--folder", "general --no-folder": "--no-folder" }),
      ...since(98, { "general --no-web-public": "--no-web-public" }),
      ...since(200, { "general --no-default": "--no-default" }),
      ...since(404, { "general --topics-policy empty_topic_only": "--topics-policy" }),
      ...since(402, { "general --can-resolve-topics-group role:moderators": "--can-resolve-topics-group" }),
      ...usage({
        "22": 'channel update requires at least one flag that says what to change\nRun "zulipctl channel update --help" for usage.',
        "22 --archived":
          "--archived is not supported: the server ignores is_archived=true\nArchive with: zulipctl channel archive. Unarchive with: --no-archived.",
        "22 --message-retention-days -3":
          '--message-retention-days: invalid value "-3": must be a number of days, realm_default or unlimited',
        "22 --folder a --no-folder": "--folder cannot be combined with --no-folder",
        "22 --private --web-public": "--private cannot be combined with --web-public",
        "22 --expect can_send_message_group=5": "--expect can_send_message_group requires --can-send-message-group",
        "22 --expect can-sent-message-group=5":
          '--expect: unknown setting "can-sent-message-group"\nDid you mean: can_send_message_group?',
        "22 --expect can_send_message_group": '--expect must be <setting>=<who>: "can_send_message_group" has no =',
        "22 --can-send-message-group 7 --expect can_send_message_group=5 --expect can-send-message-group=6":
          "--expect has can_send_message_group twice",
        "22 --can-send-message-group {}":
          '--can-send-message-group: {} is not a valid group setting\nIt looks like {"direct_members":[8],"direct_subgroups":[15]}.',
      }),
    ],
  }),

  subscribers: change(subscribe, {
    several: true,
    lines: [
      {
        typed: "1 --add 9,10",
        sends: [
          allChannels,
          `POST ${subscriptions} subscriptions=%5B%7B%22name%22%3A%22design%22%7D%5D&principals=%5B9%2C10%5D${existing}`,
        ],
        prints: "Updated channel 1: 2 subscribers added.\n",
        shows:
          "POST https://chat.example/api/v1/users/me/subscriptions  channel.subscribe\n" +
          '  subscriptions = [{"name":"design"}]\n  principals = [9,10]\n' +
          "  invite_only = true\n  is_default_stream = true\n",
        made: ({ channels }) => {
          const { subscribers } = channels.get(1)!;
          return (Number(subscribers.has(9)) + Number(subscribers.has(10))) / 2;
        },
        ignoring: { params: ["principals"], code: 5 },
      },
      {
        typed: "3",
        sends: ["GET /streams/3/members", "GET /users?user_ids=%5B8%2C9%2C11%5D"],
        prints:
          "ID\tNAME\tEMAIL\tROLE\tSTATE\n8\tIris Owner\tiris@sandbox.example\towner\t\n" +
          "9\tAdam Admin\tadam@sandbox.example\tadministrator\t\n11\tCora Member\tcora@sandbox.example\tmember\t\n",
        ids: "8\n9\n11\n",
      },
      {
        typed: "design --add adam@sandbox.example --no-notify --if-changed",
        sends: [
          allChannels,
          "GET /users",
          "GET /streams/1/members",
          `POST ${subscriptions} subscriptions=%5B%7B%22name%22%3A%22design%22%7D%5D&principals=%5B9%5D${existing}&send_new_subscription_messages=false`,
        ],
        made: ({ channels }) => channels.get(1)!.subscribers.has(9),
      },
    ],
    wire: Object.entries({
      "1 --delete 11,12": [
        allChannels,
        "GET /streams/1/members",
        `DELETE ${subscriptions} subscriptions=%5B%22design%22%5D&principals=%5B11%2C12%5D`,
      ],
      "1 --set 8,9": [
        allChannels,
        "GET /streams/1/members",
        `POST ${subscriptions} subscriptions=%5B%7B%22name%22%3A%22design%22%7D%5D&principals=%5B9%5D${existing}`,
        `DELETE ${subscriptions} subscriptions=%5B%22design%22%5D&principals=%5B11%2C12%2C13%5D`,
        "GET /streams/1/members",
      ],
      "3 -o ids": "GET /streams/3/members",
    }),
    refused: [
      { typed: "design --add 999", says: "No such user\nNot found, or not visible to this account: 999." },
      { typed: "general --delete 11", as: "otis@sandbox.example", says: "Insufficient permission" },
      ...usage({
        "design --add 8,9 --delete me": "--add and --delete both name user 8",
        "design --set 9 --add 12": "--set cannot be combined with --add",
        "99 --add 9":
          "<channel>: channel 99 not found, or not visible to this account\nList them with: zulipctl channel list",
        "design --no-notify": "--no-notify requires a flag that says what to change, such as --add or --delete",
      }),
      ...since(397, { "design --add 9 --no-notify": "--no-notify" }),
    ],
  }),

  list: read({
    lines: [
      {
        typed: "",
        sends: ["GET /streams?include_all=true&include_default=true", "GET /channel_folders?include_archived=true"],
        prints: [
          "ID\tNAME\tPRIVACY\tDEFAULT\tFOLDER\tSUBSCRIBERS\tDESCRIPTION",
          "3\tannouncements\tweb-public\t\t\t3\tOpen to the world",
          "5\tcouncil\tprivate\t\t\t3\tPrivate, with its whole history",
          "1\tdesign\tpublic\t\tProjects\t4\tSketches and **drafts**",
          "2\tgeneral\tpublic\tyes\t\t7\tEveryone",
          "6\tmoderation requests\tprivate\t\t\t3\tReported messages",
          "4\tstaff\tprivate\t\t\t2\tPrivate",
          "",
        ].join("\n"),
        ids: "3\n5\n1\n2\n6\n4\n",
      },
    ],
    wire: Object.entries({
      "--archived -o csv": "GET /streams?exclude_archived=false&include_all=true&include_default=true",
      "--folder 1 -o ids": "GET /streams?include_all=true&include_default=true",
    }),
    refused: [
      {
        typed: "--archived",
        level: 300,
        says: "this command requires Zulip 10 (feature level 371) or newer; chat.example has level 300",
      },
      ...since(389, { "--folder Projects": "--folder", "--no-folder": "--no-folder" }),
    ],
  }),

  show: read({
    lines: [
      { typed: "general -o ids", sends: [allChannels, "GET /streams/2"], prints: "2\n" },
      {
        typed: "2",
        sends: ["GET /streams/2", "GET /users?user_ids=%5B8%5D", "GET /user_groups?include_deactivated_groups=true"],
      },
    ],
    refused: [{ typed: "4", as: 600, says: "Invalid channel ID" }],
  }),

  archive: change(archiveChannel, {
    several: true,
    lines: [
      {
        typed: "1 --yes",
        sends: "DELETE /streams/1",
        prints: "Archived channel 1.\n",
        json: '[{"operation":"channel.archive","target":"1","outcome":"done","answer":{}}]\n',
        made: ({ channels }) => channels.get(1)!.is_archived,
      },
      {
        typed: "design '#general' 1 --yes",
        sends: [allChannels, "DELETE /streams/1", "DELETE /streams/2"],
        prints: 'Archived channel "design".\nArchived channel "#general".\n',
        of: 2,
        made: ({ channels }) => Number(channels.get(1)!.is_archived) + Number(channels.get(2)!.is_archived),
      },
    ],
    refused: [
      ...usage({
        "2": "confirmation required: stdin is not a terminal. Archive channel 2 on chat.example? Subscribers lose access. It has 7 subscribers. This takes it from the channels of new people. Pass --yes to confirm.",
      }),
      { typed: "99 --yes", says: "Invalid channel ID" },
      { typed: "2 --yes", as: 400, says: "You do not have permission to administer this channel." },
    ],
  }),

  unarchive: change(updateChannel, {
    several: true,
    lines: [
      {
        typed: "7",
        sends: "PATCH /streams/7 is_archived=false",
        prints: "Unarchived channel 7.\n",
        made: ({ channels }) => !channels.get(7)!.is_archived,
        ignoring: { params: ["is_archived"], code: 5 },
      },
    ],
    refused: [
      { typed: "7", as: 400, says: "You do not have permission to administer this channel." },
      ...since(388, { attic: "channel unarchive" }),
    ],
  }),

  topics: read({
    lines: [
      {
        typed: "1",
        sends: [
          "GET /streams?exclude_archived=false&include_all=true",
          "GET /users/me/1/topics?allow_empty_topic_name=true",
          "GET /messages?message_ids=%5B3%2C2%5D&apply_markdown=false&allow_empty_topic_name=true",
        ],
        prints: "TOPIC\tLAST MESSAGE\tNEWEST\n✔ colours\t2026-01-15 12:00Z\t3\nlogo\t2026-01-15 12:00Z\t2\n",
        ids: "3\n2\n",
      },
    ],
    refused: [{ typed: "4", as: 400, says: "Invalid channel ID" }],
  }),

  email: read({
    lines: [{ typed: "1", sends: "GET /streams/1/email_address", ids: "" }],
    refused: [{ typed: "4", as: 400, says: "Invalid channel ID" }],
  }),
};

import { sendMessage, updateMessage } from "../../src/api/messages.ts";
import type { messagesNoun } from "../../src/commands/messages.ts";
import { type CasesOf, change, local, read, usage } from "./case.ts";

const everyKind =
  '[["is","starred"],{"operator":"sender","operand":8,"negated":true},{"operator":"dm","operand":[8,9]}]';

/** Search terms as they are sent. */
const narrowOf = (terms: Record<string, unknown>): string =>
  new URLSearchParams({
    narrow: JSON.stringify(Object.entries(terms).map(([operator, operand]) => ({ operator, operand }))),
  }).toString();

/** The request for all messages of a search. */
export const searchAll = (terms: Record<string, unknown>): string =>
  `GET /messages?anchor=newest&num_before=5000&num_after=0&${narrowOf(terms)}&apply_markdown=false&allow_empty_topic_name=true`;

/** The request for messages by their ids. */
const byIds = (ids: string): string =>
  `GET /messages?narrow=%5B%5D&message_ids=${ids}&apply_markdown=false&allow_empty_topic_name=true`;

const noSelection = (flag: string, problem = "is empty"): string =>
  `${flag} ${problem}: it would match every message of this account\nTo select all of them, pass --all instead of ${flag}.`;

const emptyFilters = {
  "--narrow '' --since 3d": noSelection("--narrow"),
  "--narrow ' \u00a0\u200b\ufeff'": noSelection("--narrow"),
  "--narrow '\"\"'": noSelection("--narrow"),
  "--narrow 'in:all near:1'": noSelection("--narrow", "selects nothing in particular"),
  "--narrow-json []": noSelection("--narrow-json"),
  "--narrow-json ' '": noSelection("--narrow-json"),
  // The variable between the colon and the blank is unset.
  "--narrow '-topic: budget'":
    "--narrow, column 1: missing value after topic:\nWrite the value without a blank before it.",
};

const filterErrors = {
  "": "missing required flag: --ids, --narrow, --since, --until or --all",
  "--limit 3": "missing required flag: --ids, --narrow, --since, --until or --all",
  "--narrow '' --all": "--narrow cannot be combined with --all",
  "--ids 1 --all": "--ids cannot be combined with --all",
  "--ids 1 --narrow x": "--ids cannot be combined with --narrow",
  "--ids 1 --limit 3": "--ids cannot be combined with --limit",
  "--resume last --narrow-json []": "--resume cannot be combined with --narrow-json",
  "--resume last --keep x": "--resume cannot be combined with --keep",
};

export const cases: CasesOf<typeof messagesNoun> = {
  show: read({
    lines: [{ typed: "1 --jq .[].content", sends: "GET /messages/1?apply_markdown=false" }],
    refused: [{ typed: "999", says: "Invalid message(s)" }],
  }),

  send: change(sendMessage, {
    lines: [
      {
        typed: "--channel design --topic logo --content 'It is ready.'",
        sends: [
          "GET /streams?exclude_archived=false&include_all=true",
          "POST /messages type=channel&to=1&topic=logo&content=It+is+ready.",
        ],
        prints: "Sent message 13.\n",
        ids: "13\n",
        json: '{"id":13}\n',
        made: ({ messages }, before) => messages.size - before.messages.size,
        ignoring: { params: ["topic"], code: 1 },
      },
      {
        typed: "--to cora@sandbox.example,12 --content -",
        input: "Lunch?\n",
        sends: ["GET /users", "POST /messages type=direct&to=%5B11%2C12%5D&content=Lunch%3F"],
        made: ({ messages }, before) => messages.size - before.messages.size,
      },
    ],
    wire: [["--channel 1 --topic '' --content x", "POST /messages type=channel&to=1&topic=&content=x"]],
    refused: [
      ...usage({
        "--content x": "messages send requires --channel or --to",
        "--channel 1 --content x": "--channel requires --topic",
        "--channel 1 --topic t --to 8 --content x": "--to cannot be combined with --channel",
        "--to 8 --content ''": "--content: the message is empty",
        [`--channel 1 --content x --topic ${"t".repeat(61)}`]:
          "--topic: invalid topic: it has 61 characters, and at most 60 are allowed",
        [`--to 8 --content ${"x".repeat(10_001)}`]:
          "--content: the message has 10,001 characters, and at most 10,000 are allowed",
      }),
      { typed: "--to 999 --content x", says: "Invalid user ID 999" },
    ],
  }),

  edit: change(updateMessage, {
    lines: [
      {
        typed: "4 --content 'We release on Monday'",
        sends: "PATCH /messages/4 content=We+release+on+Monday",
        prints: "Updated message 4.\n",
        made: ({ messages }) => messages.get(4)!.content === "We release on Monday",
        ignoring: { params: ["content"], code: 1 },
      },
    ],
    refused: [
      ...usage({ "4 --content ' '": "--content: the message is empty" }),
      { typed: "1 --content x", says: "You don't have permission to edit this message" },
    ],
  }),

  delete: local({
    lines: [
      {
        typed: "--narrow channel:design --limit 1 --yes -q",
        sends: [searchAll({ channel: "design" }).replace("5000", "1"), "DELETE /messages/3"],
        prints: "ROW\tTARGET\tOUTCOME\tRESULT\n1\t3\tdone\tDeleted message 3.\n",
      },
      { typed: "--ids 1,2 --dry-run --json --yes -q", sends: byIds("%5B1%2C2%5D") },
      ...["--all", "--since 3d", "--all --until 3d"].map((typed) => ({
        typed: `${typed} --dry-run --json --yes -q`,
        sends: `GET /messages?anchor=newest&num_before=${typed === "--since 3d" ? 1000 : 5000}&num_after=0&apply_markdown=false&allow_empty_topic_name=true`,
      })),
    ],
    refused: usage({ ...filterErrors, ...emptyFilters, "--ids 1,,2": '--ids: "1,,2" has an empty item' }),
  }),

  move: local({
    lines: [
      {
        typed: "--ids 4 --to-topic plans --yes -q",
        sends: [
          byIds("%5B4%5D"),
          "PATCH /messages/4 topic=plans&propagate_mode=change_one" +
            "&send_notification_to_old_thread=false&send_notification_to_new_thread=false",
        ],
        prints: "ROW\tTARGET\tOUTCOME\tRESULT\n1\t4\tdone\tMoved message 4.\n",
      },
    ],
    refused: usage({
      ...filterErrors,
      ...Object.fromEntries(Object.entries(emptyFilters).map(([typed, says]) => [`${typed} --to-topic x`, says])),
      "--ids 1": "messages move requires --to-topic or --to-channel",
      "--resume last --to-topic x": "--resume cannot be combined with --to-topic",
    }),
  }),

  match: read({
    lines: [
      {
        typed: "--ids 1,2 --narrow is:starred",
        sends:
          "GET /messages/matches_narrow?msg_ids=%5B1%2C2%5D" +
          "&narrow=%5B%7B%22operator%22%3A%22is%22%2C%22operand%22%3A%22starred%22%7D%5D",
        notes: '"no": it does not match, or this account cannot see it.\n',
      },
    ],
    wire: [
      [
        "--ids 1342,1343 --narrow wonderful",
        "GET /messages/matches_narrow?msg_ids=%5B1342%2C1343%5D" +
          "&narrow=%5B%7B%22operator%22%3A%22search%22%2C%22operand%22%3A%22wonderful%22%7D%5D",
      ],
      [
        ["--ids", "1", "--narrow-json", everyKind],
        "GET /messages/matches_narrow?msg_ids=%5B1%5D" +
          "&narrow=%5B%7B%22operator%22%3A%22is%22%2C%22operand%22%3A%22starred%22%7D" +
          "%2C%7B%22operator%22%3A%22sender%22%2C%22operand%22%3A8%2C%22negated%22%3Atrue%7D" +
          "%2C%7B%22operator%22%3A%22dm%22%2C%22operand%22%3A%5B8%2C9%5D%7D%5D",
      ],
    ],
    refused: [
      ...usage({
        "--narrow x": 'messages match needs --ids <id,...>\nRun "zulipctl messages match --help" for usage.',
        "--ids 1": "messages match requires --narrow or --narrow-json",
        "--ids 1 --narrow x --narrow-json []": "--narrow cannot be combined with --narrow-json",
        "--ids 1,x --narrow x": '--ids: invalid id "x": must be a whole number',
        "--ids '' --narrow x": "--ids: no ids given",
        "--ids 1 --narrow x --fields content,tpic": '--fields: unknown field "tpic"\nDid you mean: topic?',
        "--ids 1 --narrow-json {}": "--narrow-json must be a list of terms",
        [`--ids 1 --narrow ${"x".repeat(8000)}`]: "--narrow is too long: a request line must be under 8,000 bytes",
      }),
      {
        typed: "--ids 1 --narrow mentions:8",
        level: 445,
        says: "--narrow: mentions: requires feature level 446; chat.example has level 445",
      },
    ],
  }),
  find: read({
    lines: [
      {
        typed: "--narrow channel:design --limit 2 -o ids",
        sends:
          "GET /messages?anchor=newest&num_before=2&num_after=0" +
          "&narrow=%5B%7B%22operator%22%3A%22channel%22%2C%22operand%22%3A%22design%22%7D%5D&apply_markdown=false",
      },
      {
        typed: "--before 3 --after 1 -o ids",
        sends: "GET /messages?anchor=2&num_before=100&num_after=0&apply_markdown=false",
        prints: "2\n",
      },
    ],
    refused: [
      ...usage({
        "--before 3 --after 2": "no message is between --after and --before",
        "--narrow x --narrow-json []": "--narrow cannot be combined with --narrow-json",
      }),
    ],
  }),
};

import { updateMessage } from "../../src/api/messages.ts";
import { deleteTopic } from "../../src/api/topics.ts";
import type { topicNoun } from "../../src/commands/topic.ts";
import { type CasesOf, change, read } from "./case.ts";
import { searchAll } from "./messages.ts";

/** The requests that find a topic and all its messages. */
const search = (channel: number, topic: string) => [allChannels, searchAll({ channel, topic })];

const allChannels = "GET /streams?exclude_archived=false&include_all=true";

const topics = (channel: number) => `GET /users/me/${channel}/topics?allow_empty_topic_name=true`;

const moveAll = "propagate_mode=change_all&send_notification_to_old_thread=false&send_notification_to_new_thread=true";

const notFound = {
  code: 2,
  says: '<topic>: topic "none" not found in channel "design", or not visible\nList topics with: zulipctl topic list design',
};

export const cases: CasesOf<typeof topicNoun> = {
  list: read({
    lines: [
      {
        typed: "design",
        sends: [
          allChannels,
          topics(1),
          "GET /messages?message_ids=%5B3%2C2%5D&apply_markdown=false&allow_empty_topic_name=true",
        ],
      },
    ],
  }),

  rename: change(updateMessage, {
    lines: [
      {
        typed: "general 'release plan' 'release 2.0' --yes -q",
        sends: [...search(2, "release plan"), `PATCH /messages/5 topic=release+2.0&${moveAll}`],
        prints: 'Renamed topic "release plan" to "release 2.0".\n',
        made: ({ messages }) => [4, 5].every((id) => messages.get(id)!.topic === "release 2.0"),
        ignoring: { params: ["topic"], code: 1 },
      },
    ],
    refused: [{ typed: "design none x --yes", ...notFound }],
  }),

  move: change(updateMessage, {
    lines: [
      {
        typed: "general 'release plan' --to-channel design --yes -q",
        sends: [...search(2, "release plan"), `PATCH /messages/5 stream_id=1&${moveAll}`],
        prints: 'Moved topic "release plan" to channel "design".\n',
        made: ({ messages }) => [4, 5].every((id) => messages.get(id)!.stream_id === 1),
        ignoring: { params: ["stream_id"], code: 1 },
      },
    ],
    refused: [{ typed: "design none --to-channel general --yes", ...notFound }],
  }),

  resolve: change(updateMessage, {
    lines: [
      {
        typed: "general 'release plan'",
        sends: [
          allChannels,
          searchAll({ channel: 2, topic: "release plan" }).replace("5000", "1"),
          topics(2),
          `PATCH /messages/5 topic=%E2%9C%94+release+plan&${moveAll}`,
        ],
        prints: 'Resolved topic "release plan".\n',
        made: ({ messages }) => [4, 5].every((id) => messages.get(id)!.topic === "✔ release plan"),
        ignoring: { params: ["topic"], code: 1 },
      },
    ],
    refused: [
      { typed: "design none", ...notFound },
      {
        typed: `design ${"t".repeat(59)}`,
        given: ({ messages }) => void Object.assign(messages.get(1)!, { topic: "t".repeat(59) }),
        code: 2,
        says: "<topic>: invalid topic: it has 61 characters, and at most 60 are allowed",
      },
    ],
  }),

  unresolve: change(updateMessage, {
    lines: [
      {
        typed: "design colours",
        sends: [
          allChannels,
          searchAll({ channel: 1, topic: "✔ colours" }).replace("5000", "1"),
          topics(1),
          `PATCH /messages/3 topic=colours&${moveAll}`,
        ],
        prints: 'Unresolved topic "✔ colours".\n',
        made: ({ messages }) => messages.get(3)!.topic === "colours",
        ignoring: { params: ["topic"], code: 1 },
      },
    ],
  }),

  delete: change(deleteTopic, {
    lines: [
      {
        typed: "design logo --yes -q",
        sends: [...search(1, "logo"), "POST /streams/1/delete_topic topic_name=logo"],
        prints: 'Deleted topic "logo".\n',
        made: ({ messages }) => !messages.has(1) && !messages.has(2),
        ignoring: { params: ["topic_name"], code: 1 },
      },
    ],
    refused: [
      { typed: "design none --yes", ...notFound },
      {
        typed: "general release --yes",
        code: 2,
        says: '<topic>: topic "release" not found in channel "general", or not visible\nDid you mean: release plan?',
      },
      { typed: "design logo -y -q", as: "cora@sandbox.example", says: "Must be an organization administrator" },
    ],
  }),
};

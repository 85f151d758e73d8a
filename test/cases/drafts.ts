import { createDrafts, removeDraft, updateDraft } from "../../src/api/drafts.ts";
import type { draftsNoun } from "../../src/commands/drafts.ts";
import type { SandboxState } from "../../src/sandbox/index.ts";
import { type CasesOf, change, read, refusals, usage } from "./case.ts";

const encodedDraft = (content: string) =>
  `%7B%22type%22%3A%22%22%2C%22to%22%3A%5B%5D%2C%22topic%22%3A%22%22%2C%22content%22%3A%22${content}%22%7D`;
const threeDrafts = [1, 2, 3].map((n) => ({ type: "", to: [], topic: "", content: `draft ${n}` }));

/** Adds a draft for a channel and one for a person. */
const addDrafts = ({ drafts, users }: SandboxState) => {
  const own = { user_id: [...users.values()].find(({ role }) => role === 100)!.user_id, content: "hi" };
  drafts.set(1, { ...own, id: 1, type: "stream", to: [2], topic: "x", timestamp: 1_595_479_019 });
  drafts.set(2, { ...own, id: 2, type: "private", to: [11], topic: "", timestamp: 1_595_479_020 });
};

const encodedEdit = (type: string, to: number, topic: string, content: string, timestamp = "") =>
  `draft=%7B%22type%22%3A%22${type}%22%2C%22to%22%3A%5B${to}%5D%2C%22topic%22%3A%22${topic}%22%2C%22content%22%3A%22${content}%22${timestamp}%7D`;

const removedCount = (state: SandboxState, before: SandboxState) => before.drafts.size - state.drafts.size;

const invalid = { code: 2, given: addDrafts };

export const cases: CasesOf<typeof draftsNoun> = {
  add: change(createDrafts, {
    lines: [
      {
        typed: "--content 'a draft'",
        sends: `POST /drafts drafts=%5B${encodedDraft("a+draft")}%5D`,
        made: ({ drafts }, before) => drafts.size - before.drafts.size,
        ignoring: { params: ["drafts"], code: 1 },
      },
      {
        typed: "--from -",
        input: JSON.stringify(threeDrafts),
        sends: `POST /drafts drafts=%5B${["draft+1", "draft+2", "draft+3"].map(encodedDraft).join("%2C")}%5D`,
        prints: "Added 3 drafts.\n",
        ids: "1\n2\n3\n",
        made: ({ drafts }, before) => (drafts.size - before.drafts.size) / 3,
      },
      {
        typed: "--from d.ndjson",
        files: { "d.ndjson": threeDrafts.map((one) => `${JSON.stringify(one)}\n\n`).join("") },
        sends: `POST /drafts drafts=%5B${["draft+1", "draft+2", "draft+3"].map(encodedDraft).join("%2C")}%5D`,
        made: ({ drafts }, before) => (drafts.size - before.drafts.size) / 3,
      },
      {
        typed: "--channel general --topic x --content hi",
        sends: [
          "GET /streams?exclude_archived=false&include_all=true",
          "POST /drafts drafts=%5B%7B%22type%22%3A%22stream%22%2C%22to%22%3A%5B2%5D%2C%22topic%22%3A%22x%22%2C%22content%22%3A%22hi%22%7D%5D",
        ],
        ids: "1\n",
        made: ({ drafts }, before) => drafts.size - before.drafts.size,
      },
    ],
    wire: Object.entries({
      "--channel 22 --topic a --content b --timestamp 1595479019":
        "POST /drafts drafts=%5B%7B%22type%22%3A%22stream%22%2C%22to%22%3A%5B22%5D%2C%22topic%22%3A%22a%22" +
        "%2C%22content%22%3A%22b%22%2C%22timestamp%22%3A1595479019%7D%5D",
      "--to 8,9 --content b":
        "POST /drafts drafts=%5B%7B%22type%22%3A%22private%22%2C%22to%22%3A%5B8%2C9%5D%2C%22topic%22%3A%22%22" +
        "%2C%22content%22%3A%22b%22%7D%5D",
      "--content b": `POST /drafts drafts=%5B${encodedDraft("b")}%5D`,
    }),
    refused: usage({
      "": "drafts add requires --content or --from",
      "--from d.json --content x": "--from cannot be combined with --content",
      "--channel 1 --content x": "--channel requires --topic",
      "--topic t --content x": "--topic requires --channel",
      "--content x --timestamp yesterday":
        '--timestamp: invalid time "yesterday"\nPass Unix seconds or ISO 8601: --timestamp 1764547200, --timestamp 2025-12-01T00:00:00Z.',
      "--to 8,,9 --content x": '--to: "8,,9" has an empty item',
      "--from missing.json": "--from: file not found: missing.json",
    }),
  }),
  edit: change(updateDraft, {
    lines: [
      {
        typed: "1 --channel 1 --topic a --content b",
        given: addDrafts,
        sends: `PATCH /drafts/1 ${encodedEdit("stream", 1, "a", "b")}`,
        prints: "Updated draft 1.\n",
        json: "{}\n",
        made: ({ drafts }) => drafts.get(1)!.topic === "a" && drafts.get(1)!.content === "b",
        ignoring: { params: ["draft"], code: 1 },
      },
      {
        typed: "1 --content b",
        given: addDrafts,
        sends: ["GET /drafts", `PATCH /drafts/1 ${encodedEdit("stream", 2, "x", "b")}`],
        made: ({ drafts }) => drafts.get(1)!.content === "b",
      },
      {
        typed: "1 --topic y --timestamp 9",
        given: addDrafts,
        sends: ["GET /drafts", `PATCH /drafts/1 ${encodedEdit("stream", 2, "y", "hi", "%2C%22timestamp%22%3A9")}`],
        made: ({ drafts }) => drafts.get(1)!.topic === "y" && drafts.get(1)!.timestamp === 9,
      },
      {
        typed: "1 --to 12",
        given: addDrafts,
        sends: ["GET /drafts", `PATCH /drafts/1 ${encodedEdit("private", 12, "", "hi")}`],
        made: ({ drafts }) => drafts.get(1)!.type === "private",
      },
      {
        typed: "2 --from -",
        given: addDrafts,
        input: '{"type":"","to":[],"topic":"","content":"whole"}',
        sends: `PATCH /drafts/2 draft=${encodedDraft("whole")}`,
        made: ({ drafts }) => drafts.get(2)!.content === "whole",
      },
    ],
    wire: [["7 --channel 22 --topic a --content b", `PATCH /drafts/7 ${encodedEdit("stream", 22, "a", "b")}`]],
    refused: [
      ...refusals(invalid, {
        "1": 'drafts edit requires at least one flag that says what to change\nRun "zulipctl drafts edit --help" for usage.',
        "x --content c": 'invalid <id> "x": must be a whole number\nRun "zulipctl drafts edit --help" for usage.',
        "1 --to 8 --topic t": "--to cannot be combined with --topic",
        "1 --to 8 --channel 1": "--to cannot be combined with --channel",
        "1 --from - --topic t": "--from cannot be combined with --topic",
        "2 --topic t": "the draft is for no channel yet: --topic requires --channel",
        "2 --channel 1": "the draft is for no channel yet: --channel requires --topic",
        "9 --content c": "<id>: draft 9 not found\nList them with: zulipctl drafts list",
      }),
      {
        ...invalid,
        typed: "1 --from -",
        input: JSON.stringify(threeDrafts),
        says: "--from must contain one draft, not 3",
      },
      { ...invalid, typed: ["1", "--content", " "], says: "--content: cannot be empty" },
      { typed: "9 --channel 1 --topic t --content c", says: "Draft does not exist" },
    ],
  }),

  rm: change(removeDraft, {
    several: true,
    lines: [
      {
        typed: "1 --yes",
        given: addDrafts,
        sends: "DELETE /drafts/1",
        prints: "Deleted draft 1.\n",
        made: removedCount,
      },
      {
        typed: "- --yes",
        given: addDrafts,
        input: "1\n2\n",
        sends: ["DELETE /drafts/1", "DELETE /drafts/2"],
        of: 2,
        made: removedCount,
      },
    ],
    refused: [
      ...usage({
        "1": "confirmation required: stdin is not a terminal. Delete draft 1 on chat.example? Pass --yes to confirm.",
      }),
      { typed: "9 --yes", says: "Draft does not exist" },
    ],
  }),

  list: read({
    lines: [
      {
        typed: "",
        given: addDrafts,
        sends: ["GET /drafts", "GET /streams?exclude_archived=false&include_all=true", "GET /users?user_ids=%5B11%5D"],
        prints:
          "ID\tTYPE\tTO\tTOPIC\tEDITED\tCONTENT\n1\tchannel\tgeneral\tx\t2020-07-23 04:36Z\thi\n" +
          "2\tdirect\tCora Member\t\t2020-07-23 04:37Z\thi\n",
      },
    ],
  }),
};

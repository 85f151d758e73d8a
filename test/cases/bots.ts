import { deactivateBot, updateBot } from "../../src/api/bots.ts";
import { reactivateUser } from "../../src/api/people.ts";
import type { botsNoun } from "../../src/commands/bots.ts";
import type { SandboxState } from "../../src/sandbox/index.ts";
import { type CasesOf, change, local, read, refusals, usage } from "./case.ts";
import { showGravatars } from "./users.ts";

/** The id of Beep Bot. */
const beep = 14;
const deactivate = (state: SandboxState) => void Object.assign(state.users.get(beep)!, { is_active: false });
const botIn = ({ users }: SandboxState) => users.get(beep)!;
const newestQuery =
  "anchor=newest&num_before=1&num_after=0&narrow=%5B%7B%22operator%22%3A%22channels%22%2C%22operand%22%3A%22public%22%7D%2C%7B%22operator%22%3A%22sender%22%2C%22operand%22%3A14%7D%5D&apply_markdown=false";

export const cases: CasesOf<typeof botsNoun> = {
  list: read({
    lines: [
      {
        typed: "",
        sends: "GET /users",
        prints: "ID\tNAME\tEMAIL\tKIND\tOWNER\n14\tBeep Bot\tbeep-bot@sandbox.example\tgeneric\tIris Owner\n",
        ids: "14\n",
      },
      { typed: "--owner cora@sandbox.example", sends: ["GET /users", "GET /users"], ids: "" },
      { typed: "--deactivated", given: deactivate, sends: "GET /users", ids: "14\n" },
      { typed: "", given: showGravatars, sends: "GET /users", ids: "14\n" },
    ],
  }),

  show: read({
    lines: [
      {
        typed: "14",
        sends: ["GET /users/14", `GET /messages?${newestQuery}`, "GET /users?user_ids=%5B8%5D"],
        ids: "14\n",
      },
      { typed: "14 -o json", given: showGravatars, sends: ["GET /users/14", `GET /messages?${newestQuery}`] },
    ],
    refused: [
      ...usage({ "11": "<bot>: 11 is a person\nList bots with: zulipctl bots list" }),
      { typed: "99", says: "No such user" },
    ],
  }),

  create: local({
    lines: [
      {
        typed: "'Build server' --short-name build --print",
        sends: "POST /bots full_name=Build+server&short_name=build&bot_type=1",
      },
      {
        typed: "Alerts --short-name alerts --type incoming-webhook --owner 11 --store keychain",
        sends: [
          "POST /bots full_name=Alerts&short_name=alerts&bot_type=2",
          "GET /users/16",
          "PATCH /bots/16 bot_owner_id=11",
        ],
        prints:
          "Created bot 16. Profile alerts-bot: alerts-bot@chat.example on https://chat.example, the key in the keychain.\n",
        json: '{"profile":"alerts-bot","site":"https://chat.example","email":"alerts-bot@chat.example","user_id":16,"store":"keychain"}\n',
      },
      {
        typed: "Mine --short-name mine --owner me --store keychain",
        sends: ["GET /users/me", "POST /bots full_name=Mine&short_name=mine&bot_type=1", "GET /users/16"],
      },
      {
        typed: "Out --short-name out --type outgoing-webhook --payload-url https://b.example/ --store file",
        sends: [
          "POST /bots full_name=Out&short_name=out&bot_type=3&payload_url=%22https%3A%2F%2Fb.example%2F%22",
          "GET /users/16",
        ],
      },
    ],
    refused: [
      ...usage({
        "A --short-name a":
          "bots create requires --store or --print: the key must go somewhere\n--store keychain keeps it as a profile, --print writes it to stdout.",
        "A --short-name a --print --store file": "--print cannot be combined with --store",
        "A --short-name a --print -o ids":
          "--print would not print the key with these flags\nRemove --output and --fields.",
        "A --short-name a --type outgoing-webhook --print": "--type outgoing-webhook requires --payload-url",
        "A --short-name a --payload-url https://b.example --print": "--payload-url requires --type outgoing-webhook",
      }),
      ...refusals(
        {},
        {
          "'Cora Member' --short-name cora --print": "Name is already in use.",
          "'Two words' --short-name 'two words' --print": "Bad name or username",
        },
      ),
    ],
  }),

  update: change(updateBot, {
    lines: [
      {
        typed: "14 --name Bleep",
        sends: "PATCH /bots/14 full_name=Bleep",
        prints: "Updated bot 14: name.\n",
        made: (state) => botIn(state).full_name === "Bleep",
        ignoring: { params: ["full_name"], code: 5 },
      },
      {
        typed: "14 --name Bleep --owner 11",
        sends: "PATCH /bots/14 full_name=Bleep&bot_owner_id=11",
        made: (state) => botIn(state).bot_owner_id === 11,
        parts: ["full_name", "bot_owner_id"],
      },
    ],
    refused: [
      { typed: "11 --name x", says: "No such bot" },
      { typed: "14 --name 'Cora Member'", says: "Name is already in use." },
      { typed: "14 --name Bleep", as: 400, says: "Insufficient permission", unexplained: true },
      {
        typed: "14",
        code: 2,
        says: 'bots update requires at least one flag that says what to change\nRun "zulipctl bots update --help" for usage.',
      },
    ],
  }),

  "rotate-key": local({
    lines: [
      { typed: "14 --print --yes", sends: "POST /bots/14/api_key/regenerate" },
      {
        typed: "14 --store keychain --yes",
        sends: ["POST /bots/14/api_key/regenerate", "GET /users/14"],
        prints:
          "Replaced the API key of bot 14. Profile beep-bot: beep-bot@sandbox.example on https://chat.example, the key in the keychain.\n",
      },
    ],
    refused: [
      ...usage({
        "14 --print":
          "confirmation required: stdin is not a terminal. Replace the API key of bot 14 on chat.example? The old key stops working at once. Pass --yes to confirm.",
      }),
      { typed: "11 --print --yes", says: "No such bot" },
    ],
  }),

  deactivate: change(deactivateBot, {
    several: true,
    lines: [
      {
        typed: "14 --yes",
        sends: ["GET /users", "GET /users/me", "DELETE /bots/14"],
        prints: "Deactivated bot 14.\n",
        made: (state) => !botIn(state).is_active,
      },
    ],
    refused: [
      ...usage({
        "14": "confirmation required: stdin is not a terminal. Deactivate bot 14 on chat.example? Keys of deactivated bots stop working. Pass --yes to confirm.",
      }),
      { typed: "11 --yes", says: "No such bot" },
    ],
  }),

  reactivate: change(reactivateUser, {
    several: true,
    lines: [
      {
        typed: "14",
        given: deactivate,
        sends: ["GET /users", "POST /users/14/reactivate"],
        prints: "Reactivated bot 14.\n",
        made: (state) => botIn(state).is_active,
      },
    ],
    refused: [
      {
        typed: "14",
        given: (state) => {
          deactivate(state);
          Object.assign(state.users.get(11)!, { full_name: "Beep Bot" });
        },
        says: 'There is already an active bot named "Beep Bot" in this organization. To reactivate this bot, you must rename or deactivate the other one first.',
      },
    ],
  }),
};

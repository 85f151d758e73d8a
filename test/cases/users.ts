import { createUser, deactivateUser, reactivateUser, regenerateKey, updateUser } from "../../src/api/people.ts";
import type { usersNoun } from "../../src/commands/users.ts";
import type { SandboxState } from "../../src/sandbox/index.ts";
import { type CasesOf, change, local, read, refusals, usage } from "./case.ts";
import { snapshotReads } from "./org.ts";

const groups = "GET /user_groups?include_deactivated_groups=true";
const fields = "GET /realm/profile_fields";
const mayCreate = ({ users }: SandboxState) => {
  users.get(8)!.can_create_users = true;
};

/** Clients compute the pictures of these accounts, so their address is null. */
export const showGravatars = ({ users }: SandboxState) => {
  for (const user of users.values()) Object.assign(user, { avatar_source: "gravatar", email_address_visibility: 1 });
};

export const cases: CasesOf<typeof usersNoun> = {
  list: read({
    lines: [
      { typed: "-o ndjson", sends: "GET /users" },
      { typed: "-o json", given: showGravatars, sends: "GET /users" },
      { typed: "", sends: "GET /users", ids: "8\n9\n10\n11\n12\n13\n14\n15\n" },
      {
        typed: "--ids cora@sandbox.example",
        sends: ["GET /users", "GET /users?user_ids=%5B11%5D"],
        shows: "GET https://chat.example/api/v1/users  users.list\n  user_ids = [11 (Cora Member)]\n",
      },
      { typed: "--ids @none", files: { none: "\n" }, sends: [], json: "[]\n" },
      {
        typed: "--activity",
        sends: [
          "GET /users",
          "POST /register slim_presence=true&presence_history_limit_days=36500&event_types=%5B%5D&fetch_event_types=%5B%22presence%22%5D",
          "DELETE /events queue_id=bb3ddc32-1357-715a-e204-c7a91c6a9519",
        ],
        shows:
          "POST https://chat.example/api/v1/register  events.register\n" +
          '  slim_presence = true\n  presence_history_limit_days = 36500\n  event_types = []\n  fetch_event_types = ["presence"]\n' +
          "GET https://chat.example/api/v1/users  users.list\n",
      },
      {
        typed: "--group makers --not-in-channel 1",
        sends: [groups, "GET /user_groups/19/members", "GET /streams/1/members", "GET /users"],
        ids: "9\n10\n",
      },
    ],
    wire: Object.entries({
      "--role guest": "GET /users",
      "--ids 8,9 --no-client-gravatar --include-custom-profile-fields": [
        "GET /realm/profile_fields",
        "GET /users?client_gravatar=false&include_custom_profile_fields=true&user_ids=%5B8%2C9%5D",
      ],
      "--fields Phone": ["GET /realm/profile_fields", "GET /users?include_custom_profile_fields=true"],
      "--include-custom-profile-fields -o ndjson": "GET /users?include_custom_profile_fields=true",
      "--group 17,18": ["GET /user_groups/17/members", "GET /user_groups/18/members", "GET /users"],
      "--owner me": ["GET /users/me", "GET /users"],
    }),
    refused: [
      { typed: "--group 17", as: 600, says: "Not allowed for guest users" },
      { typed: "--channel 99", says: "Invalid channel ID" },
      {
        typed: "--group 18",
        level: 371,
        given: ({ groups }) => void Object.assign(groups.get(18)!, { deactivated: true }),
        says: "User group is deactivated.",
      },
      ...usage({
        "--role modertor": '--role: unknown role "modertor"\nDid you mean: moderator?',
        "--role king":
          '--role: unknown role "king"\nValid values: owner, administrator, moderator, member, guest, and numbers.',
        "--active --deactivated": "--active cannot be combined with --deactivated",
        "--owner me --humans": "--humans cannot be combined with --owner",
        "--client-gravatar --no-client-gravatar": "--client-gravatar cannot be combined with --no-client-gravatar",
        "--ids ''": '--ids: "" has an empty item',
        "--ids Ada":
          '--ids: "Ada" is not an id or an e-mail address\nDid you mean: Adam Admin (9, adam@sandbox.example)?',
      }),
    ],
  }),

  show: read({
    lines: [
      {
        typed: "11",
        sends: ["GET /users/11?include_custom_profile_fields=true", fields, "GET /users?user_ids=%5B8%5D"],
        prints:
          "FIELD\tVALUE\nID\t11\nName\tCora Member\nE-mail\tcora@sandbox.example\nKind\tperson\nRole\tmember\n" +
          "State\tactive\nJoined\t2026-01-15 12:00Z\nPhone\t+49 30 1234\nAbout me\tI *draw*.\nOffice\tLisbon\n" +
          "Mentor\t8 (Iris Owner)\n",
        ids: "11\n",
      },
      {
        typed: "14",
        sends: ["GET /users/14?include_custom_profile_fields=true", "GET /users?user_ids=%5B8%5D"],
      },
      { typed: "11 -o json", sends: "GET /users/11?include_custom_profile_fields=true" },
      { typed: "12 -o json", given: showGravatars, sends: "GET /users/12?include_custom_profile_fields=true" },
    ],
    refused: [{ typed: "99", says: "No such user" }],
  }),

  channels: read({
    lines: [
      {
        typed: "10",
        sends: ["GET /users/10/channels", "GET /streams?exclude_archived=false&include_all=true&include_default=true"],
        prints:
          "ID\tNAME\tPRIVACY\tDEFAULT\tFOLDER\tSUBSCRIBERS\tDESCRIPTION\n" +
          "5\tcouncil\tprivate\t\t\t3\tPrivate, with its whole history\n" +
          "2\tgeneral\tpublic\tyes\t\t7\tEveryone\n" +
          "6\tmoderation requests\tprivate\t\t\t3\tReported messages\n",
        ids: "5\n2\n6\n",
        shows:
          "GET https://chat.example/api/v1/users/10/channels  users.channels\n" +
          "GET https://chat.example/api/v1/streams  channel.list\n" +
          "  exclude_archived = false\n  include_all = true\n  include_default = true\n",
      },
      ...[439, 411].map((level) => ({
        typed: "cora@sandbox.example -o ids",
        level,
        sends: [
          "GET /users",
          "POST /register include_subscribers=true&client_capabilities=%7B%22notification_settings_null%22%3Afalse%7D&event_types=%5B%5D&fetch_event_types=%5B%22subscription%22%5D",
          "DELETE /events queue_id=bb3ddc32-1357-715a-e204-c7a91c6a9519",
          "GET /streams?include_all=true&include_default=true",
        ],
        prints: "3\n5\n1\n2\n",
        shows:
          "POST https://chat.example/api/v1/register  events.register\n" +
          `  include_subscribers = ${level === 439 ? '"true"' : "true"}\n  client_capabilities = {"notification_settings_null":false}\n` +
          '  event_types = []\n  fetch_event_types = ["subscription"]\n' +
          "GET https://chat.example/api/v1/streams  channel.list\n" +
          "  include_all = true\n  include_default = true\n",
      })),
      {
        typed: "9 --fields name",
        as: 400,
        sends: ["GET /users/9/channels", "GET /streams?exclude_archived=false&include_all=true&include_default=true"],
        prints: "NAME\nannouncements\ngeneral\n",
      },
    ],
    refused: [
      { typed: "99", says: "No such user" },
      { typed: "99 -o ids", level: 371, says: "No such user" },
      { typed: "15", says: "User is deactivated" },
    ],
  }),

  groups: read({
    lines: [
      {
        typed: "11",
        sends: groups,
        prints:
          "ID\tNAME\tTHROUGH\tDESCRIPTION\n17\tdesigners\tdirect\tWho draws\n19\tmakers\tdesigners\tDesigners and writers\n" +
          "13\trole:fullmembers\tdirect\tMembers of this organization, not including new accounts and guests\n" +
          "14\trole:members\tdirect\tMembers of this organization, not including guests\n" +
          "15\trole:everyone\trole:fullmembers, role:members\tEveryone in this organization, including guests\n" +
          "16\trole:internet\trole:fullmembers, role:members\tEveryone on the Internet\n",
        ids: "17\n19\n13\n14\n15\n16\n",
      },
    ],
    refused: [
      { typed: "11", as: 600, says: "Not allowed for guest users" },
      { typed: "99 -o ids", says: "No such user" },
    ],
  }),

  create: change(createUser, {
    lines: [
      {
        typed: "--email ada@sandbox.example --full-name 'Ada Lovelace' --password-stdin",
        input: "en & gine\n",
        given: mayCreate,
        sends: "POST /users email=ada%40sandbox.example&password=en+%26+gine&full_name=Ada+Lovelace",
        prints: "Created user 16.\n",
        ids: "16\n",
        json: '{"user_id":16}\n',
        shows:
          "POST https://chat.example/api/v1/users  users.create\n" +
          '  email = "ada@sandbox.example"\n  password = "[secret]"\n  full_name = "Ada Lovelace"\n',
        made: ({ users }, before) => users.size - before.users.size,
        ignoring: { params: ["email"], code: 1 },
      },
    ],
  }),

  update: change(updateUser, {
    lines: [
      {
        typed: "12 --full-name 'Otis & Co' --role moderator",
        sends: ["GET /users/12", "GET /users/me", "PATCH /users/12 full_name=Otis+%26+Co&role=300"],
        prints: "Updated user 12: full name, role.\n",
        made: ({ users }) => users.get(12)!.full_name === "Otis & Co" && users.get(12)!.role === 300,
        ignoring: { params: ["full_name", "role"], code: 5 },
      },
      {
        typed: "otis@sandbox.example --profile-field Office=Lisbon --profile-field Mentor=8",
        sends: [
          "GET /users",
          fields,
          "PATCH /users/12 profile_data=%5B%7B%22id%22%3A3%2C%22value%22%3A%221%22%7D%2C%7B%22id%22%3A4%2C%22value%22%3A%5B8%5D%7D%5D",
        ],
        made: ({ users }) => users.get(12)!.profile.get(3) === "1" && users.get(12)!.profile.get(4) === "[8]",
      },
    ],
    wire: Object.entries({
      "12 --email o@sandbox.example": "PATCH /users/12 new_email=o%40sandbox.example",
      "12 --role owner": ["GET /users/me", "PATCH /users/12 role=100"],
      "12 --profile-field 1=": [fields, "PATCH /users/12 profile_data=%5B%7B%22id%22%3A1%2C%22value%22%3Anull%7D%5D"],
    }),
    refused: [
      { typed: "12 --full-name 'a*b'", says: "Invalid characters in name!" },
      { typed: `12 --profile-field Phone=${"1".repeat(51)}`, says: "Phone is too long (limit: 50 characters)" },
      { typed: "12 --full-name Otto", as: 300, says: "Insufficient permission" },
      ...usage({
        "12": 'users update requires at least one flag that says what to change\nRun "zulipctl users update --help" for usage.',
        "12 --full-name ' '": "--full-name is empty",
        "12 --email ''": "--email is empty",
        "12 --profile-field Office": '--profile-field: "Office" must be field=value\nAn empty value clears the field.',
        "12 --profile-field Ofice=x":
          '--profile-field: profile field "Ofice" not found, or not visible to this account\nDid you mean: Office (3)?',
        "12 --profile-field 77=x": "--profile-field: profile field 77 not found",
        "12 --profile-field Office=Rome":
          '--profile-field: "Rome" is not an option of Office\nAvailable: Berlin, Lisbon.',
        "12 --profile-field Mentor=Iris":
          '--profile-field: "Iris" is not an id or an e-mail address\nDid you mean: Iris Owner (8, iris@sandbox.example)?',
        "12 --profile-field 3=Berlin --profile-field Office=Lisbon": "--profile-field gives Office two values",
      }),
      {
        typed: "8 --role member --allow-lockout --yes",
        says: "The owner permission cannot be removed from the only organization owner.",
      },
    ],
  }),

  deactivate: change(deactivateUser, {
    several: true,
    lines: [
      {
        typed: "12 --comment 'Thank you' --yes",
        sends: ["GET /users", "GET /users/me", "DELETE /users/12 deactivation_notification_comment=Thank+you"],
        prints: "Deactivated user 12.\n",
        made: ({ users }) => !users.get(12)!.is_active,
        ignoring: { params: ["deactivation_notification_comment"], code: 5, made: 1 },
      },
      {
        typed: "12 13 --yes",
        sends: ["GET /users", "GET /users/me", "DELETE /users/12", "DELETE /users/13"],
        of: 2,
        made: ({ users }) => [12, 13].filter((id) => !users.get(id)!.is_active).length,
      },
    ],
    wire: Object.entries({
      "14": ["GET /users", "GET /users/me", "DELETE /bots/14"],
      "12 --comment ''": ["GET /users", "GET /users/me", "DELETE /users/12 deactivation_notification_comment="],
      "12 --comment 'Thank you & farewell'": [
        "GET /users",
        "GET /users/me",
        "DELETE /users/12 deactivation_notification_comment=Thank+you+%26+farewell",
      ],
    }),
    refused: [
      {
        typed: "8 12 --yes",
        as: 200,
        code: 2,
        says: "this would leave the organization without an owner: Iris Owner is the last\nMake somebody else an owner first with: zulipctl users update <user> --role owner",
      },
      ...usage({
        "me --yes":
          "me is your own account, which zulipctl does not deactivate\nAnother administrator can deactivate it.",
        "12 8 --yes":
          "8 is your own account, which zulipctl does not deactivate\nAnother administrator can deactivate it.",
        "14 --comment x --yes": "--comment is for people: 14 is a bot",
      }),
    ],
  }),

  offboard: local({
    lines: [
      {
        typed: "otis@sandbox.example --to cora@sandbox.example --comment Bye --no-verify -q --yes",
        given: ({ channels }) => {
          channels.get(2)!.settings.can_administer_channel_group = { direct_members: [12], direct_subgroups: [] };
        },
        sends: [
          ...snapshotReads,
          "GET /invites",
          snapshotReads[0]!,
          "DELETE /events queue_id=8c60fcc3-3ae6-7fa7-a88b-b4402d7501fc",
          "GET /channel_folders?include_archived=true",
          "GET /invites",
          `PATCH /streams/2 can_administer_channel_group=${encodeURIComponent(
            '{"new":{"direct_members":[11],"direct_subgroups":[]},"old":{"direct_members":[12],"direct_subgroups":[]}}',
          )}`,
          "POST /user_groups/18/members delete=%5B12%5D",
          "DELETE /users/12 deactivation_notification_comment=Bye",
        ],
        prints:
          "ROW\tTARGET\tOUTCOME\tRESULT\n1\tchannel general\tdone\tcan_administer_channel_group.\n" +
          "2\tgroup writers\tdone\tmembers.\n3\tperson otis@sandbox.example\tdone\tdeactivated.\n",
      },
      {
        typed: "12 --check",
        sends: [...snapshotReads, "GET /invites"],
        prints:
          "PERSON\tLEAVES\tTARGET\tPERMISSION\tNOBODY ELSE\tTO DO\nOtis Member\tmembership\tgroup writers\t\tyes\t\n",
      },
    ],
    refused: [
      {
        typed: "12",
        as: 300,
        says: "only administrators and owners see the whole organization\nYou are logged in as mona@sandbox.example. Use another account with --profile.",
        partly: true,
      },
      ...refusals(
        { code: 2, partly: true },
        {
          "me --to 12":
            "Iris Owner is your own account, which zulipctl does not deactivate\nAnother administrator can deactivate it.",
          "12 --to 12": "--to: Otis Member leaves too",
          "12 --to dora@sandbox.example": "--to: Dora Departed is deactivated",
          "12 --to 14": "--to: Beep Bot is a bot",
          "12 --to 13": "--to: Gwen Guest is a guest, who cannot take over permissions and bots",
          "14": "<user>: Beep Bot is a bot\nDeactivate it with: zulipctl users deactivate 14",
          "99": "<user>: user 99 not found, or not visible to this account",
        },
      ),
      ...usage({ "12 --check --to 11": "--check cannot be combined with --to" }),
    ],
  }),

  reactivate: change(reactivateUser, {
    several: true,
    lines: [
      {
        typed: "15",
        sends: ["GET /users", "POST /users/15/reactivate"],
        prints: "Reactivated user 15.\n",
        made: ({ users }) => users.get(15)!.is_active,
      },
      {
        typed: "dora@sandbox.example 12",
        given: ({ users }) => {
          users.get(12)!.is_active = false;
        },
        sends: ["GET /users", "POST /users/15/reactivate", "POST /users/12/reactivate"],
        of: 2,
        made: ({ users }) => [12, 15].filter((id) => users.get(id)!.is_active).length,
      },
    ],
  }),

  "api-key": change(regenerateKey, {
    lines: [
      {
        typed: "--regenerate --yes",
        anonymous: true,
        profiles: true,
        sends: "POST /users/me/api_key/regenerate",
        json: '{"profile":"work","site":"https://chat.example","email":"iris@sandbox.example","store":"keychain"}\n',
        made: ({ users }, before) => users.get(8)!.api_key !== before.users.get(8)!.api_key,
      },
    ],
    refused: [
      ...usage({
        "--regenerate --yes":
          "the key comes from ZULIP_API_KEY: zulipctl does not write there\nPass --print to write it to stdout.",
      }),
    ],
  }),
};

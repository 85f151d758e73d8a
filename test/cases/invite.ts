import {
  createInvitationLink,
  resendInvitation,
  revokeInvitation,
  sendInvitations,
} from "../../src/api/invitations.ts";
import type { inviteNoun } from "../../src/commands/invite.ts";
import type { SandboxState } from "../../src/sandbox/index.ts";
import { type CasesOf, change, read, since, usage } from "./case.ts";

/** Adds two pending e-mail invitations and a link. */
const addInvitations = ({ invitations, users, counters }: SandboxState) => {
  const invited_by_user_id = [...users.values()].find(({ role }) => role === 100)!.user_id;
  const common = {
    key: "k",
    invited_by_user_id,
    invited: Date.UTC(2026, 0, 14, 12),
    expiry_date: Date.UTC(2026, 0, 24, 12),
    invited_as: 400,
    notify_referrer_on_join: true,
    revoked: false,
  };
  invitations.push(
    { ...common, id: 1, email: "grace@example.com" },
    { ...common, id: 2, email: "linus@example.com", invited_as: 600 },
    { ...common, id: 1, email: null, expiry_date: null },
  );
  counters.invitation = 2;
  counters.link = 1;
};

const addedCount = (state: SandboxState, before: SandboxState) => state.invitations.length - before.invitations.length;
const revokedCount = (state: SandboxState, before: SandboxState) => {
  const pendingCount = ({ invitations }: SandboxState) => invitations.filter(({ revoked }) => !revoked).length;
  return pendingCount(before) - pendingCount(state);
};

export const cases: CasesOf<typeof inviteNoun> = {
  list: read({
    lines: [
      {
        typed: "",
        given: addInvitations,
        sends: ["GET /invites", "GET /users?user_ids=%5B8%5D"],
        prints:
          "WHAT\tINVITED\tROLE\tBY\tSENT\tEXPIRES\n" +
          "email:1\tgrace@example.com\tmember\tIris Owner\t2026-01-14 12:00Z\t2026-01-24 12:00Z\n" +
          "email:2\tlinus@example.com\tguest\tIris Owner\t2026-01-14 12:00Z\t2026-01-24 12:00Z\n" +
          "link:1\thttps://chat.example/join/k/\tmember\tIris Owner\t2026-01-14 12:00Z\tnever\n",
        ids: "email:1\nemail:2\nlink:1\n",
      },
    ],
    refused: [{ typed: "", as: 600, says: "Not allowed for guest users" }],
  }),

  add: change(sendInvitations, {
    several: true,
    lines: [
      {
        typed: "ada@example.com",
        sends: [
          "GET /invites",
          "GET /users",
          "POST /invites invitee_emails=ada%40example.com&stream_ids=%5B%5D&include_realm_default_subscriptions=true",
        ],
        prints: "Invited ada@example.com.\n",
        json: '[{"operation":"invite.add","target":"ada@example.com","outcome":"done","answer":{}}]\n',
        made: addedCount,
        ignoring: { params: ["invitee_emails"], code: 1 },
      },
      {
        typed: "ada@example.com --group designers --no-channels",
        sends: [
          "GET /user_groups?include_deactivated_groups=true",
          "GET /invites",
          "GET /users",
          "POST /invites invitee_emails=ada%40example.com&stream_ids=%5B%5D&group_ids=%5B17%5D",
        ],
        made: addedCount,
      },
      {
        typed: "ada@example.com --channel design",
        sends: [
          "GET /streams?exclude_archived=false&include_all=true",
          "GET /invites",
          "GET /users",
          "POST /invites invitee_emails=ada%40example.com&stream_ids=%5B1%5D",
        ],
        made: addedCount,
      },
      {
        typed:
          "- --role guest --channel general,design --group designers --expires 7d --default-channels --welcome Hello",
        input: "Ada Lovelace <ada@example.com>\n\n",
        sends: [
          "GET /streams?exclude_archived=false&include_all=true",
          "GET /user_groups?include_deactivated_groups=true",
          "GET /invites",
          "GET /users",
          "POST /invites invitee_emails=ada%40example.com&stream_ids=%5B2%2C1%5D&invite_expires_in_minutes=10080" +
            "&invite_as=600&group_ids=%5B17%5D&include_realm_default_subscriptions=true&welcome_message_custom_text=Hello",
        ],
        made: addedCount,
      },
      {
        typed: "grace@example.com",
        given: addInvitations,
        sends: ["GET /invites", "GET /users"],
        prints: "grace@example.com is already invited (email:1).\n",
        json: '[{"operation":"invite.add","target":"grace@example.com","outcome":"done","unchanged":true}]\n',
      },
      { typed: "-", input: "\n", sends: [], json: "[]\n" },
    ],
    wire: [
      [
        "ada@example.com,mary@example.com ADA@example.com",
        [
          "GET /invites",
          "GET /users",
          "POST /invites invitee_emails=ada%40example.com%2Cmary%40example.com&stream_ids=%5B%5D&include_realm_default_subscriptions=true",
        ],
      ],
    ],
    refused: [
      {
        typed: "dora@sandbox.example ada@example.com",
        code: 5,
        partly: true,
        prints: "Invited ada@example.com.\n",
        says: "1 of 2 not done (1 refused): dora@sandbox.example: Account has been deactivated. (Reactivate it with: zulipctl users reactivate dora@sandbox.example)",
      },
      {
        typed: "nobody@nowhere ada@example.com",
        says: "2 of 2 not done (2 refused): nobody@nowhere: Invalid address.; ada@example.com: Some emails did not validate, so we didn't send any invitations.",
      },
      ...usage({
        "ada@example.com,nobody": '<email>: "nobody" is not an e-mail address',
        "ada@example.com --expires 0d":
          '--expires: invalid duration "0d"\nFor example: --expires 7d, --expires 12h, --expires never',
        "ada@example.com --role boss":
          'invalid --role "boss": must be one of owner, administrator, moderator, member, guest\nRun "zulipctl invite add --help" for usage.',
        "ada@example.com --channel design --no-channels": "--no-channels cannot be combined with --channel",
        "ada@example.com --add-existing": "--add-existing requires --channel, --group or --default-channels",
        "": 'invite add needs <email>\nRun "zulipctl invite add --help" for usage.',
      }),
      {
        typed: "ada@example.com --role owner",
        as: 200,
        says: "permission denied: only organization owners can invite owners\nThis account is an administrator.",
      },
      {
        typed: "ada@example.com --welcome hi",
        as: 400,
        says: "Must be an organization administrator",
        unexplained: true,
      },
      ...since(416, { "ada@example.com --welcome hi": "--welcome" }),
    ],
  }),

  link: change(createInvitationLink, {
    lines: [
      {
        typed: "",
        sends: "POST /invites/multiuse",
        made: addedCount,
      },
      {
        typed: "--role guest --channel 1 --expires 12h",
        sends: "POST /invites/multiuse stream_ids=%5B1%5D&invite_expires_in_minutes=720&invite_as=600",
        made: addedCount,
        ignoring: { params: ["invite_as"], code: 5, made: 1 },
      },
    ],
    refused: [{ typed: "", as: 400, says: "Insufficient permission" }],
  }),

  rm: change(revokeInvitation, {
    several: true,
    lines: [
      {
        typed: "email:1",
        given: addInvitations,
        sends: "DELETE /invites/1",
        prints: "Revoked invitation email:1.\n",
        json: '[{"operation":"invite.rm","target":"email:1","outcome":"done","answer":{}}]\n',
        made: revokedCount,
      },
    ],
    wire: [["email:12,link:3", ["DELETE /invites/12", "DELETE /invites/multiuse/3"]]],
    refused: [
      { typed: "email:9", says: "No such invitation" },
      ...usage({
        "12": '<what>: invalid invitation "12"\nE-mail invitations and links have separate numbers: email:12 or link:12',
        "mail:12": '<what>: invalid invitation "mail:12"\nList them with: zulipctl invite list',
      }),
      {
        typed: "email:1",
        given: addInvitations,
        as: 400,
        says: "Must be an organization administrator",
        unexplained: true,
      },
    ],
  }),

  resend: change(resendInvitation, {
    several: true,
    lines: [
      {
        typed: "-",
        given: addInvitations,
        input: "email:2\n",
        sends: ["GET /invites", "POST /invites/2/resend"],
        prints: "Resent invitation email:2.\n",
        made: ({ invitations }, before) => invitations[1]!.invited > before.invitations[1]!.invited,
      },
    ],
    refused: [...usage({ "link:1": "<what>: link:1 is a link: it was not sent to anybody" })],
  }),
};

import { acceptInvitation } from "../../src/api/sandbox.ts";
import type { sandboxNoun } from "../../src/commands/sandbox.ts";
import type { SandboxState } from "../../src/sandbox/index.ts";
import { type CasesOf, change, local } from "./case.ts";

const addInvitation = ({ invitations }: SandboxState) =>
  void invitations.push({
    id: 9,
    email: "linus@new.example",
    key: "a",
    invited_by_user_id: 8,
    invited: 0,
    expiry_date: null,
    invited_as: 400,
    notify_referrer_on_join: false,
    revoked: false,
    adds: { channels: [1], groups: [17], defaults: false },
  });

export const cases: CasesOf<typeof sandboxNoun> = {
  start: local({ lines: "elsewhere" }),
  exec: local({ lines: "elsewhere" }),
  "accept-invitation": change(acceptInvitation, {
    lines: [
      {
        typed: "linus@new.example --full-name 'Linus Lang'",
        given: addInvitation,
        sends: "POST /sandbox/accept_invitation email=linus%40new.example&full_name=Linus+Lang",
        prints: "linus@new.example has joined as user 16.\n",
        ids: "16\n",
        json: '{"user_id":16}\n',
        made: ({ users }, before) => users.size - before.users.size,
        ignoring: { params: ["full_name"], code: 5, made: 1 },
      },
    ],
    refused: [{ typed: "nobody@new.example", says: "No such invitation" }],
  }),
};

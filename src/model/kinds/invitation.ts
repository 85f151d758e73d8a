import type { Kind } from "./kind.ts";

export const invitationKind = {
  one: "invitation",
  plural: "invitations",
  noun: "invite",
  key: ["email"],
  id: "id",
  title: "email",
  read: { operation: "invite.list", list: "invites" },
  create: ["invite.add", "invite.link"],
  watched: ["email", "invited_as", "is_multiuse", "invited_by_user_id"],
  remove: { operation: "invite.rm", lost: "the mail that went out", verb: "revoke" },
  removalEffect: { says: "revokes it", silent: true },
} as const satisfies Kind;

/** Kinds of things that belong to the account, or that organization files do not describe. */
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
  takes: { says: "revokes it", silent: true },
} as const satisfies Kind;

export const draftKind = {
  personal: true,
  one: "draft",
  plural: "drafts",
  noun: "drafts",
  key: ["topic", "content"],
  id: "id",
  read: { operation: "drafts.list", list: "drafts" },
  create: ["drafts.add"],
  update: "drafts.update",
  remove: { operation: "drafts.rm" },
  takes: { says: "deletes it" },
  typedById: true,
  about: ["content"],
} as const satisfies Kind;

export const attachmentKind = {
  personal: true,
  one: "attachment",
  plural: "attachments",
  noun: "attachment",
  key: ["name"],
  id: "id",
  title: "name",
  read: { operation: "attachment.list", list: "attachments" },
  create: ["attachment.add"],
  remove: { operation: "attachment.rm", lost: "the file" },
  takes: { says: "deletes the file" },
  typedById: true,
  about: ["name"],
} as const satisfies Kind;

export const exportKind = {
  one: "export",
  plural: "exports",
  noun: "export",
  key: ["id"],
  id: "id",
  read: { operation: "export.list", list: "exports" },
  create: ["export.create"],
  remove: { operation: "export.rm", lost: "the archive" },
  takes: { says: "deletes the file" },
  watched: ["acting_user_id", "export_type", "pending", "failed_timestamp", "deleted_timestamp"],
  events: { realm_export: { whole: "exports" } },
  log: {
    id: "realm_export_id",
    rows: [
      [206, "created", "made export {target}"],
      [230, "deleted", "deleted export {target}"],
    ],
  },
  typedById: true,
} as const satisfies Kind;

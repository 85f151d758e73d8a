import type { Kind } from "./kind.ts";

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
  removalEffect: { says: "deletes the file" },
  typedById: true,
  about: ["name"],
} as const satisfies Kind;

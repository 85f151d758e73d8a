import type { Kind } from "./kind.ts";

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
  removalEffect: { says: "deletes it" },
  typedById: true,
  about: ["content"],
} as const satisfies Kind;

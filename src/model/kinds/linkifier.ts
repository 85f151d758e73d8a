import { strip } from "../../common/folding.ts";
import type { Kind } from "./kind.ts";

export const linkifierKind = {
  one: "linkifier",
  plural: "linkifiers",
  noun: "linkifier",
  key: ["pattern"],
  fold: strip,
  unique: {},
  id: "id",
  title: "pattern",
  section: "linkifiers",
  read: { operation: "linkifier.list", list: "linkifiers" },
  registered: { parts: ["realm_linkifiers"], lists: ["realm_linkifiers"] },
  create: ["linkifier.add"],
  update: "linkifier.update",
  remove: { operation: "linkifier.rm" },
  reorder: "linkifier.reorder",
  events: { realm_linkifiers: { whole: "realm_linkifiers" } },
  log: { added: 223, changed: 224, removed: 225, reordered: 228 },
  typedById: true,
  about: ["pattern"],
} as const satisfies Kind;

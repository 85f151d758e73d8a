import { strip } from "../../common/folding.ts";
import type { Kind } from "./kind.ts";

export const profileFieldKind = {
  one: "profile field",
  plural: "profile fields",
  noun: "profile-field",
  key: ["name"],
  fold: strip,
  unique: {},
  id: "id",
  title: "name",
  section: "profile_fields",
  read: { operation: "profile-field.list", list: "custom_fields" },
  registered: { parts: ["custom_profile_fields"], lists: ["custom_profile_fields"] },
  create: ["profile-field.create"],
  update: "profile-field.update",
  remove: { operation: "profile-field.rm", lost: "everybody's values of it" },
  removalEffect: {
    says: "deletes everybody's values of it",
    sentence: "Everybody's values are deleted with it. This cannot be undone.",
  },
  reorder: "profile-field.reorder",
  events: { custom_profile_fields: { whole: "fields" } },
  about: ["hint"],
} as const satisfies Kind;

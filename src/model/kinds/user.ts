import { strip } from "../../common/folding.ts";
import type { Kind } from "./kind.ts";

/** What people and bots have in common. */
const account = {
  rights: true,
  key: ["email"],
  fold: (email: string): string => strip(email).toLowerCase(),
  id: "user_id",
  title: "full_name",
  read: { operation: "users.list", list: "members" },
  registered: { parts: ["realm_user"], lists: ["realm_non_active_users", "realm_users"] },
  state: {
    member: "is_active",
    inFile: "active",
    value: false,
    archive: "deactivate",
    restore: "reactivate",
    events: ["deactivated", "reactivated"],
  },
  restore: { operation: "users.reactivate" },
  log: "own",
} as const;

export const user = {
  ...account,
  one: "person",
  plural: "people",
  noun: "users",
  section: "people",
  create: ["users.create"],
  watched: ["full_name", "email", "delivery_email", "role", "is_bot", "bot_type", "bot_owner_id", "date_joined"],
  update: "users.update",
  archive: { operation: "users.deactivate" },
} as const satisfies Kind;

export const bot = {
  ...account,
  one: "bot",
  plural: "bots",
  noun: "bots",
  recordOf: "user",
  section: "bots",
  create: ["bots.create"],
  update: "bots.update",
  archive: { operation: "bots.deactivate" },
} as const satisfies Kind;

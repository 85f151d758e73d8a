import { strip } from "../../common/folding.ts";
import { deactivatedBot } from "../loss.ts";
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
} as const;

export const userKind = {
  ...account,
  one: "person",
  plural: "people",
  noun: "users",
  section: "people",
  matches: ({ is_bot }) => is_bot !== true,
  create: ["users.create"],
  watched: ["full_name", "email", "delivery_email", "role", "is_bot", "bot_type", "bot_owner_id", "date_joined"],
  update: "users.update",
  archive: { operation: "users.deactivate" },
  log: {
    id: "modified_user",
    rows: [
      [101, "created", "created {target}"],
      [102, "activated", "activated {target}"],
      [103, "deactivated", "deactivated {target}"],
      [104, "reactivated", "reactivated {target}"],
      [105, "role_changed", "changed the role of {target} from {from} to {to}", { property: "role" }],
      [106, "deleted", "deleted {target} and all messages of it"],
      [107, "deleted_keeping_messages", "deleted {target}, but not its messages"],
      [108, "permission_changed", "changed the permission {property} of {target}"],
      [120, "soft_activated", "took {target} back into the server's caches", { hidden: true }],
      [121, "soft_deactivated", "took {target} out of the server's caches", { hidden: true }],
      [122, "password_changed", "changed the password of {target}"],
      [123, "avatar_changed", "changed the avatar of {target}"],
      [124, "renamed", "renamed {target} to {to}", { property: "full_name" }],
      [125, "email_changed", "changed the email of {target} from {from} to {to}", { property: "email" }],
      [126, "terms_accepted", "{target} accepted the terms of service"],
      [127, "api_key_changed", "made a new API key for {target}"],
      [128, "bot_owner_changed", "changed the owner of {target}", { property: "bot_owner" }],
      [129, "bot_channel_changed", "changed the channel that {target} sends to", { values: "channel" }],
      [130, "bot_events_channel_changed", "changed the channel whose events {target} gets", { values: "channel" }],
      [131, "bot_all_channels_changed", "changed whether {target} gets events of all public channels"],
      [132, "setting_changed", "changed the personal setting {property} of {target}"],
      [350, "muted", "muted {target}", { hidden: true }],
      [351, "unmuted", "unmuted {target}", { hidden: true }],
      [800, "snippet_saved", "saved a snippet", { hidden: true }],
      [810, "custom_email_sent", "the server's operator sent {target} an e-mail"],
      [850, "navigation_view_added", "added a view to the left sidebar", { hidden: true }],
      [851, "navigation_view_changed", "changed a view in the left sidebar", { hidden: true }],
      [852, "navigation_view_removed", "removed a view from the left sidebar", { hidden: true }],
    ],
  },
} as const satisfies Kind;

export const botKind = {
  ...account,
  one: "bot",
  plural: "bots",
  noun: "bots",
  recordOf: "user",
  // Bots and people share their names.
  unique: { member: "full_name", among: "active account", isFreed: true },
  matches: ({ is_bot, is_system_bot }) => is_bot === true && is_system_bot !== true,
  // The log has rows about users.
  log: { id: "modified_user", rows: [] },
  section: "bots",
  create: ["bots.create"],
  update: "bots.update",
  archive: { operation: "bots.deactivate" },
  removalEffect: { says: deactivatedBot.effect.says, sentence: deactivatedBot.sentence },
} as const satisfies Kind;

/** What is looked up by name: how things of each kind are called and told apart. */
import type { Channel } from "../api/channels.ts";
import type { Folder } from "../api/folders.ts";
import type { Group } from "../api/groups.ts";
import type { ProfileField } from "../api/profile-fields.ts";
import { addressOf, type User } from "../api/users.ts";
import { foldChannelName, foldFolderName, upper } from "../folding.ts";
import type { ResourceKind } from "./names.ts";

export const channels: ResourceKind<Channel> = {
  noun: "channel",
  list: "zulipctl channel list --archived",
  id: ({ stream_id }) => stream_id,
  name: ({ name }) => name,
  // Archived channels are found like others: no two channels share a name.
  live: () => true,
  remark: ({ is_archived }) => (is_archived ? "archived" : undefined),
  fold: foldChannelName,
};
export const groups: ResourceKind<Group> = {
  noun: "group",
  list: "zulipctl group list --system --deactivated",
  id: ({ id }) => id,
  name: ({ name }) => name,
  live: ({ deactivated }) => !deactivated,
  remark: ({ deactivated }) => (deactivated ? "deactivated" : undefined),
  fold: upper,
  caseMatters: true,
};
export const folders: ResourceKind<Folder> = {
  noun: "folder",
  list: "zulipctl folder list --archived",
  id: ({ id }) => id,
  name: ({ name }) => name,
  live: ({ is_archived }) => !is_archived,
  remark: ({ is_archived }) => (is_archived ? "archived" : undefined),
  fold: foldFolderName,
};
export const people: ResourceKind<User> = {
  noun: "user",
  list: "zulipctl users list",
  id: ({ user_id }) => user_id,
  name: ({ full_name }) => full_name,
  live: ({ is_active }) => is_active !== false,
  remark: (user) => [addressOf(user), user.is_active === false && "deactivated"].filter(Boolean).join(", "),
  fold: String,
};

export const fields: ResourceKind<ProfileField> = {
  noun: "profile field",
  list: "zulipctl api GET realm/profile_fields",
  id: ({ id }) => id,
  name: ({ name }) => name,
  live: () => true,
  remark: () => undefined,
  fold: upper,
};

/** By the real address, where the account may see it. */
export const addressed: ResourceKind<User> = {
  ...people,
  name: ({ delivery_email, email }) => delivery_email ?? email,
  remark: ({ full_name, is_active }) => [full_name, is_active === false && "deactivated"].filter(Boolean).join(", "),
  fold: upper,
};
/** By what stands in for it. */
export const shown: ResourceKind<User> = { ...addressed, name: ({ email }) => email };

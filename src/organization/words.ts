/** The names of sections, in the order of a file. A module of its own, so that help loads quickly. */
export const sectionWords = [
  "settings",
  "new_users",
  "profile_fields",
  "people",
  "bots",
  "groups",
  "folders",
  "channels",
  "linkifiers",
  "domains",
  "playgrounds",
  "emoji",
] as const;

/** The operations that read an organization. */
export const snapshotReads = ["events.register", "folder.list", "invite.list", "users.me"] as const;

/** The operations with which an organization is made as its files say. */
export const applyOperations = [
  ...snapshotReads,
  ...["bots.create", "bots.deactivate", "bots.update"],
  ...["channel.archive", "channel.create", "channel.subscribe", "channel.unsubscribe", "channel.update"],
  ...["domain.add", "domain.rm", "domain.update", "emoji.add", "emoji.rm"],
  ...["folder.create", "folder.reorder", "folder.update"],
  ...["group.create", "group.deactivate", "group.members", "group.update", "invite.add"],
  ...["linkifier.add", "linkifier.reorder", "linkifier.rm", "linkifier.update"],
  ...["organization.defaults", "organization.update", "playground.add", "playground.rm"],
  ...["profile-field.create", "profile-field.reorder", "profile-field.rm", "profile-field.update"],
  ...["users.deactivate", "users.reactivate", "users.update"],
];

export type SectionName = (typeof sectionWords)[number];

/** The format of plan files. */
export const planFormat = "zulipctl organization plan";

/** Sections that hold settings. */
export type SettingSection = "settings" | "new_users";

/** Sections that hold a list of things. */
export type ThingSection = Exclude<SectionName, SettingSection>;

export const isSettings = (section: SectionName): section is SettingSection =>
  section === "settings" || section === "new_users";

/** Whether the things of a section are accounts. */
export const hasAccounts = (section: SectionName): section is "people" | "bots" =>
  section === "people" || section === "bots";

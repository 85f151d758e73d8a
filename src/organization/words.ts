/** The sections of a file, in the order in which it is written. Without what they hold, so that help loads nothing more. */
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

export type SectionName = (typeof sectionWords)[number];

/** Sections that hold a list of things. */
export type ThingSection = Exclude<SectionName, "settings" | "new_users">;

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

export type SectionName = (typeof sectionWords)[number];

/** Sections that hold a list of things. */
export type ThingSection = Exclude<SectionName, "settings" | "new_users">;

/** Whether the things of a section are accounts. */
export const hasAccounts = (section: SectionName): section is "people" | "bots" =>
  section === "people" || section === "bots";

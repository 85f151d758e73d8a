/** The whole file: its sections by name, in the order in which it is written. */
import { channels } from "./sections/channels.ts";
import { domains, linkifiers, playgrounds } from "./sections/collections.ts";
import { folders } from "./sections/folders.ts";
import { groups } from "./sections/groups.ts";
import { newUsers } from "./sections/new-users.ts";
import { people } from "./sections/people.ts";
import { profileFields } from "./sections/profile-fields.ts";
import type { Section, Things } from "./sections/section.ts";
import { settings } from "./sections/settings.ts";
import { choice, filled, list, type Member, type Members, members, type Shape } from "./shape.ts";
import { type SectionName, sectionWords } from "./words.ts";

export const sections = {
  settings,
  new_users: newUsers,
  profile_fields: profileFields,
  people,
  groups,
  folders,
  channels,
  linkifiers,
  domains,
  playgrounds,
} as const satisfies Readonly<Record<SectionName, Section>>;

/** Sections whose list may be exhaustive. */
export const completable = sectionWords.filter((name) => (sections[name] as Things).complete);

const shapeOf = (section: Section): Shape => {
  if (section.holds === "settings") return members(section.members);
  const one = members(section.members, section.identified);
  return { is: "list", of: one };
};

const memberOf = (section: Section): Member => ({ shape: shapeOf(section), doc: section.doc });

/** What a file may hold. */
export const file: Members = {
  organization: { shape: filled, doc: "URL of the organization. The file is for this organization only." },
  complete: {
    shape: list(choice(...completable)),
    doc: "Sections whose list is exhaustive: what is not in it is archived or removed, with --prune.",
  },
  ...Object.fromEntries(sectionWords.map((name) => [name, memberOf(sections[name])])),
};

/** The registry of sections, in the order in which a file lists them. */
import * as v from "valibot";
import { choiceShape, eitherShape, listShape, type Member, membersShape, nonEmptyShape } from "./attribute-shapes.ts";
import type { Difference, FieldChange } from "./difference.ts";
import { type SectionName, sectionNames, type ThingSection } from "./section-names.ts";
import { botsSection } from "./sections/bots.ts";
import { channelsSection } from "./sections/channels.ts";
import { domainsSection } from "./sections/domains.ts";
import { emojiSection } from "./sections/emoji.ts";
import { foldersSection } from "./sections/folders.ts";
import { groupsSection } from "./sections/groups.ts";
import { linkifiersSection } from "./sections/linkifiers.ts";
import { peopleSection } from "./sections/people.ts";
import { playgroundsSection } from "./sections/playgrounds.ts";
import { profileFieldsSection } from "./sections/profile-fields.ts";
import type { Section, SettingsSection, ThingsSection } from "./sections/section.ts";
import { newUsersSection, settingsSection } from "./sections/settings.ts";

export const sections: { readonly [S in SectionName]: S extends ThingSection ? ThingsSection : SettingsSection } = {
  settings: settingsSection,
  new_users: newUsersSection,
  profile_fields: profileFieldsSection,
  people: peopleSection,
  bots: botsSection,
  groups: groupsSection,
  folders: foldersSection,
  channels: channelsSection,
  linkifiers: linkifiersSection,
  domains: domainsSection,
  playgrounds: playgroundsSection,
  emoji: emojiSection,
};

/** Sections that hold a list of things, in the order of the file. */
export const thingSections = sectionNames.filter((name): name is ThingSection => "records" in sections[name]);

/** Sections that may stand in `complete`. */
export const completable = thingSections.filter((name) => !sections[name].unlistedStay);

const memberOf = (section: Section): Member => ({
  shape:
    "records" in section
      ? v.array(membersShape(section.members, section.identified, section.others), "must be a list")
      : membersShape(section.members, undefined, section.others),
  doc: section.doc,
});

/** The schema of a whole file. */
export const fileShape = membersShape({
  organization: {
    shape: eitherShape(nonEmptyShape, listShape(nonEmptyShape)),
    doc: "URL of the organization, or of several. The file is for these only; without it, for every organization.",
  },
  complete: {
    shape: listShape(choiceShape(...completable)),
    doc: "Sections whose list is exhaustive: what is not in it is archived or removed, with --prune.",
  },
  ...Object.fromEntries(sectionNames.map((name) => [name, memberOf(sections[name])])),
});

/** Formats the kind and name of a thing: `channel design`. */
export function differenceTitle({
  section,
  name,
  action,
}: Pick<Difference, "section" | "name"> & { action?: string }): string {
  if (section === "settings") return "settings";
  if (section === "new_users") return "settings of new people";
  if (action === "reorder") return `order of ${sections[section].plural}`;
  return `${sections[section].one} ${name}`;
}

/** Formats the name of an attribute: `description`, `profile Team`. */
export const labelOf = ({ field, of }: FieldChange): string => (of ? `${field} ${of.name}` : field);

/** The registry of sections, in the order in which a file lists them. */
import * as v from "valibot";
import type { Difference, FieldChange } from "./difference.ts";
import { type SectionName, sectionNames, type ThingSection } from "./section-names.ts";
import { bots } from "./sections/bots.ts";
import { channels } from "./sections/channels.ts";
import { domains } from "./sections/domains.ts";
import { emoji } from "./sections/emoji.ts";
import { folders } from "./sections/folders.ts";
import { groups } from "./sections/groups.ts";
import { linkifiers } from "./sections/linkifiers.ts";
import { people } from "./sections/people.ts";
import { playgrounds } from "./sections/playgrounds.ts";
import { profileFields } from "./sections/profile-fields.ts";
import type { Section, SettingsSection, ThingsSection } from "./sections/section.ts";
import { newUsers, settings } from "./sections/settings.ts";
import { choice, either, list, type Member, members, nonEmpty } from "./shape.ts";

export const sections: { readonly [S in SectionName]: S extends ThingSection ? ThingsSection : SettingsSection } = {
  settings,
  new_users: newUsers,
  profile_fields: profileFields,
  people,
  bots,
  groups,
  folders,
  channels,
  linkifiers,
  domains,
  playgrounds,
  emoji,
};

/** Sections that hold a list of things, in the order of the file. */
export const thingSections = sectionNames.filter((name): name is ThingSection => "records" in sections[name]);

/** Sections that may stand in `complete`. */
export const completable = thingSections.filter((name) => !sections[name].unlistedStay);

const memberOf = (section: Section): Member => ({
  shape:
    "records" in section
      ? v.array(members(section.members, section.identified, section.others), "must be a list")
      : members(section.members, undefined, section.others),
  doc: section.doc,
});

/** The schema of a whole file. */
export const file = members({
  organization: {
    shape: either(nonEmpty, list(nonEmpty)),
    doc: "URL of the organization, or of several. The file is for these only; without it, for every organization.",
  },
  complete: {
    shape: list(choice(...completable)),
    doc: "Sections whose list is exhaustive: what is not in it is archived or removed, with --prune.",
  },
  ...Object.fromEntries(sectionNames.map((name) => [name, memberOf(sections[name])])),
});

/** Formats the kind and name of a thing: `channel design`. */
export function titleOf({ section, name, action }: Pick<Difference, "section" | "name"> & { action?: string }): string {
  if (section === "settings") return "settings";
  if (section === "new_users") return "settings of new people";
  if (action === "reorder") return `order of ${sections[section].plural}`;
  return `${sections[section].one} ${name}`;
}

/** Formats the name of an attribute: `description`, `profile Team`. */
export const labelOf = ({ field, of }: FieldChange): string => (of ? `${field} ${of.name}` : field);

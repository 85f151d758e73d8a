/** The things that are there, section by section, as a comparison asks for them. */
import { canonicalNaming } from "../canonical.ts";
import { channelsTold } from "../export/channels.ts";
import { type Telling, type Told, toldOf } from "../export/entry.ts";
import { peopleTold } from "../export/people.ts";
import { fieldsTold, foldersTold, groupsTold, linkifiersTold, playgroundsTold } from "../export/things.ts";
import { sections } from "../file.ts";
import type { Things } from "../sections/section.ts";
import type { Snapshot } from "../snapshot.ts";
import type { SectionName } from "../words.ts";

export type ThingSection = Exclude<SectionName, "settings" | "new_users">;

export interface Thing {
  /** Domains have none. */
  readonly id: number | undefined;
  /** As the file calls it. */
  readonly name: string;
  /** The same for two names that are one to the server. */
  readonly key: string;
  readonly away: boolean;
  /** The canonical value of an attribute; undefined where the server does not tell. */
  tell(attribute: string): unknown;
}

export type Present = Readonly<Record<ThingSection, readonly Thing[]>>;

/** A text as the server stores it. */
export function stored(section: Things, attribute: string, text: unknown): unknown {
  const { stored: store } = section.members[attribute]!;
  return store ? store(text as string) : text;
}

/** Of what says which thing it is. */
export function keyOf(section: Things, tell: (attribute: string) => unknown): string {
  const { fold = String } = section;
  return section.key.map((name) => fold(String(stored(section, name, tell(name)) ?? ""))).join("\n");
}

/** What an entry or a thing is called, in the words of the file. */
export function nameOf(section: Things, tell: (attribute: string) => unknown): string {
  const [first, second] = section.key.map((name) => tell(name)).reverse();
  if (first === undefined) return `id:${tell("id")}`;
  return second === undefined ? String(first) : `${first} (${second})`;
}

function thingsOf<R extends object>(section: Things, { records, attributes, id, away }: Told<R>): Thing[] {
  return records.map((record) => {
    const tell = (attribute: string) => toldOf(attributes, record, attribute);
    const number = id(record);
    return {
      id: number,
      name: nameOf(section, (attribute) => (attribute === "id" ? number : tell(attribute))),
      key: keyOf(section, tell),
      away: away(record),
      tell,
    };
  });
}

const domainsOf = ({ organization }: Snapshot): Thing[] =>
  organization.realm_domains.map((record) => ({
    id: undefined,
    name: record.domain,
    key: record.domain.toLowerCase(),
    away: false,
    tell: (attribute) => (record as Record<string, unknown>)[attribute],
  }));

export const tellingOf = (snapshot: Snapshot): Telling => ({ snapshot, naming: canonicalNaming(snapshot) });

export function presentOf(telling: Telling): Present {
  return {
    profile_fields: thingsOf(sections.profile_fields, fieldsTold(telling)),
    people: thingsOf(sections.people, peopleTold(telling)),
    groups: thingsOf(sections.groups, groupsTold(telling)),
    folders: thingsOf(sections.folders, foldersTold(telling)),
    channels: thingsOf(sections.channels, channelsTold(telling)),
    linkifiers: thingsOf(sections.linkifiers, linkifiersTold(telling)),
    domains: domainsOf(telling.snapshot),
    playgrounds: thingsOf(sections.playgrounds, playgroundsTold(telling)),
  };
}

/** The things that are there, section by section, as a comparison asks for them. */
import { canonicalNaming } from "../canonical.ts";
import { eachSection, sections } from "../file.ts";
import { readAttribute, type Telling, type Things } from "../sections/section.ts";
import type { Snapshot } from "../snapshot.ts";
import type { ThingSection } from "../words.ts";

export type { ThingSection };

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
  const store = section.members[attribute]?.stored;
  return store && typeof text === "string" ? store(text) : text;
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

function thingsOf<R extends object>(section: Things<R>, telling: Telling): Thing[] {
  const attributes = section.attributes?.(telling) ?? {};
  const { snapshot } = telling;
  const isAway = section.awayIn?.(snapshot);
  return section.records(snapshot).map((record) => {
    const tell = (attribute: string) => readAttribute(attributes, record, attribute);
    const id = section.id(record);
    return {
      id,
      name: nameOf(section, (attribute) => (attribute === "id" ? id : tell(attribute))),
      key: keyOf(section, tell),
      away: isAway?.(record) ?? false,
      tell,
    };
  });
}

export const tellingOf = (snapshot: Snapshot): Telling => ({ snapshot, naming: canonicalNaming(snapshot) });

export const presentOf = (telling: Telling): Present => eachSection((name) => thingsOf(sections[name], telling));

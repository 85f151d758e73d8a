/** What an entry says of whether its thing is in use. */
import { sections } from "../file.ts";
import type { ThingSection } from "./present.ts";

/** Whether an entry puts its thing away (true), or brings it back (false). */
export function putsAway(section: ThingSection, entry: Readonly<Record<string, unknown>>): boolean | undefined {
  const { away } = sections[section];
  if (!away || !Object.hasOwn(entry, away.member)) return undefined;
  return entry[away.member] === away.away;
}

/** Names that are wanted, and who frees them. Where each waits for the next in a circle, one is called otherwise for a while. */
import { sameFullName } from "../compare/full-names.ts";
import type { Difference, Update } from "../difference.ts";
import { sections } from "../file.ts";
import type { SectionName } from "../words.ts";

/** The attribute by which a thing is known, which it can change. Names of people count where all must differ. */
const naming: Partial<Record<SectionName, string>> = {
  profile_fields: "name",
  groups: "name",
  folders: "name",
  channels: "name",
  linkifiers: "pattern",
  people: "full_name",
};

/** Two names with the same are one to the server. */
export function nameFact(section: SectionName, name: unknown): string {
  if (section === "people") return `${section} "${sameFullName(String(name))}" is free`;
  const stated = sections[section];
  const fold = stated.holds === "things" ? stated.fold : undefined;
  return `${section} "${fold ? fold(String(name)) : name}" is free`;
}

interface Renaming {
  readonly of: number;
  readonly section: SectionName;
  readonly frees: string;
  readonly wants: string;
}

/** What renames a thing in this difference. */
export function renamingOf(difference: Difference, of: number): Renaming | undefined {
  const { section } = difference;
  const change = "fields" in difference && difference.fields.find(({ field }) => field === naming[section]);
  if (!change || change.from === undefined) return undefined;
  const [frees, wants] = [nameFact(section, change.from), nameFact(section, change.to)];
  // A folder's own name in another case is taken, by itself.
  const taken = frees !== wants || (section === "folders" && change.from !== change.to);
  return taken ? { of, section, frees, wants } : undefined;
}

/** A name that nothing has and nothing wants; it is a pattern too that matches nothing that people write. */
export const asideOf = ({ id }: Pick<Update, "id">): string => `zulipctl renames ${id}`;

/** Whether a thing has this value of an attribute because a run gave it a name for a while, and ended before it had its own. */
export const isAside = (section: SectionName, field: string, id: number | undefined, value: unknown): boolean =>
  field === naming[section] && id !== undefined && String(value).startsWith(asideOf({ id }));

/** By number of the difference, the name that breaks the circle that it is in. */
export function asidesOf(
  differences: readonly (Difference | undefined)[],
  { uniqueNames }: { readonly uniqueNames: boolean },
): Map<number, string> {
  const renamings = differences.flatMap((difference, of) => {
    const counts = difference && (difference.section !== "people" || uniqueNames);
    return (counts && renamingOf(difference, of)) || [];
  });
  const holders = new Map(renamings.map((each) => [each.frees, each]));
  const asides = new Map<number, string>();
  const seen = new Set<Renaming>();
  for (const start of renamings) {
    const way = new Set<Renaming>();
    let at: Renaming | undefined = start;
    while (at && !seen.has(at) && !way.has(at)) {
      way.add(at);
      at = holders.get(at.wants);
    }
    if (at && way.has(at)) asides.set(at.of, asideOf(differences[at.of] as Update));
    for (const each of way) seen.add(each);
  }
  return asides;
}

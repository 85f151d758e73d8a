/** Names that are wanted, and who frees them. Where each waits for the next in a circle, one gets another name for a while. */
import { foldChannelName, foldFolderName, strip } from "../../folding.ts";
import { sameFullName } from "../compare/full-names.ts";
import type { Difference, FieldChange, Update } from "../difference.ts";
import type { SectionName } from "../words.ts";
import type { OrderContext } from "./context.ts";
import type { Draft, Facts } from "./draft.ts";

/** The attribute by which a thing is known, which it can change. Names of people count where all must differ. */
const naming: Partial<Record<SectionName, string>> = {
  profile_fields: "name",
  groups: "name",
  folders: "name",
  channels: "name",
  linkifiers: "pattern",
  people: "full_name",
};

/** How each section folds names. The modules of sections import this file, so it cannot import them. */
const folds: Partial<Record<SectionName, (name: string) => string>> = {
  groups: String,
  folders: foldFolderName,
  channels: foldChannelName,
};

/** Two names with the same are one to the server. */
export function nameFact(section: SectionName, name: unknown): string {
  if (section === "people") return `${section} "${sameFullName(String(name))}" is free`;
  const fold = folds[section] ?? strip;
  return `${section} "${fold(String(name))}" is free`;
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

/** By number of the difference, the name that breaks the circle that it is in. */
export function asidesOf(
  differences: readonly Difference[],
  { uniqueNames }: { readonly uniqueNames: boolean },
): Map<number, string> {
  const renamings = differences.flatMap(
    (difference, of) => ((difference.section !== "people" || uniqueNames) && renamingOf(difference, of)) || [],
  );
  const holders = new Map(renamings.map((each) => [each.frees, each]));
  const asides = new Map<number, string>();
  const seen = new Set<Renaming>();
  for (const start of renamings) {
    const path = new Set<Renaming>();
    let at: Renaming | undefined = start;
    while (at && !seen.has(at) && !path.has(at)) {
      path.add(at);
      at = holders.get(at.wants);
    }
    const circular = at && path.has(at) ? differences[at.of] : undefined;
    if (at && circular && "fields" in circular) asides.set(at.of, asideOf(circular));
    for (const each of path) seen.add(each);
  }
  return asides;
}

interface Thing {
  readonly section: SectionName;
  readonly id: number | undefined;
}

const standsAside = ({ section, id }: Thing): string => `${section} ${id} stands aside`;

/** Of the request that gives a thing its name. What stands aside has freed its old one before. */
export const renamed = (
  { asides }: Pick<OrderContext, "asides">,
  of: number,
  thing: Thing,
  { from, to }: Pick<FieldChange, "from" | "to">,
): Facts => {
  const wanted = nameFact(thing.section, to);
  return asides.has(of)
    ? { needs: [wanted, standsAside(thing)] }
    : { needs: [wanted], provides: [nameFact(thing.section, from)] };
};

/** The request that gives a thing another name for a while; none where nothing waits for it in a circle. */
export function setAside(
  { asides }: Pick<OrderContext, "asides">,
  of: number,
  thing: Thing,
  from: unknown,
  request: (name: string) => Pick<Draft, "operation" | "args" | "phase">,
): Draft[] {
  const name = asides.get(of);
  if (name === undefined) return [];
  const provides = [nameFact(thing.section, from), standsAside(thing)];
  return [{ of, part: "aside", does: "temporary name", ...request(name), provides }];
}

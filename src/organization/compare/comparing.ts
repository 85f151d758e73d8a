/** What all parts of a comparison have in their hands. */
import { nameProblem } from "../../notation/name.ts";
import { isNothing, nobodyIn, same } from "../canonical.ts";
import type { Content, Entry, Path } from "../content.ts";
import type { Creation, FieldChange, Known } from "../difference.ts";
import { eachSection } from "../file.ts";
import type { Telling } from "../sections/section.ts";
import type { Member, Members } from "../shape.ts";
import { everybodyOf, type Person, roleOf, type Snapshot } from "../snapshot.ts";
import type { SectionName } from "../words.ts";
import { readableIn } from "./access.ts";
import { Findings } from "./findings.ts";
import { type Pairing, paired } from "./pairing.ts";
import { type Present, presentOf, type ThingSection, tellingOf } from "./present.ts";
import { References } from "./references.ts";
import { type Joining, Values } from "./values.ts";

/** Where those go who are not there yet, by their addresses in lower case. */
export type Joined = ReadonlyMap<string, { readonly groups: Known[]; readonly channels: Known[] }>;

export interface Comparing {
  readonly snapshot: Snapshot;
  readonly content: Content;
  /** Whether what `complete` says is part of the plan. */
  readonly prune: boolean;
  readonly telling: Telling;
  readonly present: Present;
  readonly pairings: Readonly<Record<ThingSection, Pairing>>;
  readonly references: References;
  readonly values: Values;
  readonly findings: Findings;
  readonly owner: boolean;
  readonly joined: Joined;
  /** People and bots by their ids. */
  readonly everybody: ReadonlyMap<number, Person>;
  /** Whether the account may read the channel with this id. */
  readonly readable: (channel: number) => boolean;
}

export function comparing(snapshot: Snapshot, content: Content, prune: boolean): Comparing {
  const findings = new Findings();
  const telling = tellingOf(snapshot);
  const present = presentOf(telling);
  const pairings = eachSection((name) => paired(name, content[name] ?? [], present[name], findings));
  const references = new References(snapshot, present, pairings, findings);
  const everybody = new Map(everybodyOf(snapshot).map((person) => [person.user_id, person]));
  const joined: Joined = new Map(
    pairings.people.pairs.flatMap(({ thing, key }) => (thing ? [] : [[key, { groups: [], channels: [] }]])),
  );
  return {
    snapshot,
    content,
    prune,
    telling,
    present,
    pairings,
    references,
    values: new Values(references, findings, nobodyIn(snapshot)),
    findings,
    owner: roleOf(everybody.get(snapshot.organization.user_id) ?? {}) === 100,
    joined,
    everybody,
    readable: readableIn(snapshot),
  };
}

interface About {
  readonly section: SectionName;
  /** As a difference calls it. */
  readonly name: string;
  readonly path: Path;
  readonly entry: Entry;
  /** Attributes of the section that are compared here. */
  readonly members: Members;
  /** Canonical; undefined where the server does not tell. Absent where there is no such thing yet. */
  readonly from?: (field: string) => unknown;
  readonly joining?: Joining;
}

/**
 * Whether servers change the second with the first: who is let into the history of a channel follows its privacy, so
 * what the file says of it goes along even where it is so already.
 */
const drags = (first: string, second: string): boolean =>
  first === "is_private" && second === "history_public_to_subscribers";

/** The level that a value needs and the server has not. */
function lacking({ since = 0, valueSince }: Member, value: unknown, level: number): number | undefined {
  const needs = Math.max(since, valueSince?.(value) ?? 0);
  return needs > level ? needs : undefined;
}

const isName = (field: string): boolean => field === "name" || field === "full_name";

/** What differs of an entry's attributes, or all that it says where there is nothing yet. */
export function changesOf({ snapshot, values, findings, owner }: Comparing, about: About): FieldChange[] {
  const { section, name, entry, members, from: tell, joining } = about;
  const changes: FieldChange[] = [];
  for (const [field, member] of Object.entries(members)) {
    if (!Object.hasOwn(entry, field)) continue;
    const path = [...about.path, field];
    const value = entry[field];
    const { until } = member;
    if (until && snapshot.feature_level >= until.level) {
      findings.problem(path, `removed at feature level ${until.level}: set ${until.by} instead`);
      continue;
    }
    const from = tell?.(field);
    const needs = lacking(member, value, snapshot.feature_level);
    if (needs !== undefined && from === undefined) {
      findings.lacks({ section, name, field, path, needs }, snapshot.feature_level);
      continue;
    }
    const to = values.of({ member, value, path, from, ...(joining && { joining }) });
    if (to === undefined) continue;
    const problem =
      section !== "settings" && isName(field) && typeof value === "string" ? nameProblem(value) : undefined;
    const equal = tell !== undefined && (same(from, to) || (from === undefined && isNothing(to)));
    if (equal && !changes.some((change) => drags(change.field, field))) continue;
    if (needs !== undefined) findings.lacks({ section, name, field, path, needs }, snapshot.feature_level);
    else if (problem !== undefined) findings.problem(path, problem);
    // A new channel may have the organization's retention, which is what it gets anyway.
    else if (member.owner && !owner && (tell || to !== "realm_default"))
      findings.refuse({ section, name, field, path, says: `permission denied: only owners can change ${field}` });
    else changes.push(tell ? { field, from: from ?? null, to } : { field, to });
  }
  return changes;
}

/** Of something that is not there yet: its attributes by their names. */
export const made = (changes: readonly FieldChange[]): Creation["to"] =>
  Object.fromEntries(changes.map(({ field, to }) => [field, to]));

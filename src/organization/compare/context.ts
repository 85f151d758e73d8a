/** What all parts of a comparison share. */
import { canonicalNaming } from "../canonical.ts";
import type { Content } from "../content.ts";
import type { Difference, Known, Option } from "../difference.ts";
import { eachSection, sections } from "../file.ts";
import { mayRead, reachOf } from "../group-members.ts";
import type { SectionReader } from "../sections/section.ts";
import { channelsOf, everybodyOf, type Person, roleOf, type Snapshot } from "../snapshot.ts";
import type { ThingSection } from "../words.ts";
import { Findings } from "./findings.ts";
import { matched, type Pairing, type Thing, thingsOf } from "./match.ts";
import { References } from "./references.ts";

/** A profile field when the plan is done. */
export interface FinalField {
  readonly name: string;
  readonly type: unknown;
  readonly options: readonly Option[];
}

export interface Comparing {
  readonly snapshot: Snapshot;
  readonly content: Content;
  /** Whether what `complete` says is part of the plan. */
  readonly prune: boolean;
  readonly reader: SectionReader;
  readonly things: Readonly<Record<ThingSection, readonly Thing[]>>;
  readonly pairings: Readonly<Record<ThingSection, Pairing>>;
  readonly references: References;
  readonly findings: Findings;
  readonly owner: boolean;
  /** The groups and channels of invited people, by their addresses in lower case. */
  readonly invited: ReadonlyMap<string, { readonly groups: Known[]; readonly channels: Known[] }>;
  /** People and bots by their ids. */
  readonly everybody: ReadonlyMap<number, Person>;
  /** Profile fields by their keys. */
  readonly fields: Map<number | string, FinalField>;
  /** Differences that would remove options of profile fields, with `--prune` only. */
  readonly unlistedOptions: Difference[];
  /** Whether the account may read the channel with this id. */
  readonly mayRead: (channel: number | undefined) => boolean;
}

function readableIn(snapshot: Snapshot): Comparing["mayRead"] {
  const channels = new Map(channelsOf(snapshot).map((channel) => [channel.stream_id, channel]));
  const reach = reachOf(snapshot);
  return (id) => {
    const channel = id === undefined ? undefined : channels.get(id);
    return channel !== undefined && mayRead(snapshot, reach, channel);
  };
}

export function comparing(snapshot: Snapshot, content: Content, prune: boolean): Comparing {
  const findings = new Findings();
  const reader = { snapshot, naming: canonicalNaming(snapshot) };
  const things = eachSection((name) => thingsOf(sections[name], reader));
  const pairings = eachSection((name) => matched(name, content[name] ?? [], things[name], findings));
  const everybody = new Map(everybodyOf(snapshot).map((person) => [person.user_id, person]));
  return {
    snapshot,
    content,
    prune,
    reader,
    things,
    pairings,
    references: new References(snapshot, things, pairings, findings),
    findings,
    owner: roleOf(everybody.get(snapshot.organization.user_id) ?? {}) === 100,
    invited: new Map(
      pairings.people.pairs.flatMap(({ thing, key }) => (thing ? [] : [[key, { groups: [], channels: [] }]])),
    ),
    everybody,
    fields: new Map(
      things.profile_fields.map(({ id, name, read }): [number | string, FinalField] => {
        const options = read("options");
        return [id ?? name, { name, type: read("type"), options: Array.isArray(options) ? options : [] }];
      }),
    ),
    unlistedOptions: [],
    mayRead: readableIn(snapshot),
  };
}

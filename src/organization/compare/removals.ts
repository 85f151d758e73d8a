/** Sections that are exhaustive: what is not in the file goes, but for what is still in use. */
import { firstOf } from "../../counted.ts";
import { applyTo } from "../apply-to-snapshot.ts";
import type { Difference, Removal, Update } from "../difference.ts";
import { sections, thingSections } from "../file.ts";
import type { Snapshot } from "../snapshot.ts";
import type { Comparing } from "./comparing.ts";
import type { FieldOptions } from "./fields.ts";
import type { Thing, ThingSection } from "./present.ts";
import { channelUses, folderUses, groupUses, type Use } from "./uses.ts";

/** Something that is not in the file and stays, since others use it. */
export interface Used {
  readonly section: ThingSection;
  readonly name: string;
  readonly id: number;
  readonly by: readonly string[];
}

function leaving(name: ThingSection, { id, name: called, tell }: Thing): Update | Removal {
  const { away, members } = sections[name];
  const about = { section: name, name: called, ...(id !== undefined && { id }) };
  if (away) return { ...about, action: away.puts, fields: [] };
  const told = Object.keys(members).flatMap((member) => (member === "id" ? [] : [[member, tell(member)] as const]));
  return { ...about, action: "remove", from: Object.fromEntries(told.filter(([, value]) => value !== undefined)) };
}

type Uses = ReadonlyMap<number | undefined, readonly Use[]>;

const idOf = (one: Difference): number | undefined => ("id" in one ? one.id : undefined);

/** Which of them can go, one after the other: a use by a group that goes before does not count, so circles stay. */
function going(all: readonly Difference[], uses: Uses): ReadonlySet<Difference> {
  const gone = new Set<number | undefined>();
  const free = new Set<Difference>();
  for (let found = true; found; ) {
    found = false;
    for (const one of all) {
      const id = idOf(one);
      if (free.has(one) || uses.get(id)?.some(({ group }) => !gone.has(group))) continue;
      free.add(one);
      gone.add(id);
      found = true;
    }
  }
  return free;
}

/** What servers put away only when nothing uses it. Channels they take from where they are used. */
const isPut = (one: Difference): one is Update =>
  (one.section === "groups" || one.section === "folders") && one.action === sections[one.section].away!.puts;

interface Judged {
  readonly free: ReadonlySet<Difference>;
  /** Of one that cannot go. */
  readonly uses: (one: Difference) => readonly Use[];
}

/** Which of what goes can go, beside the organization when all else is done. */
function judged(snapshot: Snapshot, rest: readonly Difference[], goes: readonly Difference[]): Judged {
  if (!goes.length) return { free: new Set(), uses: () => [] };
  const of = (name: ThingSection) => goes.filter(({ section }) => section === name);
  const channels = going(of("channels"), channelUses(applyTo(snapshot, rest)));
  const result = applyTo(snapshot, [...rest, ...channels]);
  const groups = groupUses(result);
  const uses: Partial<Record<ThingSection, Uses>> = {
    channels: channelUses(result),
    groups,
    folders: folderUses(result),
  };
  const all = thingSections.flatMap((name) => [...going(of(name), uses[name] ?? new Map())]);
  const gone = new Set([...going(of("groups"), groups)].map(idOf));
  return {
    free: new Set(all),
    uses: (one) =>
      Object.entries(uses).flatMap(([name, all]) =>
        name === one.section ? (all.get(idOf(one))?.filter(({ group }) => !gone.has(group)) ?? []) : [],
      ),
  };
}

export interface Goodbyes {
  /** What is in the file, without what cannot be done. */
  readonly named: readonly Difference[];
  /** What is not in the file and goes. */
  readonly leaving: readonly Difference[];
  readonly used: readonly Used[];
}

/** What is put away and removed, and what stays since it is in use. */
export function goodbyes(c: Comparing, differences: readonly Difference[]): Goodbyes {
  const { content, present, pairings, findings, owner, prune, snapshot } = c;
  const puts = differences.filter(isPut);
  // What else is said of something that is put away happens all the same.
  const rest = differences.map((one): Difference => (isPut(one) ? { ...one, action: "update" } : one));
  const wanted = ((content.complete ?? []) as readonly ThingSection[]).flatMap((name) =>
    present[name]
      .filter((thing) => !thing.away && !pairings[name].spoken.has(thing))
      .map((thing) => leaving(name, thing)),
  );
  const refused = prune && !owner ? wanted.filter(({ section }) => section === "domains") : [];
  for (const { section, name } of refused)
    findings.refuse({ section, name, says: "permission denied: only owners can remove domains", path: ["complete"] });
  const leave = wanted.filter((one) => !refused.includes(one));
  const { free, uses } = judged(snapshot, rest, prune ? [...puts, ...leave] : puts);
  const pruned = prune ? { free, uses } : judged(snapshot, rest, [...puts, ...leave]);
  for (const one of puts) {
    if (free.has(one)) continue;
    const { path } = pairings[one.section as ThingSection].pairs.find(({ thing }) => thing?.id === one.id)!;
    const by = uses(one).map((use) => use.by);
    findings.refuse({ section: one.section, name: one.name, says: `is still used by ${firstOf(by, 5)}`, path });
  }
  return {
    named: differences.filter((one) => !isPut(one) || free.has(one)),
    leaving: leave.filter((one) => pruned.free.has(one)),
    used: leave
      .filter((one) => !pruned.free.has(one))
      .map((one) => ({
        section: one.section as ThingSection,
        name: one.name,
        id: one.id!,
        by: pruned.uses(one).map(({ by }) => by),
      })),
  };
}

/** Options that no entry names, where the section is complete and this plan does not prune. */
export const leavingOptions = ({ others }: FieldOptions): Difference[] =>
  others.map(({ pair, from, others: unnamed }) => {
    const keys = new Set(unnamed.map(({ key }) => key));
    const to = from.filter(({ key }) => !keys.has(key));
    return {
      section: "profile_fields",
      name: pair.name,
      id: pair.thing!.id!,
      action: "update",
      fields: [{ field: "options", from, to }],
      prune: true,
    };
  });

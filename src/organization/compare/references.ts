/** Finds what names in a file refer to: things that exist, and those that the file creates. */

import { groupBy, keyBy } from "../../common/group-by.ts";
import { invisiblePart, trimmed } from "../../notation/blanks.ts";
import { systemGroupName } from "../../notation/references.ts";
import type { Path } from "../content.ts";
import type { ThingId } from "../difference.ts";
import { same } from "../id-values.ts";
import { sections } from "../section-registry.ts";
import type { Pairing, Pairings } from "../sections/section-rules.ts";
import type { Snapshot } from "../snapshot.ts";
import { type Findings, suggestion } from "./findings.ts";
import { entryKey, formatDuplicates } from "./match.ts";
import { personReferences } from "./person-references.ts";

/** The kinds of things that names refer to, besides people. */
export type NamedSection = "groups" | "channels" | "folders" | "profile_fields";

interface Target {
  readonly id: ThingId;
  readonly name: string;
  /** Archived after the plan: because the file says so, or already. */
  readonly archived?: "by the file" | "already" | undefined;
  /** The file has an entry for it. */
  readonly isListed: boolean;
}

/** Prefers active things, and among these the things that the file lists. */
const rank = ({ archived, isListed }: Target): number => (archived ? 0 : isListed ? 2 : 1);

/** Returns the targets by name, and what things are called after the plan. */
function targetsOf({ things, pairs }: Pairing) {
  const pairOf = keyBy(pairs, ({ thing }) => thing);
  const existing = things.map((thing): Target & { readonly key: string } => {
    const pair = pairOf.get(thing);
    const { name, key } = pair ?? thing;
    const already = pair?.archives !== false && thing.archived ? "already" : undefined;
    const archived = already ?? (pair?.archives ? "by the file" : undefined);
    return { id: thing.id ?? { new: name }, name, key, archived, isListed: pair !== undefined };
  });
  const created = pairs.flatMap(({ thing, name, key, archives }) => {
    const archived = archives ? ("by the file" as const) : undefined;
    return thing ? [] : [{ id: { new: name }, name, key, archived, isListed: true }];
  });
  /** Several targets if active things share a name. */
  const byKey = new Map<string, readonly Target[]>();
  for (const [key, all] of groupBy([...existing, ...created], (each) => each.key)) {
    const best = Math.max(...all.map(rank));
    const preferred = all.filter((each) => rank(each) === best);
    byKey.set(key, best ? preferred : preferred.slice(0, 1));
  }
  /** By current key, the name after the plan. */
  const names = new Map(things.map((thing) => [thing.key, (pairOf.get(thing) ?? thing).name]));
  return { byKey, names };
}

/** Returns functions that find things by name. What they do not find becomes a problem in `findings`. */
function thingReferences(snapshot: Snapshot, pairings: Pairings, findings: Findings) {
  const targets = {
    groups: targetsOf(pairings.groups),
    channels: targetsOf(pairings.channels),
    folders: targetsOf(pairings.folders),
    profile_fields: targetsOf(pairings.profile_fields),
  };
  for (const { id, name, is_system_group } of snapshot.organization.realm_user_groups)
    if (is_system_group) targets.groups.byKey.set(name, [{ id, name, isListed: false }]);
  /** Returns whether a thing has this name after the plan. */
  const isName = (kind: NamedSection, name: string): boolean =>
    targets[kind].byKey.has(entryKey(sections[kind], () => name));

  /** Removes what `settings update` accepts before a name: `#`, `@`, `name:`. */
  function withoutMark(kind: NamedSection, text: string, path: Path): string {
    if (kind === "groups") return (isName(kind, text) ? text : text.replace(/^@/, "")).replace(/^name:/, "");
    if (kind !== "channels" || !/^(#|name:)/.test(text)) return text;
    const bare = trimmed(text.replace(/^(#|name:)/, ""));
    if (text.startsWith("#") && isName(kind, bare) && isName(kind, text))
      findings.problem(path, `"${text}" and "${bare}" are both channels: write name:${text} or ${bare}`);
    return bare;
  }

  /**
   * Finds a thing by name. It may be archived if it is being removed (`leaving`) or is already in use here. Undefined
   * after a problem.
   */
  function thing(
    kind: NamedSection,
    text: string,
    path: Path,
    inUse: "leaving" | readonly unknown[],
  ): ThingId | undefined {
    const { byKey, names } = targets[kind];
    const { one, archiving: { archive = "archive" } = {} } = sections[kind];
    const report = (says: string) => findings.problem(path, says);
    const isInUse = ({ id: known }: Target) => inUse !== "leaving" && inUse.some((each) => same(each, known));
    const written = withoutMark(kind, text, path);
    // Old servers kept blanks around names.
    const name = isName(kind, written) ? written : trimmed(withoutMark(kind, trimmed(text), path));
    const key = entryKey(sections[kind], () => name);
    const all = byKey.get(key) ?? [];
    const target = all.find(isInUse) ?? all[0];
    if (!target) {
      const renamed = names.get(key);
      if (renamed !== undefined)
        return report(`${one} "${name}" is renamed to "${renamed}" in the file: use the new name`);
      const invisible = invisiblePart(name);
      if (invisible) return report(`${one} "${name}" contains ${invisible}`);
      const role = kind === "groups" ? systemGroupName(name) : undefined;
      const others = [...byKey.values()].flat().map((each) => each.name);
      return report(`${one} "${name}" not found${role ? `; did you mean ${role}?` : suggestion(name, others)}`);
    }
    if (all.length > 1 && !isInUse(target)) {
      const how = target.isListed ? "give them different names" : `add the id of the right one in "${kind}"`;
      const ids = all.map(({ id: known }) => ({ id: known }));
      return report(`there are ${formatDuplicates(sections[kind], target.name, ids)}: ${how}`);
    }
    if (inUse === "leaving") return target.id;
    if (target.archived === "by the file") return report(`the file ${archive}s ${one} "${target.name}"`);
    if (target.archived && !isInUse(target))
      return report(`${one} "${target.name}" is ${archive}d: the file must restore it`);
    return target.id;
  }

  /** Profile fields cannot be archived. */
  const profileField = (text: string, path: Path) => thing("profile_fields", text, path, "leaving");

  return { isName, thing, profileField };
}

/** Returns functions that find people and things. */
export const referencesOf = (snapshot: Snapshot, pairings: Pairings, findings: Findings) => ({
  ...thingReferences(snapshot, pairings, findings),
  ...personReferences(snapshot, pairings, findings),
});

export type References = ReturnType<typeof referencesOf>;

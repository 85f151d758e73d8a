/** Finds what names in a file refer to: people and things that exist, and those that the file creates or invites. */

import { userAddress } from "../../api/users.ts";
import { counted } from "../../common/counted.ts";
import { nfc } from "../../common/folding.ts";
import { groupBy, keyBy } from "../../common/group-by.ts";
import { invisiblePart, trimmed } from "../../notation/blanks.ts";
import { systemGroupName } from "../../notation/references.ts";
import type { Path } from "../content.ts";
import type { ThingId } from "../difference.ts";
import { same } from "../id-values.ts";
import { sections } from "../section-registry.ts";
import type { Pairing, Pairings } from "../sections/section-rules.ts";
import { everybodyOf, type Person, type Snapshot } from "../snapshot.ts";
import { type Findings, suggestion } from "./findings.ts";
import { entryKey, formatDuplicates } from "./match.ts";

/** The kinds of things that names refer to, besides people. */
export type NamedSection = "groups" | "channels" | "folders" | "profile_fields";

/** What `settings update` accepts before a name. */
const marks: Partial<Record<NamedSection, RegExp>> = { channels: /^(#|name:)/, groups: /^@/ };

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

export type References = ReturnType<typeof referencesOf>;

/** Returns functions that find people and things by name. What they do not find becomes a problem in `findings`. */
export function referencesOf(snapshot: Snapshot, pairings: Pairings, findings: Findings) {
  const targets = {
    groups: targetsOf(pairings.groups),
    channels: targetsOf(pairings.channels),
    folders: targetsOf(pairings.folders),
    profile_fields: targetsOf(pairings.profile_fields),
  };
  for (const { id, name, is_system_group } of snapshot.organization.realm_user_groups)
    if (is_system_group) targets.groups.byKey.set(name, [{ id: id, name, isListed: false }]);
  const everybody = everybodyOf(snapshot);
  const byId = keyBy(everybody, ({ user_id }) => user_id);
  const byName = groupBy(everybody, ({ full_name }) => nfc(full_name));
  const visible = everybody.filter((person) => userAddress(person) !== undefined);
  const hiddenCount = everybody.length - visible.length;
  /** Added to "not found": the number of addresses that this account cannot see. */
  const hiddenAddresses = hiddenCount
    ? `; ${counted(hiddenCount, "address is", "addresses are")} hidden from this account`
    : "";
  // Servers send a placeholder for a hidden address. It can be used too.
  const addresses = new Map(everybody.map((person) => [person.email.toLowerCase(), person]));
  for (const person of visible) addresses.set(String(userAddress(person)).toLowerCase(), person);
  /** Deactivated people: servers leave them out of lists. */
  const omitted = new Set(snapshot.organization.realm_non_active_users.map(({ user_id }) => user_id));
  /** Ids of people who are deactivated after the plan, and whether the file deactivates them. */
  const deactivated = new Map([...omitted].map((id) => [id, false]));
  const { pairs } = pairings.people;
  for (const { thing, archives } of [...pairs, ...pairings.bots.pairs]) {
    if (thing?.id === undefined || archives === undefined) continue;
    if (archives) deactivated.set(thing.id, true);
    else {
      deactivated.delete(thing.id);
      omitted.delete(thing.id);
    }
  }
  /** By lower-case address of a person to invite, the groups and channels that list them. */
  const invited = new Map<string, Record<"groups" | "channels", ThingId[]>>(
    pairs
      .filter(({ thing, entry }) => !thing && entry.invite === true)
      .map(({ key }) => [key, { groups: [], channels: [] }]),
  );

  /** Returns whether a thing has this name after the plan. */
  const isName = (kind: NamedSection, name: string): boolean =>
    targets[kind].byKey.has(entryKey(sections[kind], () => name));

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
    const plain = (written: string) => {
      if (kind === "channels" && /^(#|name:)/.test(written)) {
        const bare = trimmed(written.replace(/^(#|name:)/, ""));
        const isBoth = written.startsWith("#") && isName(kind, bare) && isName(kind, written);
        if (isBoth)
          findings.problem(path, `"${written}" and "${bare}" are both channels: write name:${written} or ${bare}`);
        return bare;
      }
      const unmarked = marks[kind] && !isName(kind, written) ? written.replace(marks[kind], "") : written;
      return kind === "groups" ? unmarked.replace(/^name:/, "") : unmarked;
    };
    // Old servers kept blanks around names.
    const name = isName(kind, plain(text)) ? plain(text) : trimmed(plain(trimmed(text)));
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

  const newBots = new Set(pairings.bots.pairs.flatMap(({ thing, key, archives }) => (thing || archives ? [] : [key])));

  function personOf(typed: string, path: Path): Person | { readonly invited: string } | undefined {
    const text = trimmed(typed);
    const report = (says: string) => {
      const invisible = invisiblePart(text);
      return findings.problem(path, invisible ? `person "${text}" contains ${invisible}` : says);
    };
    const [, kind, rest = ""] = /^(id|name):(.*)/s.exec(text) ?? [];
    if (kind === "id") return byId.get(Number(rest)) ?? report(`no person with the id ${rest}`);
    if (kind === "name") {
      const all = byName.get(nfc(rest)) ?? byName.get(nfc(trimmed(rest))) ?? [];
      const live = all.filter(({ user_id }) => !deactivated.has(user_id));
      const preferred = live.length ? live : all;
      if (preferred.length === 1) return preferred[0];
      const ids = preferred.map(({ user_id }) => `id:${user_id}`).join(", ");
      if (ids) return report(`several people are named "${rest}": ${ids}`);
      return report(`no person named "${rest}"${suggestion(rest, [...byName.keys()])}`);
    }
    const email = text.toLowerCase();
    const person = addresses.get(email);
    if (person) return person;
    if (invited.has(email) || newBots.has(email)) return { invited: email };
    const form = text.includes("@") ? "" : "; write a full name as name:…";
    const hint = suggestion(text, [...addresses.keys()]) || form || hiddenAddresses;
    return report(`no person with the e-mail address ${text}${hint}`);
  }

  /** Profile fields cannot be archived. */
  const profileField = (text: string, path: Path) => thing("profile_fields", text, path, "leaving");

  return { isName, thing, person: personOf, profileField, invited, omitted, deactivated, hiddenAddresses };
}

/** Entries of the file beside what is there: which attributes differ, and what becomes of each thing. */
import { nameProblem } from "../../notation/name.ts";
import { isNothing, same } from "../canonical.ts";
import type { Entry, Path } from "../content.ts";
import type { Creation, Difference, FieldChange, Update } from "../difference.ts";
import { eachSection, sections } from "../file.ts";
import type { Members } from "../shape.ts";
import type { SectionName, ThingSection } from "../words.ts";
import type { Comparing } from "./context.ts";
import { archives, type Pair, type Thing } from "./match.ts";
import { invitation, personChanges } from "./people.ts";
import { fieldChanges } from "./profile-fields.ts";
import { canonicalValue, type Said } from "./values.ts";

interface About {
  readonly section: SectionName;
  /** As a difference calls it. */
  readonly name: string;
  readonly path: Path;
  readonly entry: Entry;
  /** Attributes of the section that are compared here. */
  readonly members: Members;
  /** Canonical; undefined where the server does not send it. Absent where there is no such thing yet. */
  readonly read?: (field: string) => unknown;
  readonly invite?: Said["invite"];
}

/**
 * Whether servers change the second with the first: who is let into the history of a channel follows its privacy, so
 * what the file says of it goes along even where it is so already.
 */
const resets = (first: string, second: string): boolean =>
  first === "is_private" && second === "history_public_to_subscribers";

const isName = (section: SectionName, field: string): boolean =>
  section !== "settings" && (field === "name" || field === "full_name");

/** What differs of an entry's attributes, or all that it says where there is nothing yet. */
function changesOf(c: Comparing, about: About): FieldChange[] {
  const { snapshot, findings, owner } = c;
  const { section, name, entry, members, read, invite } = about;
  const level = snapshot.feature_level;
  const changes: FieldChange[] = [];
  for (const [field, member] of Object.entries(members)) {
    if (!Object.hasOwn(entry, field)) continue;
    const path = [...about.path, field];
    const value = entry[field];
    const { until, since = 0, valueSince } = member;
    if (until && level >= until.level) {
      findings.problem(path, `removed at feature level ${until.level}: set ${until.by} instead`);
      continue;
    }
    const from = read?.(field);
    const needs = Math.max(since, valueSince?.(value) ?? 0);
    if (needs > level && from === undefined) {
      findings.tooNew({ section, name, field, path, needs }, level);
      continue;
    }
    const to = canonicalValue(c, { member, value, path, from, invite });
    if (to === undefined) continue;
    const equal = read && (same(from, to) || (from === undefined && isNothing(to)));
    if (equal && !changes.some((change) => resets(change.field, field))) continue;
    const problem = isName(section, field) && typeof value === "string" ? nameProblem(value) : undefined;
    if (needs > level) findings.tooNew({ section, name, field, path, needs }, level);
    else if (problem !== undefined) findings.problem(path, problem);
    // A new channel may have the organization's retention, which is what it gets anyway.
    else if (member.owner && !owner && (read || to !== "realm_default"))
      findings.refuse({ section, name, field, path, says: `permission denied: only owners can change ${field}` });
    else changes.push(read ? { field, from: from ?? null, to } : { field, to });
  }
  return changes;
}

export function settingDifferences(c: Comparing, section: "settings" | "new_users"): Difference[] {
  const entry = c.content[section];
  if (!entry) return [];
  const { members, read } = sections[section];
  const from = (name: string) => read(c.reader, name);
  const fields = changesOf(c, { section, name: section, path: [section], entry, members, read: from });
  return fields.length ? [{ section, name: section, action: "update", fields }] : [];
}

/** What is compared otherwise, or says only which thing it is about. */
const apart: Partial<Record<ThingSection, readonly string[]>> = {
  people: ["email", "active", "invite", "profile"],
  profile_fields: ["type", "options", "field_data"],
};

const membersOf = eachSection((name): Members => {
  const { members, archiving } = sections[name];
  const skipped = new Set(["id", "was", archiving?.member, ...(apart[name] ?? [])]);
  return Object.fromEntries(Object.entries(members).filter(([member]) => !skipped.has(member)));
});

const needsAccess = new Set(["is_private", "can_add_subscribers_group", "can_subscribe_group"]);

const adds = ({ from, to }: FieldChange): boolean => {
  const there = new Set(Array.isArray(from) ? from : []);
  return Array.isArray(to) && to.some((id) => !there.has(id));
};

/** Whether the account may make the change to a private channel, whose messages it may not be able to read. */
function hasAccess(c: Comparing, { thing, name, path }: Pair, change: FieldChange): boolean {
  const { field } = change;
  if (!needsAccess.has(field) && !(field === "subscribers" && adds(change))) return true;
  if (c.mayRead(thing?.id)) return true;
  const says = "is private, and this account is not subscribed: only people who can read it can change this";
  c.findings.refuse({ section: "channels", name, field, path: [...path, field], says });
  return false;
}

/** Those who are invited go to what a list of people belongs to: only channels and groups have one. */
const inviting =
  ({ invited }: Comparing, section: ThingSection, { thing, name }: Pair): Said["invite"] =>
  (email) => {
    if (section === "channels" || section === "groups") invited.get(email)?.[section].push(thing?.id ?? { new: name });
  };

/** Attributes of something that is not there yet, by their names. */
const valuesOf = (changes: readonly FieldChange[]): Creation["to"] =>
  Object.fromEntries(changes.map(({ field, to }) => [field, to]));

function creation(c: Comparing, name: ThingSection, pair: Pair, extra: readonly FieldChange[]): Creation | undefined {
  const { one, requiredToCreate: required } = sections[name];
  const { entry, path } = pair;
  if (required && !Object.hasOwn(entry, required))
    return c.findings.problem(path, `missing "${required}": required for a new ${one}`);
  const invite = inviting(c, name, pair);
  const changes = changesOf(c, { section: name, name: pair.name, path, entry, members: membersOf[name], invite });
  // Nothing is made where its very name is refused.
  if (!changes.length) return undefined;
  return { section: name, name: pair.name, action: "create", to: valuesOf([...changes, ...extra]) };
}

function update(
  c: Comparing,
  name: ThingSection,
  pair: Pair & { readonly thing: Thing },
  extra: readonly FieldChange[],
): Update | undefined {
  const { one, archiving, members, key, recreated } = sections[name];
  const { entry, path, thing } = pair;
  const { id, read, archived } = thing;
  const archive = archives(name, entry);
  const about = { section: name, name: pair.name, path };
  const level = c.snapshot.feature_level;
  let action: Update["action"] = "update";
  if (archiving) {
    const { member, archived: value } = archiving;
    if (archived && archive === undefined)
      return c.findings.problem(
        path,
        `${one} "${thing.name}" is archived or deactivated: add "${member}: ${!value}" to restore it, or "${member}: ${value}"`,
      );
    const since = members[member]?.since ?? 0;
    if (archive && !archived) {
      action = archiving.archive;
      if (since > level) {
        c.findings.tooNew({ ...about, field: member, needs: since }, level);
        return undefined;
      }
    }
    if (archived && archive === false) {
      action = archiving.restore;
      const needs = archiving.restoreSince ?? 0;
      const says = `cannot be restored before feature level ${needs}; this server has level ${level}`;
      if (needs > level) return c.findings.refuse({ ...about, field: member, says, needs });
    }
  }
  const invite = inviting(c, name, pair);
  const changes = changesOf(c, { ...about, entry, members: membersOf[name], read, invite });
  const fields = [...changes, ...extra].filter((change) => hasAccess(c, pair, change));
  // It is removed and created again: its key goes along.
  if (recreated && fields.length)
    fields.unshift(...key.map((field) => ({ field, from: read(field), to: read(field) })));
  if (action === "update" && !fields.length) return undefined;
  return { section: name, name: pair.name, ...(id !== undefined && { id }), action, fields };
}

/** Everything but orders and what is not in the file. People come after profile fields, whose options their values are. */
export function thingDifferences(c: Comparing, name: ThingSection): Difference[] {
  return c.pairings[name].pairs.flatMap((pair): Difference[] => {
    const { thing, entry } = pair;
    if (name === "people" && !thing) return invitation(c, pair);
    if (!thing && archives(name, entry)) return [];
    const extra = name === "profile_fields" ? fieldChanges(c, pair) : name === "people" ? personChanges(c, pair) : [];
    if (!extra) return [];
    const difference = thing ? update(c, name, { ...pair, thing }, extra) : creation(c, name, pair, extra);
    return difference ? [difference] : [];
  });
}

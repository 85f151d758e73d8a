/** Compares entries of a file with existing things, attribute by attribute. */
import { nfc } from "../../common/folding.ts";
import { listAttributes } from "../../model/kinds/lists.ts";
import { unchangeable } from "../../model/organization.ts";
import { cannotReactivate } from "../../model/person.ts";
import { nameProblem } from "../../notation/name.ts";
import { type Member, memberNamed } from "../attribute-shapes.ts";
import type { FileEntry, Path } from "../content.ts";
import type { Creation, Difference, FieldChange, Update } from "../difference.ts";
import { isEmpty, same } from "../id-values.ts";
import { hasAccounts, type SectionName, type SettingSection, type ThingSection } from "../section-names.ts";
import { sections } from "../section-registry.ts";
import { othersIn, type Section } from "../sections/section.ts";
import type { ComparedThing, Comparing, Pair } from "../sections/section-rules.ts";

interface AttributeContext {
  readonly section: SectionName;
  /** The name in the difference. */
  readonly name: string;
  readonly path: Path;
  readonly entry: FileEntry;
  /** Reads the value with ids of an existing thing. Undefined if the server does not send it. */
  readonly read?: (field: string) => unknown;
  readonly id?: number | undefined;
}

/** Returns the value of the newer attribute. Undefined if the entry has that too, or no value means the same. */
function replacedValue(member: Member | undefined, entry: FileEntry, field: string): unknown {
  const { until, read } = member ?? {};
  if (!until || Object.hasOwn(entry, until.by)) return undefined;
  const value = entry[field];
  return until.values ? until.values.get(typeof value === "string" && read ? read(value) : value) : value;
}

/** Returns the changed attributes of an entry. For a new thing these are all attributes. */
function changesOf(c: Comparing, context: AttributeContext): FieldChange[] {
  const { findings } = c;
  const { section, name, entry, read } = context;
  const level = c.snapshot.feature_level;
  const { members, ...stated }: Section = sections[section];
  const skipped = "records" in stated ? ["id", "was", stated.archiving?.member, ...(stated.rules?.fields ?? [])] : [];
  const changes: FieldChange[] = [];
  const others = Object.keys(entry).filter((name) => !Object.hasOwn(members, name));
  const there = others.length ? othersIn(sections[section], c.snapshot) : [];
  for (const inFile of [...Object.keys(members), ...others]) {
    const { until, createOnly } = memberNamed(sections[section], inFile) ?? {};
    if (!Object.hasOwn(entry, inFile) || skipped.includes(inFile) || (read && createOnly)) continue;
    const path = [...context.path, inFile];
    if (others.includes(inFile) && !there.includes(inFile)) {
      const says =
        inFile === unchangeable ? "nobody can change it" : "unknown to zulipctl, and this server does not have it";
      findings.problem(path, says);
      continue;
    }
    const replacement = until && level >= until.level ? until : undefined;
    const field = replacement?.by ?? inFile;
    const member = memberNamed(sections[section], field);
    const value = replacement ? replacedValue(members[inFile], entry, inFile) : entry[inFile];
    if (!member || (replacement && value === undefined)) {
      const says = until?.level ? `removed at feature level ${until.level}: set` : "its older name: set only";
      findings.problem(path, `${says} ${field}${until?.level ? " instead" : ""}`);
      continue;
    }
    const { since = 0, valueSince } = member;
    const from = read?.(field);
    const needs = Math.max(since, valueSince?.(value) ?? 0);
    if (needs > level && from === undefined) {
      findings.tooNew({ section, name, field, needs }, level);
      continue;
    }
    const to = c.values.of(member, { value, path, from, list: { section, known: context.id ?? { new: name } } });
    if (to === undefined) continue;
    // Changing privacy resets the history setting on the server, so send what the file says.
    const isReset =
      field === "history_public_to_subscribers" && changes.some((change) => change.field === "is_private");
    if (read && !isReset && (same(from, to) || (from === undefined && isEmpty(to)))) continue;
    const isName = section !== "settings" && (field === "name" || field === "full_name");
    // What exists keeps the server's spelling of accents.
    if (isName && typeof from === "string" && nfc(from) === to) continue;
    // Servers ignore an empty name of a person. All other names are checked by their shapes.
    const problem = !isName || typeof value !== "string" ? undefined : to ? nameProblem(value) : "must not be empty";
    if (needs > level) findings.tooNew({ section, name, field, needs }, level);
    else if (problem !== undefined) findings.problem(path, problem);
    else {
      const through = c.values.through(path);
      changes.push({ field, ...(read && { from: from ?? null }), to, ...(through.length && { through }) });
    }
  }
  return changes;
}

export function settingDifferences(c: Comparing, section: SettingSection): Difference[] {
  const entry = c.content[section] ?? {};
  const read = (name: string) => sections[section].read(c.snapshot, name);
  const fields = changesOf(c, { section, name: section, path: [section], entry, read });
  return fields.length ? [{ section, name: section, action: "update", fields }] : [];
}

function creation(
  c: Comparing,
  section: ThingSection,
  pair: Pair,
  extra: readonly FieldChange[],
): Creation | undefined {
  const { one, requiredToCreate: required } = sections[section];
  const { entry, path, name } = pair;
  if (required && !Object.hasOwn(entry, required))
    return c.findings.problem(path, `missing "${required}": required for a new ${one}`);
  const changes = changesOf(c, { section, name, path, entry });
  // A new thing with an invalid name is not created.
  if (!changes.length) return undefined;
  const to = Object.fromEntries([...changes, ...extra].map((change) => [change.field, change.to]));
  const through = changes.flatMap((change) => (change.through ? [[change.field, change.through] as const] : []));
  return { section, name, action: "create", to, ...(through.length && { through: Object.fromEntries(through) }) };
}

const isDeleted = (c: Comparing, id: number | undefined): boolean =>
  id !== undefined && c.everybody.get(id)?.is_deleted === true;

/** Returns the action on the thing. Undefined after a problem. */
function actionOn(
  c: Comparing,
  section: ThingSection,
  pair: Pair,
  { id, archived }: ComparedThing,
): Update["action"] | undefined {
  const { archiving } = sections[section];
  const { archives } = pair;
  if (!archiving || archives === undefined || archives === archived) return "update";
  if (archives) return archiving.archive;
  const level = c.snapshot.feature_level;
  const about = { section, name: pair.name, field: archiving.member };
  if (isDeleted(c, id)) return c.findings.refuse({ ...about, says: cannotReactivate });
  const needs = archiving.restoreSince ?? 0;
  if (needs <= level) return archiving.restore;
  const says = `cannot be restored before feature level ${needs}; this server has level ${level}`;
  return c.findings.refuse({ ...about, says, needs });
}

function update(
  c: Comparing,
  section: ThingSection,
  pair: Pair & { readonly thing: ComparedThing },
  extra: readonly FieldChange[],
): Update | undefined {
  const { members, recreated } = sections[section];
  const { entry, path, name, thing } = pair;
  const { id, read } = thing;
  const action = actionOn(c, section, pair, thing);
  if (!action) return undefined;
  const changes = changesOf(c, { section, name, path, entry, read, id });
  const fields = [...changes, ...extra];
  // The thing is removed and created again, so the requests need all its values. Lists are changed as they are.
  if (recreated && fields.some(({ field }) => !listAttributes.has(field))) {
    const changed = new Set(fields.map(({ field }) => field));
    const others = Object.keys(members).filter((field) => !changed.has(field) && read(field) !== undefined);
    fields.unshift(...others.map((field) => ({ field, from: read(field), to: read(field) })));
  }
  if (action === "update" && !fields.length) return undefined;
  return { section, name, ...(id !== undefined && { id }), action, fields };
}

/** Compares all entries of a section. Profile fields must be compared before people. */
export function thingDifferences(c: Comparing, section: ThingSection): Difference[] {
  const { rules = {} } = sections[section];
  return c.pairings[section].pairs.flatMap((pair): Difference[] => {
    const { thing, archives } = pair;
    if (c.findings.isWrong(pair.path)) return [];
    if (!thing && rules.absent) return rules.absent(c, pair);
    if (!thing && archives) return [];
    if (thing?.archived && archives === undefined && hasAccounts(section)) {
      const { id, name } = thing;
      c.findings.deactivated.push({ section, name, ...(id !== undefined && { id }), deleted: isDeleted(c, id) });
      return [];
    }
    const extra = rules.compare ? rules.compare(c, pair) : [];
    if (!extra) return [];
    const difference = thing ? update(c, section, { ...pair, thing }, extra) : creation(c, section, pair, extra);
    return difference ? [difference] : [];
  });
}

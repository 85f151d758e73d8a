import { createProfileField, type ProfileField, updateProfileField } from "../../api/profile-fields.ts";
import { strip } from "../../common/folding.ts";
import { keyBy } from "../../common/group-by.ts";
import { membersOfJson, nameOf, namesOf, valueNamed } from "../../common/object-members.ts";
import {
  fieldTypes,
  longTextInSummary,
  newField,
  nextKey,
  type Option,
  onlyWith,
  optionsData,
  optionsIn,
  peopleInValue,
  typeWith,
} from "../../model/profile-field.ts";
import { choiceShape, membersShape, nonEmptyShape, optionsShape } from "../attribute-shapes.ts";
import type { Findings } from "../compare/findings.ts";
import { isEntry, type Path } from "../content.ts";
import { type AttributeValues, type FieldChange, optionsOf } from "../difference.ts";
import { isEmpty, reorderListed, same, sorted } from "../id-values.ts";
import { phases } from "../order/phases.ts";
import { everybodyOf, type Snapshot } from "../snapshot.ts";
import { createDraft, type RequestPiece, renamePiece, statedRequests, withoutUndefined } from "./requests.ts";
import { attributesOf, identityMembers, ofKind, type ThingsSection } from "./section.ts";
import type { Comparing, Pair } from "./section-rules.ts";

/** Returns the value with ids of somebody's profile field. */
export function profileValue(type: unknown, value: unknown = null): unknown {
  if (type !== "people" && type !== fieldTypes.people) return value || null;
  const ids = peopleInValue(value);
  return ids.length ? sorted(ids) : null;
}

/** The types by which servers can find people. */
const matchingTypes: readonly unknown[] = ["short_text", "account"];

const matchingSince = updateProfileField.params.use_for_user_matching.since ?? 0;

/** Returns the data of a field as requests send it. */
const fieldArgs = ({ type: _, options, field_data, ...rest }: AttributeValues) =>
  withoutUndefined({ ...rest, field_data: options ? optionsData(optionsOf(options)) : field_data });

/** Returns the new options, and the options that the file does not list. Undefined after a problem. */
function compareOptions(entries: unknown, from: readonly Option[], path: Path, findings: Findings) {
  const all: readonly unknown[] = Array.isArray(entries) ? entries : [];
  const desired = all.map((each) => (isEntry(each) ? each : { name: each, was: undefined }));
  const byText = new Map<unknown, Option>(from.map((option) => [option.text, option]));
  let next = nextKey(from);
  const claimed = new Set<Option | undefined>();
  const listed: Option[] = [];
  for (const [n, { name, was }] of desired.entries()) {
    const [option, old] = [byText.get(name), byText.get(was)];
    const at = [...path, n, "was"];
    if (!option && old && desired.some((other) => other.name === was))
      return findings.problem(at, `"${was}" is also another option of this list`);
    if (option && old) findings.notice(`option "${name}" exists, and so does "${was}": "was" is ignored`, at);
    claimed.add(option).add(old);
    listed.push({ key: (option ?? old)?.key ?? String(next++), text: String(name) });
  }
  const renamed = keyBy(listed, ({ key }) => key);
  const after = from.map((option) => renamed.get(option.key) ?? option);
  const added = listed.filter(({ key }) => !from.some((option) => option.key === key));
  return {
    options: reorderListed([...after, ...added], listed),
    unlisted: from.filter((option) => !claimed.has(option)),
  };
}

/** Returns the changes of a profile field. Undefined after a problem. */
function profileFieldChanges(c: Comparing, { entry, path, thing, name }: Pair): FieldChange[] | undefined {
  const { findings } = c;
  const current = thing?.read("type");
  const type = thing ? current : entry.type;
  if (thing && entry.type !== undefined && entry.type !== current) {
    const says = `is of the type ${current ?? "unknown here"}: changing the type would need a new field and lose people's values`;
    return findings.refuse({ section: "profile_fields", name, field: "type", says });
  }
  for (const member of namesOf(typeWith)) {
    const has = Object.hasOwn(entry, member);
    const needs = type === typeWith[member];
    if (has && !needs) return findings.problem([...path, member], onlyWith(member));
    if (!has && !thing && needs)
      return findings.problem(path, `missing "${member}": required for a new field of type ${typeWith[member]}`);
  }
  if (entry.use_for_user_matching === true && !matchingTypes.includes(type))
    return findings.problem(
      [...path, "use_for_user_matching"],
      `only fields of type ${matchingTypes.join(" and ")} can be used for it`,
    );
  const level = c.snapshot.feature_level;
  if (entry.display_in_profile_summary === true && type === "long_text" && level < longTextInSummary) {
    const field = "display_in_profile_summary";
    const says = `${field} of a long text requires feature level ${longTextInSummary}; this server has level ${level}`;
    return findings.refuse({ section: "profile_fields", name, field, needs: longTextInSummary, says });
  }
  const changes: FieldChange[] = thing ? [] : [{ field: "type", to: entry.type }];
  const from = optionsOf(thing?.read("options"));
  let final = from;
  if (Object.hasOwn(entry, "options")) {
    const compared = compareOptions(entry.options, from, [...path, "options"], findings);
    if (!compared) return undefined;
    const { options, unlisted } = compared;
    const pruned = options.filter(({ key }) => !unlisted.some((option) => option.key === key));
    const isComplete = unlisted.length > 0 && c.content.complete?.includes("profile_fields");
    final = isComplete && c.prune ? pruned : options;
    if (isComplete && !c.prune && thing?.id !== undefined) {
      const fields = [{ field: "options", from: options, to: pruned }];
      c.unlistedOptions.push({ section: "profile_fields", name, id: thing.id, action: "update", fields, prune: true });
    }
    if (!thing || !same(from, final)) changes.push({ field: "options", ...(thing && { from }), to: final });
  }
  const data = thing?.read("field_data");
  if (Object.hasOwn(entry, "field_data") && !same(data, entry.field_data))
    changes.push({ field: "field_data", ...(thing && { from: data ?? null }), to: entry.field_data });
  c.fields.set(thing?.id ?? name, { name, type, options: final });
  return changes;
}

/** Counts the people who have a value of a profile field, or one of the options in `keys`. */
export const holders = (snapshot: Snapshot, field: unknown, keys?: ReadonlySet<unknown>): number =>
  everybodyOf(snapshot).filter(({ profile_data }) => {
    const value = profile_data?.[String(field)]?.value;
    return keys ? keys.has(value) : !isEmpty(value);
  }).length;

export const profileFieldsSection: ThingsSection<ProfileField> = {
  ...ofKind<ProfileField>("profile_field"),
  doc: "Custom profile fields, in their order.",
  requiredToCreate: "type",
  members: {
    name: { shape: nonEmptyShape, doc: "The name.", needed: true, stored: strip },
    ...identityMembers,
    type: { shape: choiceShape(...namesOf(fieldTypes)), doc: "The kind of its values; it cannot be changed." },
    ...attributesOf(updateProfileField, { omit: ["field_id", "name", "field_data"] }),
    options: { shape: optionsShape, doc: "The choices, in order; only for the type options." },
    field_data: {
      shape: membersShape({
        subtype: { shape: nonEmptyShape, doc: "`github`, `twitter` or `custom`.", needed: true },
        url_pattern: { shape: nonEmptyShape, doc: "Where accounts are, with %(username)s; of the subtype custom." },
      }),
      doc: "Which accounts they are; of the type account.",
    },
  },
  attributes: ({ feature_level }) => ({
    type: ({ type }) => nameOf(fieldTypes, type),
    // Servers leave these out if they are false.
    display_in_profile_summary: ({ display_in_profile_summary: shown }) => shown ?? false,
    use_for_user_matching: ({ use_for_user_matching: matches }) =>
      matches ?? (feature_level < matchingSince ? undefined : false),
    options: ({ type, field_data }) => (type === fieldTypes.options ? optionsIn(field_data) : undefined),
    field_data: ({ type, field_data }) => (type === fieldTypes.account ? membersOfJson(field_data) : undefined),
  }),
  omits: (_, field, { type }) => field === "use_for_user_matching" && !matchingTypes.includes(nameOf(fieldTypes, type)),
  write: (field, value) => {
    if (field === "type") return { type: valueNamed(fieldTypes, value) };
    if (field === "options") return { field_data: JSON.stringify(optionsData(optionsOf(value))) };
    return field === "field_data" ? { field_data: JSON.stringify(value) } : undefined;
  },
  // What older servers do not have stays unset.
  initialValues: () => ({ ...newField, use_for_user_matching: undefined }),
  rules: { fields: ["type", "options", "field_data"], compare: profileFieldChanges },
  requests: {
    ...statedRequests("profile_field"),
    create: (context, creation) => {
      const { name, to } = creation;
      const args = { field_type: valueNamed(fieldTypes, to.type), ...fieldArgs({ name, ...to }) };
      return [createDraft(context, creation, { operation: createProfileField, args, key: strip(name) })];
    },
    update: (_, { id, fields }) => {
      const pieces = fields.map((change): RequestPiece => {
        const { field, to } = change;
        if (field === "name") return renamePiece("profile_fields", id, change, strip);
        return { fields: [field], args: fieldArgs({ [field]: to }) };
      });
      const enters = fields.some(({ field, to }) => field === "display_in_profile_summary" && to === true);
      const phase = enters ? phases.enteringSummary : phases.collections;
      return [{ phase, operation: updateProfileField, args: { field_id: id }, pieces }];
    },
  },
};

import {
  createProfileField,
  getProfileFields,
  removeProfileField,
  reorderProfileFields,
  updateProfileField,
} from "../../api/profile-fields.ts";
import { strip } from "../../folding.ts";
import type { ArgsOf } from "../../wire/operation.ts";
import { refused } from "../api-error.ts";
import { atMost, type Check, fromJson } from "../decode.ts";
import { fieldsChanged } from "../events/organization.ts";
import { checkFieldData, defaultAccounts, type FieldData } from "../field-data.ts";
import { isObject, type Json } from "../json.ts";
import type { ProfileField } from "../organization-state.ts";
import { fieldRecord } from "../records/small.ts";
import { type Call, on } from "../router.ts";
import { nextId, type State } from "../state.ts";

/** Texts, or objects of two texts; of the kinds the server tries, it reports the failure of the second. */
const aFieldData: Check<FieldData> = (value, path) => {
  if (!isObject(value)) throw refused(`${path} is not a dict`);
  for (const [key, each] of Object.entries(value)) {
    if (typeof each === "string") continue;
    const place = `${path}["${key}"]["dict[str,str]"]`;
    if (!isObject(each)) throw refused(`${place} is not a dict`);
    for (const [name, text] of Object.entries(each)) {
      if (typeof text !== "string") throw refused(`${place}["${name}"] is not a string`);
    }
  }
  return value as FieldData;
};

const decode = { name: strip, field_data: fromJson<Json | FieldData>(aFieldData) };

function checkTexts({ level }: Call, name: string, hint: string): void {
  if (name === "") throw refused("Label cannot be blank.");
  atMost(80)(hint, "hint", level);
  atMost(40)(name, "name", level);
}

function checkSummaries({ profile_fields }: State, of?: ProfileField): void {
  const others = profile_fields.filter((each) => each !== of && each.display_in_profile_summary);
  if (others.length >= 2) {
    throw refused("Only 2 custom profile fields can be displayed in the profile summary.");
  }
}

const longTextAndPeople = [2, 6];

function checkSummary(type: number): void {
  if (longTextAndPeople.includes(type)) throw refused("Field type not supported for display in profile summary.");
}

function checkFree({ profile_fields }: State, name: string, of?: ProfileField): void {
  if (profile_fields.some((each) => each !== of && each.name === name)) {
    throw refused("A field with that label already exists.");
  }
}

const isDefault = ({ type, field_data }: ProfileField): boolean =>
  type === 7 && Object.hasOwn(defaultAccounts, (JSON.parse(field_data) as { subtype: string }).subtype);

function create(call: Call, args: ArgsOf<typeof createProfileField>): object {
  const { state } = call;
  const { field_type: type, name = "", hint = "", required = false, editable_by_user = true } = args;
  const data = (args.field_data ?? {}) as FieldData;
  const account = type === 7 && typeof data.subtype === "string" ? defaultAccounts[data.subtype] : undefined;
  if (args.display_in_profile_summary) checkSummaries(state);
  const field_data = checkFieldData(type, data);
  if (!account) checkTexts(call, name, hint);
  if (type < 1 || type > 8) throw refused("Invalid field type.");
  if (args.display_in_profile_summary) checkSummary(type);
  const shown = account ? { name: account.name, hint: account.hint } : { name, hint };
  checkFree(state, shown.name);
  const id = nextId(state, "field");
  const display_in_profile_summary = args.display_in_profile_summary ?? false;
  state.profile_fields.push({
    id,
    ...shown,
    type,
    field_data,
    order: id,
    required,
    editable_by_user,
    display_in_profile_summary,
  });
  fieldsChanged(call);
  return { id };
}

/** People who chose an option that is gone have no value any more. */
function dropStaleValues({ users }: State, { id, type, field_data }: ProfileField): void {
  if (type !== 3) return;
  const options = JSON.parse(field_data) as object;
  for (const { profile } of users.values()) {
    const value = profile.get(id);
    if (value !== undefined && !Object.hasOwn(options, value)) profile.delete(id);
  }
}

function update(call: Call, id: number, args: Omit<ArgsOf<typeof updateProfileField>, "field_id">): object {
  const { state } = call;
  const field = known(state, id);
  const { name, hint, field_data, required, editable_by_user, display_in_profile_summary } = args;
  if (display_in_profile_summary) checkSummaries(state, field);
  const data = field_data as FieldData | undefined;
  if (isDefault(field)) {
    const changes =
      (name !== undefined && name !== field.name) ||
      (hint !== undefined && hint !== field.hint) ||
      (data !== undefined && JSON.stringify(data) !== field.field_data);
    if (changes) throw refused("Default custom field cannot be updated.");
  }
  const kept = data === undefined ? field.field_data : checkFieldData(field.type, data);
  if (!isDefault(field)) checkTexts(call, name ?? field.name, hint ?? field.hint);
  if (display_in_profile_summary) checkSummary(field.type);
  if (name !== undefined) checkFree(state, name, field);
  Object.assign(field, {
    name: name ?? field.name,
    hint: hint ?? field.hint,
    field_data: kept,
    required: required ?? field.required,
    editable_by_user: editable_by_user ?? field.editable_by_user,
    display_in_profile_summary: display_in_profile_summary ?? field.display_in_profile_summary,
  });
  dropStaleValues(state, field);
  fieldsChanged(call);
  return {};
}

function known({ profile_fields }: State, id: number): ProfileField {
  const field = profile_fields.find((each) => each.id === id);
  if (!field) throw refused(`Field id ${id} not found.`);
  return field;
}

export const profileFieldRoutes = [
  on(getProfileFields, { silent: true }, (call) => ({
    custom_fields: call.state.profile_fields.map((field) => fieldRecord(call, field)),
  })),

  on(createProfileField, { who: "administrator", order: ["name", "hint", "field_data", "field_type"], decode }, create),

  on(updateProfileField, { who: "administrator", order: ["name", "hint", "field_data"], decode }, (call, args) => {
    const { field_id, ...changes } = args;
    return update(call, field_id, changes);
  }),

  on(reorderProfileFields, { who: "administrator" }, (call, { order }) => {
    const { state } = call;
    // Of an id that comes twice the last place counts.
    const places = new Map(order.map((id, index) => [id, index]));
    if (!state.profile_fields.every(({ id }) => places.has(id))) throw refused("Invalid order mapping.");
    state.profile_fields.sort((a, b) => places.get(a.id)! - places.get(b.id)!);
    for (const [index, field] of state.profile_fields.entries()) field.order = index;
    fieldsChanged(call);
    return {};
  }),

  on(removeProfileField, { who: "administrator" }, (call, { field_id }) => {
    const { state } = call;
    const field = known(state, field_id);
    state.profile_fields = state.profile_fields.filter((each) => each !== field);
    for (const { profile } of state.users.values()) profile.delete(field_id);
    fieldsChanged(call);
    return {};
  }),
];

import {
  createProfileField,
  getProfileFields,
  removeProfileField,
  reorderProfileFields,
  updateProfileField,
} from "../../api/profile-fields.ts";
import { strip } from "../../folding.ts";
import type { ArgsOf } from "../../wire/operation.ts";
import { orRefused, refused } from "../answers.ts";
import { changed, collections, type ProfileField } from "../collections.ts";
import { aString, atMost, type Check, fromJson, isObject, type Json } from "../decode.ts";
import { type Call, on } from "../router.ts";
import { nextId, type State } from "../state.ts";
import { isUrl } from "../text.ts";

export function fieldOf({ profile_fields }: State, id: number): ProfileField {
  const found = profile_fields.find((each) => each.id === id);
  return orRefused(found, `Field id ${id} not found.`);
}

type FieldData = { [key: string]: string | { [name: string]: string } };

/** Accounts elsewhere whose names and addresses the server knows itself. */
export const defaultAccounts: {
  readonly [subtype: string]: { name: string; text: string; hint: string; url_pattern: string };
} = {
  twitter: { text: "Twitter", url_pattern: "https://twitter.com/%(username)s", name: "Twitter username", hint: "" },
  github: { text: "GitHub", url_pattern: "https://github.com/%(username)s", name: "GitHub username", hint: "" },
};

function checkOptions(data: FieldData): void {
  const options = Object.entries(data);
  if (options.length === 0) throw refused("Field must have at least one choice.");
  const texts = options.map(([key, option]) => {
    if (key.trim() === "") throw refused("'value' cannot be blank.");
    if (typeof option !== "object") throw refused("field_data is not a dict");
    const { text, order, ...others } = option;
    for (const [name, value] of Object.entries({ text, order })) {
      if (value === undefined) throw refused(`${name} key is missing from field_data`);
      if (value.trim() === "") throw refused(`field_data["${name}"] cannot be blank.`);
    }
    const [stray] = Object.keys(others);
    if (stray !== undefined) throw refused(`Unexpected arguments: ${stray}`);
    return text;
  });
  if (new Set(texts).size < texts.length) throw refused("Field must not have duplicate choices.");
}

function checkAccount(data: FieldData): void {
  const { subtype, url_pattern } = data;
  if (subtype === undefined) throw refused("subtype key is missing from field_data");
  if (typeof subtype !== "string") throw refused('field_data["subtype"] is not a string');
  const stray = Object.keys(data).filter((member) => member !== "subtype" && member !== "url_pattern");
  if (stray.length > 0) throw refused(`Unexpected arguments: ${stray.join(", ")}`);
  if (Object.hasOwn(defaultAccounts, subtype)) return;
  if (subtype !== "custom") throw refused("Invalid external account type");
  if (url_pattern === undefined) throw refused("Custom external account must define URL pattern");
  if (typeof url_pattern !== "string") throw refused('field_data["url_pattern"] is not a string');
  if (url_pattern.split("%(username)s").length !== 2) throw refused("URL pattern must contain '%(username)s'.");
  if (!isUrl(url_pattern.replace("%(username)s", "username"))) throw refused('field_data["url_pattern"] is not a URL');
}

/** As it is kept; other kinds of fields have none, and what is said of them is dropped. */
function checkFieldData(type: number, data: FieldData): string {
  if (type === 3) checkOptions(data);
  else if (type === 7) checkAccount(data);
  else return "";
  return JSON.stringify(data);
}

function textsIn(value: { [name: string]: Json }, place: string): { [name: string]: string } {
  const texts: { [name: string]: string } = {};
  for (const [name, text] of Object.entries(value)) texts[name] = aString(text, `${place}["${name}"]`);
  return texts;
}

/** Texts, or objects of two texts; of the kinds the server tries, it reports the failure of the second. */
const aFieldData: Check<FieldData> = (value, path) => {
  if (!isObject(value)) throw refused(`${path} is not a dict`);
  const data: FieldData = {};
  for (const [key, each] of Object.entries(value)) {
    const place = `${path}["${key}"]["dict[str,str]"]`;
    if (typeof each !== "string" && !isObject(each)) throw refused(`${place} is not a dict`);
    data[key] = typeof each === "string" ? each : textsIn(each, place);
  }
  return data;
};

const decode = { name: strip, field_data: fromJson(aFieldData) };

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
  type === 7 && Object.hasOwn(defaultAccounts, JSON.parse(field_data).subtype);

type Stated<A> = Omit<A, "field_data"> & { field_data?: FieldData | undefined };

function create(call: Call, args: Stated<ArgsOf<typeof createProfileField>>): object {
  const { state } = call;
  const { field_type: type, name = "", hint = "", required = false, editable_by_user = true } = args;
  const data = args.field_data ?? {};
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
  changed(call, "profile_fields");
  return { id };
}

/** People who chose an option that is gone have no value any more. */
function dropStaleValues({ users }: State, { id, type, field_data }: ProfileField): void {
  if (type !== 3) return;
  const options: object = JSON.parse(field_data);
  for (const { profile } of users.values()) {
    const value = profile.get(id);
    if (value !== undefined && !Object.hasOwn(options, value)) profile.delete(id);
  }
}

function update(call: Call, args: Stated<ArgsOf<typeof updateProfileField>>): object {
  const { state } = call;
  const field = fieldOf(state, args.field_id);
  const { name, hint, field_data: data, required, editable_by_user, display_in_profile_summary } = args;
  if (display_in_profile_summary) checkSummaries(state, field);
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
  changed(call, "profile_fields");
  return {};
}

export const profileFieldRoutes = [
  on(getProfileFields, { silent: true }, (call) => ({ custom_fields: collections.profile_fields.records(call) })),

  on(createProfileField, { who: "administrator", decode }, create),

  on(updateProfileField, { who: "administrator", decode }, update),

  on(reorderProfileFields, { who: "administrator" }, (call, { order }) => {
    const { state } = call;
    // Of an id that comes twice the last place counts.
    const places = new Map(order.map((id, index) => [id, index]));
    if (!state.profile_fields.every(({ id }) => places.has(id))) throw refused("Invalid order mapping.");
    state.profile_fields.sort((a, b) => (places.get(a.id) ?? 0) - (places.get(b.id) ?? 0));
    for (const [index, field] of state.profile_fields.entries()) field.order = index;
    changed(call, "profile_fields");
    return {};
  }),

  on(removeProfileField, { who: "administrator" }, (call, { field_id }) => {
    const { state } = call;
    const field = fieldOf(state, field_id);
    state.profile_fields = state.profile_fields.filter((each) => each !== field);
    for (const { profile } of state.users.values()) profile.delete(field_id);
    changed(call, "profile_fields");
    return {};
  }),
];

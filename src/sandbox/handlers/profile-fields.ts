import * as api from "../../api/profile-fields.ts";
import { strip } from "../../common/folding.ts";
import { nameOf } from "../../common/object-members.ts";
import { fieldTypes, longTextInSummary, newField } from "../../model/profile-field.ts";
import type { ArgsOf } from "../../wire/operation.ts";
import { badRequest } from "../answers.ts";
import { collectionRecords, itemById, sendCollection } from "../collections.ts";
import { aString, type Check, dictOf, fromJson, maxLength } from "../decode.ts";
import { externalAccounts } from "../external-accounts.ts";
import { type HandlerCall, on } from "../router.ts";
import { nextId, type SandboxState } from "../state.ts";
import type { StoredProfileField } from "../stored-collections.ts";
import { isUrl } from "../text.ts";

export const fieldById = ({ profile_fields }: SandboxState, id: number): StoredProfileField =>
  itemById(profile_fields, id, `Field id ${id} not found.`);

type FieldData = { [key: string]: string | { [name: string]: string } };

function checkOptions(data: FieldData): void {
  const options = Object.entries(data);
  if (options.length === 0) throw badRequest("Field must have at least one choice.");
  const texts = options.map(([key, option]) => {
    if (key.trim() === "") throw badRequest("'value' cannot be blank.");
    if (typeof option !== "object") throw badRequest("field_data is not a dict");
    const { text, order, ...others } = option;
    for (const [name, value] of Object.entries({ text, order })) {
      if (value === undefined) throw badRequest(`${name} key is missing from field_data`);
      if (value.trim() === "") throw badRequest(`field_data["${name}"] cannot be blank.`);
    }
    const [unexpected] = Object.keys(others);
    if (unexpected !== undefined) throw badRequest(`Unexpected arguments: ${unexpected}`);
    return text;
  });
  if (new Set(texts).size < texts.length) throw badRequest("Field must not have duplicate choices.");
}

function checkAccount(data: FieldData, level: number): void {
  const { subtype, url_pattern } = data;
  if (subtype === undefined) throw badRequest("subtype key is missing from field_data");
  if (typeof subtype !== "string") throw badRequest('field_data["subtype"] is not a string');
  const unexpected = Object.keys(data).filter((member) => member !== "subtype" && member !== "url_pattern");
  if (unexpected.length > 0) throw badRequest(`Unexpected arguments: ${unexpected.join(", ")}`);
  if (Object.hasOwn(externalAccounts(level), subtype)) return;
  if (subtype !== "custom") throw badRequest("Invalid external account type");
  // Level 468 needs no pattern, level 442 does.
  if (url_pattern === undefined && level > 442) return;
  if (url_pattern === undefined) throw badRequest("Custom external account must define URL pattern");
  if (typeof url_pattern !== "string") throw badRequest('field_data["url_pattern"] is not a string');
  if (url_pattern.split("%(username)s").length !== 2) throw badRequest("URL pattern must contain '%(username)s'.");
  if (!isUrl(url_pattern.replace("%(username)s", "username")))
    throw badRequest('field_data["url_pattern"] is not a URL');
}

/** Returns the stored data. Other types of fields have none, and drop it. */
function checkFieldData(type: number, data: FieldData, level: number): string {
  if (type === fieldTypes.options) checkOptions(data);
  else if (type === fieldTypes.account) checkAccount(data, level);
  else return "";
  return JSON.stringify(data);
}

/** Texts, or objects of texts. Where it is neither, the server reports a failure of the object. */
const aFieldData: Check<FieldData> = dictOf((value, path) =>
  typeof value === "string" ? value : dictOf(aString)(value, `${path}["dict[str,str]"]`),
);

const decode = { name: strip, field_data: fromJson(aFieldData) };

const isDefault = ({ type, field_data }: StoredProfileField, level: number): boolean =>
  type === fieldTypes.account && Object.hasOwn(externalAccounts(level), JSON.parse(field_data).subtype);

type Changes = Omit<ArgsOf<typeof api.updateProfileField>, "field_id" | "field_data"> & {
  field_data?: FieldData | undefined;
};

/** Returns the field to store. The checks are in the server's order. */
function checkField(
  { state, level }: HandlerCall,
  type: number,
  args: Changes,
  before?: StoredProfileField,
): Omit<StoredProfileField, "id" | "order"> {
  const others = state.profile_fields.filter((each) => each !== before);
  const { display_in_profile_summary: summary, field_data: data = before ? undefined : {} } = args;
  if (summary && others.filter((each) => each.display_in_profile_summary).length >= 2) {
    throw badRequest("Only 2 custom profile fields can be displayed in the profile summary.");
  }
  const isFixed = before && isDefault(before, level);
  const { name = before?.name ?? "", hint = before?.hint ?? "" } = args;
  if (isFixed) {
    const changes =
      name !== before.name || hint !== before.hint || (data && JSON.stringify(data) !== before.field_data);
    if (changes) throw badRequest("Default custom field cannot be updated.");
  }
  const field_data = data ? checkFieldData(type, data, level) : (before?.field_data ?? "");
  const known = externalAccounts(level);
  const account = !before && type === fieldTypes.account ? known[String(data?.subtype)] : undefined;
  if (!account && !isFixed) {
    if (name === "") throw badRequest("Label cannot be blank.");
    maxLength(80)(hint, "hint");
    maxLength(40)(name, "name");
  }
  if (nameOf(fieldTypes, type) === undefined) throw badRequest("Invalid field type.");
  if (summary && (type === fieldTypes.people || (type === fieldTypes.long_text && level < longTextInSummary))) {
    throw badRequest("Field type not supported for display in profile summary.");
  }
  const matches = args.use_for_user_matching ?? before?.use_for_user_matching ?? false;
  if (matches && type !== fieldTypes.short_text && type !== fieldTypes.account)
    throw badRequest("Field type not supported for use for user matching.");
  const labels = account ? { name: account.name, hint: account.hint } : { name, hint };
  if ((!before || args.name !== undefined) && others.some((each) => each.name === labels.name)) {
    throw badRequest("A field with that label already exists.");
  }
  return {
    ...labels,
    type,
    field_data,
    required: args.required ?? before?.required ?? newField.required,
    editable_by_user: args.editable_by_user ?? before?.editable_by_user ?? newField.editable_by_user,
    use_for_user_matching: matches,
    display_in_profile_summary: summary ?? before?.display_in_profile_summary ?? false,
  };
}

export const profileFieldRoutes = [
  on(api.getProfileFields, { silent: true }, (call) => ({ custom_fields: collectionRecords(call, "profile_field") })),

  on(api.createProfileField, { decode }, (call, args) => {
    const field = checkField(call, args.field_type, args);
    const id = nextId(call.state, "field");
    call.state.profile_fields.push({ id, ...field, order: id });
    sendCollection(call, "profile_field");
    return { id };
  }),

  on(api.updateProfileField, { decode }, (call, { field_id, ...args }) => {
    const field = fieldById(call.state, field_id);
    Object.assign(field, checkField(call, field.type, args, field));
    if (field.type === fieldTypes.options) {
      const options: object = JSON.parse(field.field_data);
      // People who chose an option that is gone lose their value.
      for (const { profile } of call.state.users.values()) {
        if (!Object.hasOwn(options, profile.get(field_id) ?? "")) profile.delete(field_id);
      }
    }
    sendCollection(call, "profile_field");
  }),

  on(api.reorderProfileFields, {}, (call, { order }) => {
    const { state } = call;
    // For a duplicate id the last position counts.
    const positions = new Map(order.map((id, index) => [id, index]));
    if (!state.profile_fields.every(({ id }) => positions.has(id))) throw badRequest("Invalid order mapping.");
    state.profile_fields.sort((a, b) => (positions.get(a.id) ?? 0) - (positions.get(b.id) ?? 0));
    for (const [index, field] of state.profile_fields.entries()) field.order = index;
    sendCollection(call, "profile_field");
  }),

  on(api.removeProfileField, {}, (call, { field_id }) => {
    const { state } = call;
    const field = fieldById(state, field_id);
    state.profile_fields = state.profile_fields.filter((each) => each !== field);
    for (const { profile } of state.users.values()) profile.delete(field_id);
    sendCollection(call, "profile_field");
  }),
];

import { strip } from "../common/folding.ts";
import { keyed, membersOfJson, pick } from "../common/object-members.ts";
import { fieldToggleRules, fieldToggles, fieldTypes, optionsIn, withOptions } from "../model/profile-field.ts";
import { call } from "../wire/call.ts";
import { ifKnown } from "../wire/impact.ts";
import { type AnswerOf, operation, type PreviousRead } from "../wire/operation.ts";
import { json, maybe, text } from "../wire/params.ts";
import { anything, boolean, integer, list, object, optional, record, string, type Value } from "../wire/types.ts";

const fieldId = json(integer);

export const profileFieldSchema = object({
  id: integer,
  name: string,
  type: integer,
  hint: string,
  field_data: string,
  ...keyed(fieldToggles, () => optional(boolean)),
});
export type ProfileField = Value<typeof profileFieldSchema>;

/** https://zulip.com/api/get-custom-profile-fields */
export const getProfileFields = operation("profile-field.list", "GET /realm/profile_fields", {
  result: { custom_fields: list(profileFieldSchema) },
});

const dataIn = (text: unknown) => membersOfJson(String(text));

const previousField: PreviousRead<{ field_id: number }> = {
  read: getProfileFields,
  inList: { list: "custom_fields", id: "id", idOf: ({ field_id }) => field_id },
  values: ({ field_data, ...found }) => ({ ...found, ...(field_data !== "" && { field_data: dataIn(field_data) }) }),
};

const attributes = {
  name: maybe(text({ doc: "The name." })),
  hint: maybe(text({ doc: "What to fill in." })),
  field_data: maybe(json(record(anything), { doc: "Options of a list, or the account's kind." })),
  ...keyed(fieldToggles, (name) => maybe(json(boolean, pick(fieldToggleRules[name], ["doc", "since"])))),
};

/** https://zulip.com/api/update-custom-profile-field */
export const updateProfileField = operation("profile-field.update", "PATCH /realm/profile_fields/{field_id}", {
  effects: ({ field_id: id, ...values }) => [{ does: "set", kind: "profile_field", id, values }],
  who: { role: "administrator" },
  params: { field_id: fieldId, ...attributes },
  target: ({ field_id }) => `profile field ${field_id}`,
  before: previousField,
});

/** GitHub and the like: accounts whose name and hint the server chooses. */
function serverAccount(type: unknown, { subtype }: Readonly<Record<string, unknown>> = {}): string | undefined {
  return type === fieldTypes.account && subtype !== "custom" ? String(subtype) : undefined;
}

const identityOf = (name: unknown, type: unknown, data: Readonly<Record<string, unknown>> = {}): string => {
  const account = serverAccount(type, data);
  return JSON.stringify(account === undefined ? { name: strip(String(name)) } : { account });
};

function dataInWords(type: unknown, data: Readonly<Record<string, unknown>>): string {
  if (type === fieldTypes.options)
    return optionsIn(data)
      .map(({ text }) => text)
      .join(", ");
  return String(data.url_pattern ?? data.subtype ?? "none");
}

/** https://zulip.com/api/create-custom-profile-field */
export const createProfileField = operation("profile-field.create", "POST /realm/profile_fields", {
  effects: { none: "adds a field without values" },
  who: { role: "administrator" },
  params: { ...attributes, field_type: json(integer) },
  result: { id: integer },
  existing: {
    kind: "profile field",
    verb: "profile-field update",
    read: getProfileFields,
    things: ({ custom_fields }: AnswerOf<typeof getProfileFields>) => custom_fields,
    identity: ({ name, type, field_data }) => identityOf(name, type, dataIn(field_data)),
    identityOf: ({ name, field_type, field_data }) => identityOf(name, field_type, field_data),
    id: "id",
    fixed: ({ type }) => ({ field_type: type }),
    update: ({ id, type, field_data }, { hint, field_data: desired, name: _, field_type: __, ...toggles }) => {
      const current = dataIn(field_data);
      return call(updateProfileField, {
        field_id: Number(id),
        ...toggles,
        // The server chooses the name and the hint of the accounts that it knows.
        hint: serverAccount(type, current) === undefined ? hint : undefined,
        field_data: desired && (type === fieldTypes.options ? withOptions(current, desired) : desired),
      });
    },
    describe: (parameter, { type, field_data }) =>
      parameter === "field_data" ? dataInWords(type, dataIn(field_data)) : undefined,
  },
});

/** https://zulip.com/api/reorder-custom-profile-fields */
export const reorderProfileFields = operation("profile-field.reorder", "PATCH /realm/profile_fields", {
  effects: { none: "only an order changes" },
  who: { role: "administrator" },
  params: { order: json(list(integer)) },
  target: () => "profile fields",
  before: {
    read: getProfileFields,
    values: ({ custom_fields }: AnswerOf<typeof getProfileFields>) => ({ order: custom_fields.map(({ id }) => id) }),
  },
});

/** Also deletes everybody's values of the field. */
export const removeProfileField = operation("profile-field.rm", "DELETE /realm/profile_fields/{field_id}", {
  effects: ({ field_id }) => ifKnown(field_id, (id) => ({ does: "remove", kind: "profile_field", id })),
  who: { role: "administrator" },
  params: { field_id: fieldId },
  target: ({ field_id }) => `profile field ${field_id}`,
  previous: previousField,
});

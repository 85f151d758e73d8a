import {
  createProfileField,
  removeProfileField,
  reorderProfileFields,
  updateProfileField,
} from "../../api/profile-fields.ts";
import { strip } from "../../folding.ts";
import type { Option, Values } from "../difference.ts";
import { given, listOf } from "../order/context.ts";
import { type Facts, type Piece, phases } from "../order/draft.ts";
import { nameFact, renamed, setAside } from "../order/names.ts";
import { creating, type Requests, removing, updating } from "../order/requests.ts";
import { choice, either, filled, list, members } from "../shape.ts";
import type { Field } from "../snapshot.ts";
import { attributesOf } from "./attributes.ts";
import { fieldTypes, optionsData, optionsIn, parsed } from "./field-data.ts";
import { listed, pinned, type Things } from "./section.ts";

const typeNames = new Map<number, string>(Object.entries(fieldTypes).map(([name, number]) => [number, name]));

const option = either(
  filled,
  members({
    name: { shape: filled, doc: "The option.", needed: true },
    was: { shape: filled, doc: "The old name. People who chose it keep it." },
  }),
);

const options = (all: unknown): Values =>
  Object.fromEntries(listOf<Option>(all).map(({ key, text }, n) => [key, { text, order: String(n + 1) }]));

/** The values of a profile field, as requests have them. */
const fieldArgs = ({ name, hint, required, display_in_profile_summary, editable_by_user, ...rest }: Values) =>
  given({
    name,
    hint,
    required,
    display_in_profile_summary,
    editable_by_user,
    field_data: rest.options ? options(rest.options) : rest.field_data,
  });

const roomInSummary = "there is room in the summary";

const shown = (value: unknown): Facts => (value === true ? { needs: [roomInSummary] } : { provides: [roomInSummary] });

const requests: Requests = {
  create: ({ ids }, of, { name, to }) => [
    {
      ...creating,
      of,
      operation: createProfileField,
      args: { field_type: Reflect.get(fieldTypes, String(to.type)), ...fieldArgs({ name, ...to }) },
      fields: Object.keys(to),
      does: "created",
      makes: { member: "id", id: ids.of(of) },
      needs: [nameFact("profile_fields", to.name ?? name), ...(to.display_in_profile_summary ? [roomInSummary] : [])],
      provides: [`${ids.of(of)} is made`],
    },
  ],
  update: (context, of, { id, fields }) => {
    const thing = { section: "profile_fields", id } as const;
    const pieces = fields.map(({ field, from, to }): Piece => {
      const piece = { fields: [field], args: fieldArgs({ [field]: to }) };
      if (field === "name") return { ...piece, ...renamed(context, of, thing, { from, to }) };
      return field === "display_in_profile_summary" ? { ...piece, ...shown(to) } : piece;
    });
    return [
      ...setAside(context, of, thing, fields.find(({ field }) => field === "name")?.from, (name) => ({
        operation: updateProfileField,
        phase: phases.collections,
        args: { field_id: id, name },
      })),
      { ...updating, of, operation: updateProfileField, args: { field_id: id }, pieces },
    ];
  },
  remove: (_, of, { id }) => [
    { ...removing, of, operation: removeProfileField, args: { field_id: id }, provides: [roomInSummary] },
  ],
  reorder: (order) => ({ operation: reorderProfileFields, args: { order } }),
};

export const profileFields: Things<Field> = {
  doc: "Custom profile fields, in their order.",
  holds: "things",
  one: "profile field",
  called: "profile fields",
  key: ["name"],
  fold: strip,
  ordered: 0,
  made: "type",
  complete: true,
  members: {
    name: { shape: filled, doc: "The name.", needed: true, stored: strip },
    ...pinned,
    type: { shape: choice(...Object.keys(fieldTypes)), doc: "The kind of its values; it cannot be changed." },
    ...attributesOf(updateProfileField, { without: ["field_id", "name", "field_data"] }),
    options: { shape: list(option), doc: "What there is to choose from, in order; of the type options." },
    field_data: {
      shape: members({
        subtype: { shape: filled, doc: "`github`, `twitter` or `custom`.", needed: true },
        url_pattern: { shape: filled, doc: "Where accounts are, with %(username)s; of the subtype custom." },
      }),
      doc: "Which accounts they are; of the type account.",
    },
  },
  ...listed<Field>("custom_profile_fields", "custom_profile_fields"),
  id: ({ id }) => id,
  attributes: ({ naming }) => ({
    type: ({ type }) => typeNames.get(type),
    // Servers leave it out where it is false.
    display_in_profile_summary: ({ display_in_profile_summary: shown }) => shown ?? false,
    options: ({ type, field_data }) =>
      type === fieldTypes.options ? naming.options(optionsIn(field_data)) : undefined,
    field_data: ({ type, field_data }) => (type === fieldTypes.account ? parsed(field_data) : undefined),
  }),
  write: (field, value) => {
    if (field === "type") return { type: Reflect.get(fieldTypes, String(value)) };
    if (field === "options") return { field_data: optionsData(Array.isArray(value) ? value : []) };
    return { [field]: field === "field_data" ? JSON.stringify(value) : value };
  },
  fresh: { hint: "", field_data: "", required: false, editable_by_user: true },
  requests,
};

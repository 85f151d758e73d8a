/** Custom profile fields. */
import {
  createProfileField,
  removeProfileField,
  reorderProfileFields,
  updateProfileField,
} from "../../api/profile-fields.ts";
import type { Option, Values } from "../difference.ts";
import { fieldTypes } from "../sections/field-data.ts";
import { given, whole } from "./context.ts";
import type { Facts, Piece } from "./draft.ts";
import { nameFact } from "./names.ts";
import { renamed, setAside } from "./renaming.ts";
import { inTurn, type Way } from "./way.ts";

const options = (all: unknown): Record<string, unknown> =>
  Object.fromEntries(
    (all as readonly Option[]).map(({ key, text }, n) => [key, { text, order: String(n + 1) }] as const),
  );

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

export const profileFields: Way = {
  create: (context, of, { name, to }) => {
    const id = context.ids.of(of);
    const needs = [
      nameFact("profile_fields", to.name ?? name),
      ...(to.display_in_profile_summary ? [roomInSummary] : []),
    ];
    return [
      whole({
        of,
        part: "create",
        operation: createProfileField,
        args: { field_type: fieldTypes[to.type as keyof typeof fieldTypes], ...fieldArgs({ name, ...to }) },
        fields: Object.keys(to),
        does: "created",
        makes: { member: "id", id },
        ...inTurn(context, "profile_fields", of, { needs }),
      }),
    ];
  },
  update: (context, of, { id, fields }) => {
    const thing = { section: "profile_fields", id } as const;
    const before = fields.find(({ field }) => field === "name")?.from;
    const pieces = fields.map(({ field, from, to }): Piece => {
      const args = fieldArgs({ [field]: to });
      if (field === "name") return { fields: [field], args, ...renamed(context, of, thing, { from, to }) };
      if (field === "display_in_profile_summary") return { fields: [field], args, ...shown(to) };
      return { fields: [field], args, provides: field === "options" ? [`profile field ${id} has its options`] : [] };
    });
    return [
      ...setAside(context, of, thing, before, (name) => ({
        operation: updateProfileField,
        args: { field_id: id, name },
      })),
      { of, part: "update", operation: updateProfileField, args: { field_id: id }, pieces },
    ];
  },
  remove: (_, of, { id }) => [
    whole({
      of,
      part: "remove",
      operation: removeProfileField,
      args: { field_id: id },
      does: "removed",
      provides: [roomInSummary, "profile_fields are gone"],
    }),
  ],
  reorder: (order) => ({ operation: reorderProfileFields, args: { order } }),
};

import { updateProfileField } from "../../api/profile-fields.ts";
import { strip } from "../../folding.ts";
import { choice, either, filled, list, members } from "../shape.ts";
import { attributesOf } from "./attributes.ts";
import { pinned, type Things } from "./section.ts";

/** The numbers that servers use for kinds of fields, by the file's words. */
export const fieldTypes = {
  short_text: 1,
  long_text: 2,
  options: 3,
  date: 4,
  url: 5,
  people: 6,
  account: 7,
  pronouns: 8,
} as const;

const option = either(
  filled,
  members({
    name: { shape: filled, doc: "The option.", needed: true },
    was: { shape: filled, doc: "The old name. People who chose it keep it." },
  }),
);

export const profileFields: Things = {
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
    ...attributesOf(updateProfileField, {
      without: ["field_id", "name", "field_data"],
    }),
    options: { shape: list(option), doc: "What there is to choose from, in order; of the type options." },
    field_data: {
      shape: members({
        subtype: { shape: filled, doc: "`github`, `twitter` or `custom`.", needed: true },
        url_pattern: { shape: filled, doc: "Where accounts are, with %(username)s; of the subtype custom." },
      }),
      doc: "Which accounts they are; of the type account.",
    },
  },
};

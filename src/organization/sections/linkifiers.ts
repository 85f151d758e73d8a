import { addLinkifier, removeLinkifier, reorderLinkifiers, updateLinkifier } from "../../api/linkifiers.ts";
import { strip } from "../../folding.ts";
import { filled } from "../shape.ts";
import { attributesOf } from "./attributes.ts";
import { creating, nameIsFree, type Piece, type Requests, removing, renaming, updating } from "./requests.ts";
import { listed, pinned, type Things } from "./section.ts";

interface Linkifier {
  readonly id: number;
  readonly pattern: string;
  readonly url_template: string;
}

/** Servers write null for what was never given. */
const given = (name: string) => (linkifier: Linkifier) => Reflect.get(linkifier, name) ?? undefined;

const requests: Requests = {
  create: ({ ids }, { name, to }) => {
    const id = ids.of("linkifiers", { new: name });
    return [
      {
        ...creating,
        operation: addLinkifier,
        args: { pattern: name, ...to },
        fields: Object.keys(to),
        does: "added",
        makes: { member: "id", id },
        needs: [nameIsFree("linkifiers", strip(name))],
        provides: [`${id} is made`],
      },
    ];
  },
  update: ({ snapshot }, { id, fields }) => {
    const now = snapshot.organization.realm_linkifiers?.find((each) => each.id === id);
    const pieces = fields.map((change): Piece => {
      const { field, to } = change;
      if (field !== "pattern") return { fields: [field], args: { [field]: to } };
      // The template must find the groups of the pattern that it is for.
      const args = (pattern: unknown) => ({ pattern: pattern === to ? to : `${pattern} ${now?.pattern}` });
      return renaming("linkifiers", id, change, { fold: strip, args });
    });
    const args = { filter_id: id, pattern: now?.pattern, url_template: now?.url_template };
    return [{ ...updating, operation: updateLinkifier, args, pieces }];
  },
  remove: (_, { id }) => [{ ...removing, operation: removeLinkifier, args: { filter_id: id } }],
  reorder: (ordered_linkifier_ids) => ({ operation: reorderLinkifiers, args: { ordered_linkifier_ids } }),
};

export const linkifiers: Things<Linkifier> = {
  doc: "Patterns whose matches in messages become links, in the order in which they apply.",
  holds: "things",
  one: "linkifier",
  plural: "linkifiers",
  key: ["pattern"],
  fold: strip,
  ordered: reorderLinkifiers.since ?? 0,
  requiredToCreate: "url_template",
  complete: true,
  members: {
    ...attributesOf(updateLinkifier, {
      without: ["filter_id"],
      more: {
        pattern: { shape: filled, needed: true, stored: strip, since: undefined },
        url_template: { stored: strip },
        example_input: { stored: strip },
        reverse_template: { stored: strip },
        alternative_url_templates: { stored: strip },
      },
    }),
    ...pinned,
  },
  ...listed<Linkifier>("realm_linkifiers", "realm_linkifiers"),
  id: ({ id }) => id,
  identify: (id) => ({ id }),
  attributes: () => ({
    example_input: given("example_input"),
    reverse_template: given("reverse_template"),
    alternative_url_templates: given("alternative_url_templates"),
  }),
  requests,
};

import { addLinkifier, removeLinkifier, reorderLinkifiers, updateLinkifier } from "../../api/linkifiers.ts";
import { strip } from "../../folding.ts";
import { valuesOf } from "../order/context.ts";
import { phases } from "../order/draft.ts";
import { nameFact, renamed, setAside } from "../order/names.ts";
import { creating, type Requests, removing, updating } from "../order/requests.ts";
import { filled } from "../shape.ts";
import { attributesOf } from "./attributes.ts";
import { listed, pinned, type Things } from "./section.ts";

interface Linkifier {
  readonly id: number;
  readonly pattern: string;
  readonly url_template: string;
}

/** Servers write null for what was never given. */
const given = (name: string) => (linkifier: Linkifier) => Reflect.get(linkifier, name) ?? undefined;

const requests: Requests = {
  create: ({ ids }, of, { name, to }) => [
    {
      ...creating,
      of,
      operation: addLinkifier,
      args: { pattern: name, ...to },
      fields: Object.keys(to),
      does: "added",
      makes: { member: "id", id: ids.of(of) },
      needs: [nameFact("linkifiers", to.pattern ?? name)],
      provides: [`${ids.of(of)} is made`],
    },
  ],
  update: (context, of, { id, fields }) => {
    const now = context.snapshot.organization.realm_linkifiers?.find((each) => each.id === id);
    const pattern = fields.find(({ field }) => field === "pattern");
    const thing = { section: "linkifiers", id } as const;
    const args = { filter_id: id, pattern: now?.pattern, url_template: now?.url_template };
    return [
      ...setAside(context, of, thing, pattern?.from, (name) => ({
        operation: updateLinkifier,
        phase: phases.collections,
        // The template must find the groups of the pattern that it is for.
        args: { ...args, pattern: `${name} ${now?.pattern}` },
      })),
      {
        ...updating,
        of,
        operation: updateLinkifier,
        args: { ...args, ...valuesOf(fields) },
        fields: fields.map(({ field }) => field),
        ...(pattern && renamed(context, of, thing, pattern)),
      },
    ];
  },
  remove: (_, of, { id }) => [{ ...removing, of, operation: removeLinkifier, args: { filter_id: id } }],
  reorder: (ordered_linkifier_ids) => ({ operation: reorderLinkifiers, args: { ordered_linkifier_ids } }),
};

export const linkifiers: Things<Linkifier> = {
  doc: "Patterns whose matches in messages become links, in the order in which they apply.",
  holds: "things",
  one: "linkifier",
  called: "linkifiers",
  key: ["pattern"],
  fold: strip,
  ordered: reorderLinkifiers.since ?? 0,
  made: "url_template",
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
  attributes: () => ({
    example_input: given("example_input"),
    reverse_template: given("reverse_template"),
    alternative_url_templates: given("alternative_url_templates"),
  }),
  requests,
};

import { addLinkifier, removeLinkifier, reorderLinkifiers, updateLinkifier } from "../../api/linkifiers.ts";
import { valuesOf, whole } from "./context.ts";
import { nameFact } from "./names.ts";
import { inTurn, type Way } from "./way.ts";

export const linkifiers: Way = {
  create: ({ ids }, of, { name, to }) => [
    whole({
      of,
      part: "create",
      operation: addLinkifier,
      args: { pattern: name, ...to },
      fields: Object.keys(to),
      does: "added",
      makes: { member: "id", id: ids.of(of) },
      ...inTurn("linkifiers", ids.of(of), { needs: [nameFact("linkifiers", to.pattern ?? name)] }),
    }),
  ],
  update: ({ snapshot, asides }, of, { id, fields }) => {
    const now = snapshot.organization.realm_linkifiers?.find((each) => each.id === id);
    const values = { pattern: now?.pattern, url_template: now?.url_template, ...valuesOf(fields) };
    const renamed = fields.find(({ field }) => field === "pattern");
    const aside = asides.get(of);
    const one = { of, operation: updateLinkifier };
    return [
      ...(aside === undefined
        ? []
        : [
            whole({
              ...one,
              part: "aside",
              args: { filter_id: id, pattern: aside, url_template: now?.url_template ?? values.url_template },
              does: "renamed for a while",
              provides: [nameFact("linkifiers", renamed!.from), `linkifier ${id} stands aside`],
            }),
          ]),
      whole({
        ...one,
        part: "update",
        args: { filter_id: id, ...values },
        fields: fields.map(({ field }) => field),
        needs: [
          ...(renamed ? [nameFact("linkifiers", renamed.to)] : []),
          ...(aside === undefined ? [] : [`linkifier ${id} stands aside`]),
        ],
        provides: renamed && aside === undefined ? [nameFact("linkifiers", renamed.from)] : [],
      }),
    ];
  },
  remove: (_, of, { id, name, from }) => [
    whole({
      of,
      part: "remove",
      operation: removeLinkifier,
      args: { filter_id: id },
      does: "removed",
      provides: [nameFact("linkifiers", from.pattern ?? name), "linkifiers are gone"],
    }),
  ],
  reorder: (ordered_linkifier_ids) => ({ operation: reorderLinkifiers, args: { ordered_linkifier_ids } }),
};

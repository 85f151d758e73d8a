import { addLinkifier, removeLinkifier, reorderLinkifiers, updateLinkifier } from "../../api/linkifiers.ts";
import { valuesOf, whole } from "./context.ts";
import { nameFact } from "./names.ts";
import { renamed, setAside } from "./renaming.ts";
import { inTurn, type Way } from "./way.ts";

export const linkifiers: Way = {
  create: (context, of, { name, to }) => [
    whole({
      of,
      part: "create",
      operation: addLinkifier,
      args: { pattern: name, ...to },
      fields: Object.keys(to),
      does: "added",
      makes: { member: "id", id: context.ids.of(of) },
      ...inTurn(context, "linkifiers", of, { needs: [nameFact("linkifiers", to.pattern ?? name)] }),
    }),
  ],
  update: (context, of, { id, fields }) => {
    const now = context.snapshot.organization.realm_linkifiers?.find((each) => each.id === id);
    const values = { pattern: now?.pattern, url_template: now?.url_template, ...valuesOf(fields) };
    const pattern = fields.find(({ field }) => field === "pattern");
    const thing = { section: "linkifiers", id } as const;
    return [
      ...setAside(context, of, thing, pattern?.from, (name) => ({
        operation: updateLinkifier,
        // The template must find the groups of the pattern that it is for.
        args: { filter_id: id, pattern: `${name} ${now?.pattern}`, url_template: now?.url_template },
      })),
      whole({
        of,
        part: "update",
        operation: updateLinkifier,
        args: { filter_id: id, ...values },
        fields: fields.map(({ field }) => field),
        ...(pattern && renamed(context, of, thing, pattern)),
      }),
    ];
  },
  remove: (_, of, { id }) => [
    whole({
      of,
      part: "remove",
      operation: removeLinkifier,
      args: { filter_id: id },
      does: "removed",
      provides: ["linkifiers are gone"],
    }),
  ],
  reorder: (ordered_linkifier_ids) => ({ operation: reorderLinkifiers, args: { ordered_linkifier_ids } }),
};

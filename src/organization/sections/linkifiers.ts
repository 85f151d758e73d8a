import { addLinkifier, updateLinkifier } from "../../api/linkifiers.ts";
import { strip } from "../../common/folding.ts";
import { nonEmptyShape } from "../attribute-shapes.ts";
import { phases } from "../order/phases.ts";
import type { Snapshot } from "../snapshot.ts";
import { createDraft, renamePiece, settingPiece, statedRequests, temporaryPattern } from "./requests.ts";
import { attributesOf, identityMembers, ofKind, type ThingsSection } from "./section.ts";

type LinkifierRecord = NonNullable<Snapshot["organization"]["realm_linkifiers"]>[number];

export const linkifiersSection: ThingsSection<LinkifierRecord> = {
  ...ofKind<LinkifierRecord>("linkifier"),
  doc: "Patterns whose matches in messages become links, in the order in which they apply.",
  requiredToCreate: "url_template",
  members: {
    ...attributesOf(updateLinkifier, {
      omit: ["filter_id"],
      more: {
        pattern: { shape: nonEmptyShape, needed: true, stored: strip, since: undefined },
        url_template: { stored: strip },
        example_input: { stored: strip },
        reverse_template: { stored: strip },
        alternative_url_templates: { stored: strip },
      },
    }),
    ...identityMembers,
  },
  // Servers send null for a setting that nobody has changed.
  attributes: () =>
    Object.fromEntries(
      ["example_input", "reverse_template", "alternative_url_templates"].map((name) => [
        name,
        (linkifier) => linkifier[name] ?? undefined,
      ]),
    ),
  requests: {
    ...statedRequests("linkifier"),
    create: (context, creation) => {
      const { name, to } = creation;
      const args = { pattern: name, ...to };
      return [createDraft(context, creation, { operation: addLinkifier, args, result: "added", key: strip(name) })];
    },
    update: ({ snapshot }, { id, fields }) => {
      const current = snapshot.organization.realm_linkifiers?.find((each) => each.id === id);
      // The template uses groups of the pattern, so both go together.
      const temporary = { pattern: temporaryPattern(id, current?.pattern) };
      const pieces = fields.map((change) =>
        change.field === "pattern"
          ? { ...renamePiece("linkifiers", id, change, strip), temporary }
          : settingPiece(change.field, change.to),
      );
      const args = { filter_id: id, pattern: current?.pattern, url_template: current?.url_template };
      return [{ phase: phases.collections, operation: updateLinkifier, args, pieces }];
    },
  },
};

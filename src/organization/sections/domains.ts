import { addDomain, updateDomain } from "../../api/domains.ts";
import { domainKind } from "../../model/kinds/domain.ts";
import { nonEmptyShape } from "../attribute-shapes.ts";
import { phases } from "../order/phases.ts";
import type { Snapshot } from "../snapshot.ts";
import { addBase, settingsPiece, statedRequests } from "./requests.ts";
import { attributesOf, ofKind, type ThingsSection } from "./section.ts";

type Domain = Snapshot["organization"]["realm_domains"][number];

export const domainsSection: ThingsSection<Domain> = {
  ...ofKind<Domain>("domain"),
  doc: "Domains of addresses that new people may have.",
  requiredToCreate: "allow_subdomains",
  members: attributesOf(addDomain, {
    omit: [],
    more: {
      domain: { shape: nonEmptyShape, needed: true, stored: domainKind.fold, owner: true },
      allow_subdomains: { owner: true },
    },
  }),
  requests: {
    ...statedRequests("domain"),
    create: (_, { name, to }) => [
      {
        ...addBase,
        operation: addDomain,
        args: { domain: name, allow_subdomains: to.allow_subdomains ?? false },
      },
    ],
    update: (_, { name, fields }) => [
      { phase: phases.collections, operation: updateDomain, args: { domain: name }, pieces: [settingsPiece(fields)] },
    ],
  },
};

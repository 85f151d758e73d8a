import { addDomain, removeDomain, updateDomain } from "../../api/domains.ts";
import { strip } from "../../common/folding.ts";
import { phases } from "../order/phases.ts";
import { nonEmpty } from "../shape.ts";
import type { Snapshot } from "../snapshot.ts";
import { addBase, removeBase, settingsPiece } from "./requests.ts";
import { attributesOf, listed, type Things } from "./section.ts";

type Domain = Snapshot["organization"]["realm_domains"][number];

const lowered = (domain: string): string => strip(domain).toLowerCase();

export const domains: Things<Domain> = {
  doc: "Domains of addresses that new people may have.",
  one: "domain",
  plural: "domains",
  registered: "realm_domains",
  key: ["domain"],
  fold: lowered,
  requiredToCreate: "allow_subdomains",
  members: attributesOf(addDomain, {
    without: [],
    more: {
      domain: { shape: nonEmpty, needed: true, stored: lowered, owner: true },
      allow_subdomains: { owner: true },
    },
  }),
  ...listed<Domain>(["realm_domains"]),
  requests: {
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
    remove: (_, { name }) => [{ ...removeBase, operation: removeDomain, args: { domain: name } }],
  },
};

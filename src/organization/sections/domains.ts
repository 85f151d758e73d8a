import { addDomain, removeDomain, updateDomain } from "../../api/domains.ts";
import { strip } from "../../folding.ts";
import { valuesOf } from "../order/context.ts";
import { creating, type Requests, removing, updating } from "../order/requests.ts";
import { filled } from "../shape.ts";
import { attributesOf } from "./attributes.ts";
import { listed, type Things } from "./section.ts";

interface Domain {
  readonly domain: string;
  readonly allow_subdomains: boolean;
}

const lowered = (domain: string): string => strip(domain).toLowerCase();

const domainsAdded = { provides: ["domains are added"] };

/** Some are there at any moment, so that the restriction to them never has nothing to go by. */
const requests: Requests = {
  create: (_, of, { name, to }) => [
    {
      ...creating,
      ...domainsAdded,
      of,
      operation: addDomain,
      args: { domain: to.domain ?? name, allow_subdomains: to.allow_subdomains ?? false },
      fields: Object.keys(to),
      does: "added",
    },
  ],
  update: (_, of, { name, fields }) => [
    {
      ...updating,
      ...domainsAdded,
      of,
      operation: updateDomain,
      args: { domain: name, ...valuesOf(fields) },
      fields: fields.map(({ field }) => field),
    },
  ],
  remove: (_, of, { name }) => [
    {
      ...removing,
      of,
      operation: removeDomain,
      args: { domain: name },
      needs: ["domains are added", "domains restrict nobody"],
    },
  ],
};

export const domains: Things<Domain> = {
  doc: "Domains of addresses that new people may have.",
  holds: "things",
  one: "domain",
  called: "domains",
  key: ["domain"],
  fold: lowered,
  complete: true,
  made: "allow_subdomains",
  members: attributesOf(addDomain, {
    without: [],
    more: {
      domain: { shape: filled, needed: true, stored: lowered, owner: true },
      allow_subdomains: { owner: true },
    },
  }),
  ...listed<Domain>("realm_domains", "realm_domains"),
  id: () => undefined,
  requests,
};

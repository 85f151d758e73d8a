/** Domains: some are there at any moment, so that the restriction to them never has nothing to go by. */
import { addDomain, removeDomain, updateDomain } from "../../api/domains.ts";
import { valuesOf, whole } from "./context.ts";
import type { Way } from "./way.ts";

const toInvite = "invitations may go to these addresses";
const added = "domains are added";

export const domains: Way = {
  create: (_, of, { name, to }) => [
    whole({
      of,
      part: "create",
      operation: addDomain,
      args: { domain: to.domain ?? name, allow_subdomains: to.allow_subdomains ?? false },
      fields: Object.keys(to),
      does: "added",
      provides: [added, toInvite],
    }),
  ],
  update: (_, of, { name, fields }) => [
    whole({
      of,
      part: "update",
      operation: updateDomain,
      args: { domain: name, ...valuesOf(fields) },
      fields: fields.map(({ field }) => field),
      provides: [added, toInvite],
    }),
  ],
  remove: (_, of, { name }) => [
    whole({
      of,
      part: "remove",
      operation: removeDomain,
      args: { domain: name },
      does: "removed",
      needs: [added, "domains restrict nobody"],
    }),
  ],
};

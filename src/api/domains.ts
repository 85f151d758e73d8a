import { operation, type PreviousValues } from "../wire/operation.ts";
import { json, text } from "../wire/params.ts";
import { anything, boolean, list, object, string } from "../wire/types.ts";

export const domain = object({ domain: string, allow_subdomains: boolean });

const params = {
  domain: text({ doc: "The domain." }),
  allow_subdomains: json(boolean, { doc: "Its subdomains too." }),
};

/** Domains of addresses that new people may have. */
export const getDomains = operation("domain.list", "GET /realm/domains", {
  result: { domains: list(domain) },
});

const previousDomain: PreviousValues<{ domain: string }> = {
  read: getDomains,
  inList: { list: "domains", id: "domain", idOf: ({ domain }) => domain },
  values: (found) => found,
};

/** Owners only. */
export const addDomain = operation("domain.add", "POST /realm/domains", {
  who: { role: "owner" },
  params,
  result: { new_domain: list(anything) },
});

/** Owners only. */
export const updateDomain = operation("domain.update", "PATCH /realm/domains/{domain}", {
  who: { role: "owner" },
  params,
  before: previousDomain,
});

/** Owners only. */
export const removeDomain = operation("domain.rm", "DELETE /realm/domains/{domain}", {
  who: { role: "owner" },
  params: { domain: params.domain },
  previous: previousDomain,
});

import { membersOf } from "../common/object-members.ts";
import { call } from "../wire/call.ts";
import { ifKnown } from "../wire/impact.ts";
import { type AnswerOf, operation } from "../wire/operation.ts";
import { json, text } from "../wire/params.ts";
import { anything, boolean, list, object, string } from "../wire/types.ts";
import { register, registerPart } from "./events.ts";

export const domainSchema = object({ domain: string, allow_subdomains: boolean });

const params = {
  domain: text({ doc: "The domain." }),
  allow_subdomains: json(boolean, { doc: "Its subdomains too." }),
};

/** Domains of addresses that new people may have. */
export const getDomains = operation("domain.list", "GET /realm/domains", {
  result: { domains: list(domainSchema) },
});

/** Owners only. */
export const updateDomain = operation("domain.update", "PATCH /realm/domains/{domain}", {
  effects: { none: "nobody loses an account, and people still have to join" },
  who: { role: "owner" },
  params,
  before: {
    read: getDomains,
    inList: { list: "domains", id: "domain", idOf: ({ domain }) => domain },
    values: (found) => found,
  },
});

/** Owners only. */
export const addDomain = operation("domain.add", "POST /realm/domains", {
  effects: { none: "lets people with one more domain join, who need no other permission" },
  who: { role: "owner" },
  params,
  result: { new_domain: list(anything) },
  existing: {
    kind: "domain",
    verb: "domain update",
    read: getDomains,
    things: ({ domains }: AnswerOf<typeof getDomains>) => domains,
    identity: ({ domain }) => String(domain).toLowerCase(),
    identityOf: ({ domain }) => domain.toLowerCase(),
    id: "domain",
    update: ({ domain, allow_subdomains }, asked) =>
      call(updateDomain, {
        domain: String(domain),
        allow_subdomains: asked.allow_subdomains ?? Boolean(allow_subdomains),
      }),
  },
});

/** Owners only. */
export const removeDomain = operation("domain.rm", "DELETE /realm/domains/{domain}", {
  effects: ({ domain }) => ifKnown(domain, (id) => ({ does: "remove", kind: "domain", id })),
  who: { role: "owner" },
  params: { domain: params.domain },
  // Without any domain the server no longer restricts addresses.
  previous: {
    read: register,
    argsOf: () => registerPart("realm_domains", "realm"),
    values: ({ realm_domains, realm_emails_restricted_to_domains: emails_restricted_to_domains }, { domain }) => {
      const all = Array.isArray(realm_domains) ? realm_domains.map(membersOf) : [];
      const found = all.find((each) => each.domain === domain);
      return { ...found, domains: all.length, settings: { emails_restricted_to_domains } };
    },
  },
});

import { addDomain, getDomains, removeDomain, updateDomain } from "../api/domains.ts";
import { noun } from "../cli/noun.ts";
import type { CommandParameter, ReadContext } from "../cli/parameter.ts";
import { names, offered, onOff, text } from "../cli/value-parameters.ts";
import { changes, changesEach, lists } from "../cli/verb.ts";
import { readVisible } from "../notation/blanks.ts";

/** Servers store lower case, and take only that in a path. */
const lower = (typed: string, flag: string): string => readVisible(typed, flag).toLowerCase();

const domainName: CommandParameter<string, string> = {
  ...text("the domain, such as example.com", "domain"),
  read: (typed: string, { flag }: ReadContext) => lower(typed, flag),
};

const flags = {
  allowSubdomains: onOff("its subdomains count too", "only the domain itself"),
};

export const domainNoun = noun("Domains of e-mail addresses that new people may have", {
  add: changes(addDomain, {
    doc: "Add a domain",
    operands: { domain: domainName },
    flags,
    args: ({ domain, allowSubdomains = false }) => ({ domain, allow_subdomains: allowSubdomains }),
    target: "domain",
    done: "Added domain {target}.",
    already: "Domain {target} exists already.",
    operations: ["domain.list", "domain.update"],
    checkCommand: "domain list",
    note: "The domains count while emails_restricted_to_domains is on. Only owners may change them.",
    examples: ["zulipctl domain add example.org --allow-subdomains"],
  }),

  update: changes(updateDomain, {
    doc: "Say whether the subdomains of a domain count",
    operands: { domain: offered("domain", domainName) },
    flags,
    someFlag: true,
    args: ({ domain, allowSubdomains = false }) => ({ domain, allow_subdomains: allowSubdomains }),
    target: "domain",
    done: "Updated domain {target}: {changed}.",
    checkCommand: "domain list",
    examples: ["zulipctl domain update example.com --allow-subdomains"],
  }),

  rm: changesEach(removeDomain, {
    doc: "Remove domains",
    things: offered("domain", names("domains; @file or - reads them, one a line", "domain", lower)),
    args: (domain) => ({ domain }),
    done: "Removed domain {target}.",
    checkCommand: "domain list",
    confirm: { verb: "Remove", one: "domain" },
    examples: ["zulipctl domain rm example.com --yes"],
  }),

  list: lists(getDomains, {
    doc: "List the domains",
    records: ({ domains }) => domains,
    id: "domain",
    columns: {
      DOMAIN: "domain",
      SUBDOMAINS: { value: ({ allow_subdomains }) => (allow_subdomains ? "yes" : "no") },
    },
    examples: ["zulipctl domain list"],
  }),
});

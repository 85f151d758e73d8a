import { strip } from "../../common/folding.ts";
import type { Kind } from "./kind.ts";

export const domainKind = {
  one: "domain",
  plural: "domains",
  noun: "domain",
  key: ["domain"],
  fold: (name: string): string => strip(name).toLowerCase(),
  title: "domain",
  section: "domains",
  read: { operation: "domain.list", list: "domains" },
  registered: { parts: ["realm_domains"], lists: ["realm_domains"] },
  create: ["domain.add"],
  update: "domain.update",
  remove: { operation: "domain.rm", verb: "remove" },
  removalEffect: {
    says: "keeps people with its addresses out; without any domain, addresses of all domains may join",
    sentence:
      "While emails_restricted_to_domains is on, nobody with an address there can join any more. Without any domain the server switches it off, and addresses of all domains may join.",
  },
  watched: ["allow_subdomains"],
  events: {
    "realm_domains add": { record: "realm_domain" },
    "realm_domains change": { record: "realm_domain" },
    "realm_domains remove": { removed: "domain" },
  },
  log: { added: 218, changed: 219, removed: 220 },
} as const satisfies Kind;

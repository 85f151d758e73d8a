import { addDomain } from "../../api/domains.ts";
import { strip } from "../../folding.ts";
import { filled } from "../shape.ts";
import { attributesOf } from "./attributes.ts";
import { listed, type Things } from "./section.ts";

interface Domain {
  readonly domain: string;
  readonly allow_subdomains: boolean;
}

const lowered = (domain: string): string => strip(domain).toLowerCase();

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
};

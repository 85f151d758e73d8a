/** Small collections whose entries say little. */
import { addDomain } from "../../api/domains.ts";
import { reorderLinkifiers, updateLinkifier } from "../../api/linkifiers.ts";
import { addPlayground } from "../../api/playgrounds.ts";
import { filled, trimmed } from "../shape.ts";
import { attributesOf } from "./attributes.ts";
import { pinned, type Things } from "./section.ts";

const lowered = (domain: string): string => domain.trim().toLowerCase();
const needed = { shape: filled, needed: true, stored: trimmed } as const;

export const linkifiers: Things = {
  doc: "Patterns whose matches in messages become links, in the order in which they apply.",
  holds: "things",
  one: "linkifier",
  called: "linkifiers",
  key: ["pattern"],
  same: "trimmed",
  ordered: reorderLinkifiers.since!,
  made: "url_template",
  complete: true,
  members: {
    ...attributesOf(updateLinkifier, {
      without: ["filter_id"],
      more: {
        pattern: { ...needed, since: undefined },
        url_template: { stored: trimmed },
        example_input: { stored: trimmed },
        reverse_template: { stored: trimmed },
        alternative_url_templates: { stored: trimmed },
      },
    }),
    ...pinned,
  },
};

export const domains: Things = {
  doc: "Domains of addresses that new people may have.",
  holds: "things",
  one: "domain",
  called: "domains",
  key: ["domain"],
  same: "without case",
  complete: true,
  made: "allow_subdomains",
  members: attributesOf(addDomain, {
    without: [],
    more: { domain: { ...needed, stored: lowered, owner: true }, allow_subdomains: { owner: true } },
  }),
};

export const playgrounds: Things = {
  doc: "Sites that run code of messages.",
  holds: "things",
  one: "playground",
  called: "playgrounds",
  key: ["pygments_language", "name"],
  same: "trimmed",
  complete: true,
  made: "url_template",
  members: attributesOf(addPlayground, {
    without: [],
    more: { name: needed, pygments_language: needed, url_template: { shape: filled, stored: trimmed } },
  }),
};

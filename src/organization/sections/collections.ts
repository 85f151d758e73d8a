/** Small collections whose entries say little. */

import { addDomain } from "../../api/domains.ts";
import { reorderLinkifiers, updateLinkifier } from "../../api/linkifiers.ts";
import { addPlayground } from "../../api/playgrounds.ts";
import { strip } from "../../folding.ts";
import { filled } from "../shape.ts";
import { attributesOf } from "./attributes.ts";
import { pinned, type Things } from "./section.ts";

const lowered = (domain: string): string => strip(domain).toLowerCase();
const needed = { shape: filled, needed: true, stored: strip } as const;

export const linkifiers: Things = {
  doc: "Patterns whose matches in messages become links, in the order in which they apply.",
  holds: "things",
  one: "linkifier",
  called: "linkifiers",
  key: ["pattern"],
  fold: strip,
  ordered: reorderLinkifiers.since!,
  made: "url_template",
  complete: true,
  members: {
    ...attributesOf(updateLinkifier, {
      without: ["filter_id"],
      more: {
        pattern: { ...needed, since: undefined },
        url_template: { stored: strip },
        example_input: { stored: strip },
        reverse_template: { stored: strip },
        alternative_url_templates: { stored: strip },
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
  fold: lowered,
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
  fold: strip,
  complete: true,
  made: "url_template",
  members: attributesOf(addPlayground, {
    without: [],
    more: { name: needed, pygments_language: needed, url_template: { shape: filled, stored: strip } },
  }),
};

/** Small collections whose entries say little. */
import { addDomain } from "../../api/domains.ts";
import { updateLinkifier } from "../../api/linkifiers.ts";
import { addPlayground } from "../../api/playgrounds.ts";
import { filled } from "../shape.ts";
import { attributesOf } from "./attributes.ts";
import { pinned, type Things } from "./section.ts";

const needed = { shape: filled, needed: true } as const;

export const linkifiers: Things = {
  doc: "Patterns whose matches in messages become links, in the order in which they apply.",
  holds: "things",
  called: "linkifiers",
  key: ["pattern"],
  same: "trimmed",
  ordered: true,
  complete: true,
  members: {
    ...attributesOf(updateLinkifier, { without: ["filter_id"], more: { pattern: { ...needed, since: undefined } } }),
    ...pinned,
  },
};

export const domains: Things = {
  doc: "Domains of addresses that new people may have.",
  holds: "things",
  called: "domains",
  key: ["domain"],
  same: "without case",
  complete: true,
  members: attributesOf(addDomain, {
    without: [],
    more: { domain: { ...needed, owner: true }, allow_subdomains: { owner: true } },
  }),
};

export const playgrounds: Things = {
  doc: "Sites that run code of messages.",
  holds: "things",
  called: "playgrounds",
  key: ["pygments_language", "name"],
  same: "trimmed",
  complete: true,
  members: attributesOf(addPlayground, {
    without: [],
    more: { name: needed, pygments_language: needed, url_template: { shape: filled } },
  }),
};

import { reorderLinkifiers, updateLinkifier } from "../../api/linkifiers.ts";
import { strip } from "../../folding.ts";
import { filled } from "../shape.ts";
import { attributesOf } from "./attributes.ts";
import { listed, pinned, type Things } from "./section.ts";

interface Linkifier {
  readonly id: number;
  readonly pattern: string;
  readonly url_template: string;
}

/** Servers write null for what was never given. */
const given = (name: string) => (linkifier: Linkifier) => Reflect.get(linkifier, name) ?? undefined;

export const linkifiers: Things<Linkifier> = {
  doc: "Patterns whose matches in messages become links, in the order in which they apply.",
  holds: "things",
  one: "linkifier",
  called: "linkifiers",
  key: ["pattern"],
  fold: strip,
  ordered: reorderLinkifiers.since ?? 0,
  made: "url_template",
  complete: true,
  members: {
    ...attributesOf(updateLinkifier, {
      without: ["filter_id"],
      more: {
        pattern: { shape: filled, needed: true, stored: strip, since: undefined },
        url_template: { stored: strip },
        example_input: { stored: strip },
        reverse_template: { stored: strip },
        alternative_url_templates: { stored: strip },
      },
    }),
    ...pinned,
  },
  ...listed<Linkifier>("realm_linkifiers", "realm_linkifiers"),
  id: ({ id }) => id,
  attributes: () => ({
    example_input: given("example_input"),
    reverse_template: given("reverse_template"),
    alternative_url_templates: given("alternative_url_templates"),
  }),
};

import { addLinkifier, getLinkifiers } from "../api/linkifiers.ts";
import { text, texts, toggle } from "../cli/kinds.ts";
import { noun } from "../cli/noun.ts";
import { changes, lists } from "../cli/verb.ts";

export const linkifier = noun("Linkifiers: patterns whose matches in messages become links", {
  add: changes(addLinkifier, {
    doc: "Add a linkifier",
    operands: {
      pattern: text("RE2 regular expression; named groups may be used", "pattern"),
      urlTemplate: text("RFC 6570 URL template; {group} inserts a named group", "url-template"),
    },
    flags: {
      sample: texts("show what would become of the text; refuse where nothing matches"),
      skipCheck: toggle("send it unexamined"),
    },
    before: async (values, context) => (await import("./linkifier/check.ts")).check(values, context),
    args: ({ pattern, urlTemplate }) => ({ pattern, url_template: urlTemplate }),
    target: "pattern",
    done: "Linkifier {id} added.",
    ids: "id",
    see: "linkifier list",
    examples: ["zulipctl linkifier add 'T(?P<id>[0-9]+)' 'https://tracker.example.com/{id}' --sample 'see T123'"],
  }),

  list: lists(getLinkifiers, {
    doc: "Linkifiers in the order in which they apply",
    records: "linkifiers",
    id: "id",
    columns: { ID: "id", PATTERN: "pattern", "URL TEMPLATE": "url_template" },
    examples: ["zulipctl linkifier list"],
  }),
});

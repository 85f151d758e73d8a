import { addLinkifier, getLinkifiers, removeLinkifier, reorderLinkifiers, updateLinkifier } from "../api/linkifiers.ts";
import { plansWith, readsWith } from "../cli/conversation.ts";
import { choice, ids, lines, number, offered, text, texts, toggle } from "../cli/kinds.ts";
import { noun } from "../cli/noun.ts";
import { deletion } from "../cli/question.ts";
import { reorders } from "../cli/reorder.ts";
import { changes, changesEach, lists } from "../cli/verb.ts";
import { maybe } from "../cli/word.ts";

const pattern = (metavar?: string) => text("RE2 regular expression; named groups may be used", metavar);
const urlTemplate = (metavar?: string) => text("RFC 6570 URL template; {group} inserts a named group", metavar);

const trial = {
  sample: texts("show what would become of the text; refuse where nothing matches"),
  skipCheck: toggle("send it unexamined"),
};

export const linkifier = noun("Linkifiers: patterns whose matches in messages become links", {
  add: changes(addLinkifier, {
    doc: "Add a linkifier",
    operands: {
      pattern: pattern("pattern"),
      urlTemplate: urlTemplate("url-template"),
    },
    flags: trial,
    before: async (values, context) => (await import("./linkifier/check.ts")).check(values, context),
    args: ({ pattern, urlTemplate }) => ({ pattern, url_template: urlTemplate }),
    target: "pattern",
    done: "Added linkifier {id}.",
    ids: "id",
    see: "linkifier list",
    examples: ["zulipctl linkifier add 'T(?P<id>[0-9]+)' 'https://tracker.example.com/{id}' --sample 'see T123'"],
  }),

  update: plansWith({
    operation: updateLinkifier,
    doc: "Change a linkifier; values you leave out stay",
    operands: { id: offered("linkifier", number("the linkifier's id", "id")) },
    flags: { pattern: pattern(), urlTemplate: urlTemplate(), ...trial },
    someFlag: true,
    examples: ["zulipctl linkifier update 1 --url-template 'https://issues.example.com/{id}' --sample 'see #123'"],
    run: async () => (await import("./linkifier/check.ts")).update,
  }),

  rm: changesEach(removeLinkifier, {
    doc: "Remove linkifiers",
    things: ids("linkifier", "ids of linkifiers; - reads them from stdin"),
    args: (filter_id) => ({ filter_id }),
    done: "Deleted linkifier {target}.",
    see: "linkifier list",
    ...deletion("linkifier", async (server) => {
      const { linkifiers } = await server.call(getLinkifiers, {});
      return new Map(linkifiers.map(({ id, pattern }) => [id, pattern]));
    }),
    examples: ["zulipctl linkifier rm 2 --yes"],
  }),

  reorder: reorders(reorderLinkifiers, {
    doc: "Move linkifiers to the front, in this order",
    noun: "linkifier",
    things: ids("linkifier", "ids of linkifiers; - reads them from stdin"),
    param: "ordered_linkifier_ids",
    see: "linkifier list",
    examples: ["zulipctl linkifier reorder 2 1"],
  }),

  test: readsWith({
    doc: "Show which links the linkifiers make of texts",
    operands: {
      texts: maybe(lines("what somebody might write; @file reads texts, one a line, - reads them from stdin")),
    },
    flags: {
      pattern: text("try this pattern, with --url-template, in place of the organization's linkifiers"),
      urlTemplate: text("where its matches lead"),
      expect: choice(["match", "none"], "exit with 8 where a text departs from it", "what"),
    },
    examples: [
      "zulipctl linkifier test 'see #123' --expect match",
      "zulipctl linkifier test 'see T123' --pattern 'T(?P<id>[0-9]+)' --url-template 'https://tracker.example.com/{id}'",
    ],
    run: async () => (await import("./linkifier/check.ts")).test,
  }),

  list: lists(getLinkifiers, {
    doc: "Linkifiers in the order in which they apply",
    records: "linkifiers",
    id: "id",
    columns: { ID: "id", PATTERN: "pattern", "URL TEMPLATE": "url_template" },
    examples: ["zulipctl linkifier list"],
  }),
});

import { addLinkifier, getLinkifiers, removeLinkifier, reorderLinkifiers, updateLinkifier } from "../api/linkifiers.ts";
import { deletion, shortLine } from "../cli/destructive-question.ts";
import { noun } from "../cli/noun.ts";
import { type FlagValues, optionalOperand } from "../cli/parameter.ts";
import { reorders } from "../cli/reorder.ts";
import { choice, id, ids, lines, text, texts, toggle } from "../cli/value-parameters.ts";
import { changes, changesEach, lists } from "../cli/verb.ts";
import { changingVerb, readingVerb } from "../cli/verbs-with-code.ts";
import { change } from "../engine/change.ts";
import { Usage } from "../errors.ts";
import { readJson } from "../notation/read-json.ts";
import { currentValuesOf } from "../resolve/current-values.ts";
import type { Context, Planned } from "../run/context.ts";
import { type Pattern, patternFlags, showLinkifierMatches, testLinkifiers } from "./linkifier/check.ts";

const pattern = (metavar?: string) => text("RE2 regular expression; named groups may be used", metavar);
const urlTemplate = (metavar?: string) => text("RFC 6570 URL template; {group} inserts a named group", metavar);

const sampleFlags = {
  sample: texts("show the links in this text; fail if nothing matches"),
  skipCheck: toggle("send it without a check"),
};

/** How links become text again. An empty value clears each. */
const reverseFlags = {
  example: text("a text that the pattern matches; required by --reverse"),
  reverse: text("how a link becomes text again: {group} stands for the text of a named group", "template"),
  alternative: texts("another URL of the same thing, which becomes the same text; repeatable", "template"),
};

const reverseBinds = {
  example: "example_input",
  reverse: "reverse_template",
  alternative: "alternative_url_templates",
} as const;

/** A CSV of linkifiers shows them as a JSON list. No template begins with a bracket. */
function alternativesIn(text: string): string[] {
  const read = /^\s*\[/.test(text) ? readJson(text) : {};
  return "value" in read ? [read.value].flat().map(String) : [text];
}

const reverseArgs = ({ example, reverse, alternative }: FlagValues<typeof reverseFlags>) => ({
  example_input: example,
  reverse_template: reverse,
  alternative_url_templates: alternative?.flatMap(alternativesIn).filter(Boolean),
});

const conflicts = [["skipCheck", "sample"]] as const;

const testFlags = {
  pattern: text("try this pattern, with --url-template, instead of the organization's linkifiers"),
  urlTemplate: text("the link for each match"),
  expect: choice(["match", "none"], "exit with 8 if a text has another result", "what"),
};

/** The call replaces both parts, so the other part is sent unchanged. */
async function update(
  context: Context,
  { id, ...flags }: { id: number } & Partial<Pattern> & FlagValues<typeof sampleFlags & typeof reverseFlags>,
): Promise<Planned> {
  let { pattern, urlTemplate } = flags;
  if (pattern === undefined || urlTemplate === undefined) {
    const current = await currentValuesOf(context).of(updateLinkifier, { filter_id: id });
    if (!current)
      throw new Usage(`<id>: linkifier ${id} not found`, { hint: "List them with: zulipctl linkifier list" });
    pattern ??= String(current.values.pattern);
    urlTemplate ??= String(current.values.url_template);
  }
  await showLinkifierMatches({ ...flags, pattern, urlTemplate }, context, {
    places: patternFlags,
    done: "changed",
    id,
  });
  return [
    change(
      updateLinkifier,
      { filter_id: id, pattern, url_template: urlTemplate, ...reverseArgs(flags) },
      { target: String(id), done: "Updated linkifier {target}.", verifyWith: "zulipctl linkifier list" },
    ),
  ];
}

export const linkifierNoun = noun("Linkifiers: patterns whose matches in messages become links", {
  add: changes(addLinkifier, {
    doc: "Add a linkifier",
    operations: ["linkifier.list", "linkifier.update"],
    operands: {
      pattern: pattern("pattern"),
      urlTemplate: urlTemplate("url-template"),
    },
    flags: { ...reverseFlags, ...sampleFlags },
    binds: reverseBinds,
    conflicts,
    before: (values, context) =>
      showLinkifierMatches(values, context, { places: ["<pattern>", "<url-template>"], done: "added" }),
    args: ({ pattern, urlTemplate, ...flags }) => ({ pattern, url_template: urlTemplate, ...reverseArgs(flags) }),
    target: "pattern",
    done: "Added linkifier {id}.",
    already: "Linkifier {target} exists already.",
    ids: "id",
    checkCommand: "linkifier list",
    examples: ["zulipctl linkifier add 'T(?P<id>[0-9]+)' 'https://tracker.example.com/{id}' --sample 'see T123'"],
  }),

  update: changingVerb({
    operation: updateLinkifier,
    doc: "Change a linkifier; values you leave out stay",
    operands: { id: id("linkifier", "the linkifier's id") },
    flags: { pattern: pattern(), urlTemplate: urlTemplate(), ...reverseFlags, ...sampleFlags },
    binds: reverseBinds,
    conflicts,
    someFlag: true,
    examples: ["zulipctl linkifier update 1 --url-template 'https://issues.example.com/{id}' --sample 'see #123'"],
    run: async () => update,
  }),

  rm: changesEach(removeLinkifier, {
    doc: "Remove linkifiers",
    things: ids("linkifier", "ids of linkifiers; - reads them from stdin"),
    args: (filter_id) => ({ filter_id }),
    done: "Deleted linkifier {target}.",
    checkCommand: "linkifier list",
    confirm: deletion("linkifier", async (server) =>
      (await server.call(getLinkifiers, {})).linkifiers.map(({ id, pattern }) => [id, `${id} (${shortLine(pattern)})`]),
    ),
    examples: ["zulipctl linkifier rm 2 --yes"],
  }),

  reorder: reorders(reorderLinkifiers, {
    doc: "Move linkifiers to the front, in this order",
    noun: "linkifier",
    things: ids("linkifier", "ids of linkifiers; - reads them from stdin"),
    param: "ordered_linkifier_ids",
    checkCommand: "linkifier list",
    examples: ["zulipctl linkifier reorder 2 1"],
  }),

  test: readingVerb({
    doc: "Show the links that linkifiers make in texts",
    operations: ["linkifier.list"],
    exits: [8],
    operands: {
      texts: optionalOperand(lines("sample texts; @file reads them, one a line, - reads stdin")),
    },
    flags: testFlags,
    requires: [
      ["pattern", "urlTemplate"],
      ["urlTemplate", "pattern"],
    ],
    examples: [
      "zulipctl linkifier test 'see #123' --expect match",
      "zulipctl linkifier test 'see T123' --pattern 'T(?P<id>[0-9]+)' --url-template 'https://tracker.example.com/{id}'",
    ],
    run: async () => testLinkifiers,
  }),

  list: lists(getLinkifiers, {
    doc: "List linkifiers in the order in which they apply",
    records: ({ linkifiers }) => linkifiers,
    id: "id",
    columns: (_, all) => ({
      ID: "id",
      PATTERN: "pattern",
      "URL TEMPLATE": "url_template",
      REVERSE: all.some(({ reverse_template }) => reverse_template) ? "reverse_template" : undefined,
    }),
    optionalFields: ["example_input", "reverse_template", "alternative_url_templates"],
    examples: ["zulipctl linkifier list"],
  }),
});

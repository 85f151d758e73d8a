import { addLinkifier, getLinkifiers, removeLinkifier, reorderLinkifiers, updateLinkifier } from "../api/linkifiers.ts";
import { plansWith, readsWith } from "../cli/conversation.ts";
import { choice, id, ids, lines, text, texts, toggle } from "../cli/kinds.ts";
import { noun } from "../cli/noun.ts";
import { brief, deletion } from "../cli/question.ts";
import { reorders } from "../cli/reorder.ts";
import { changes, changesEach, lists } from "../cli/verb.ts";
import { type FlagValues, optionalOperand } from "../cli/word.ts";
import { joinFirst } from "../common/counted.ts";
import { change } from "../engine/change.ts";
import { Difference, Usage } from "../errors.ts";
import { maxMessageLength } from "../notation/draft.ts";
import type { Listing } from "../output/form.ts";
import { sanitizeLine } from "../output/sanitize.ts";
import { currentValuesOf } from "../resolve/current-values.ts";
import type { Context, Planned } from "../run/context.ts";

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

const reverseArgs = ({ example, reverse, alternative }: FlagValues<typeof reverseFlags>) => ({
  example_input: example,
  reverse_template: reverse,
  alternative_url_templates: alternative?.filter(Boolean),
});

const conflicts = [["skipCheck", "sample"]] as const;

const testFlags = {
  pattern: text("try this pattern, with --url-template, instead of the organization's linkifiers"),
  urlTemplate: text("the link for each match"),
  expect: choice(["match", "none"], "exit with 8 if a text has another result", "what"),
};

interface Pattern {
  pattern: string;
  urlTemplate: string;
}
type TestOptions = FlagValues<typeof testFlags> & { texts?: string[] | undefined };

function checkLength(texts: readonly string[], flag: string): void {
  for (const text of texts)
    if ([...text].length > maxMessageLength)
      throw new Usage(`${flag}: the message must have at most ${maxMessageLength.toLocaleString("en")} characters`);
}

const patternFlags = ["--pattern", "--url-template"] as const;

/** Throws the server's refusal before sending. */
async function checkPattern(
  { pattern, urlTemplate: url_template }: Pattern,
  [patternPlace, templatePlace]: readonly [string, string],
  hint = "The server would refuse this.",
): Promise<void> {
  const { checkLinkifier, olderForm } = await import("../notation/linkifier.ts");
  const refusal = checkLinkifier({ pattern, url_template });
  if (!refusal) return;
  const { errors } = refusal;
  const older = olderForm({ url_template });
  if (older !== undefined)
    throw Object.assign(new Usage(`${templatePlace}: ${older}`, { hint, more: { errors } }), { flag: templatePlace });
  const where = errors.pattern ? `${patternPlace}: ` : errors.url_template ? `${templatePlace}: ` : "";
  throw new Usage(`${where}${refusal.msg}`, { hint, more: { errors } });
}

/** Checks a linkifier before sending, and prints the links in each sample. Throws `Usage`. */
async function check(
  { pattern, urlTemplate, sample = [], skipCheck }: Pattern & FlagValues<typeof sampleFlags>,
  { note, server }: Pick<Context, "note" | "server">,
  { places, done, id }: { places: readonly [string, string]; done: string; id?: number },
): Promise<void> {
  const hint = "The server would refuse this. Pass --skip-check to send it anyway.";
  if (!skipCheck) await checkPattern({ pattern, urlTemplate }, places, hint);
  checkLength(sample, "--sample");
  if (!sample.length) return;
  const { linkify } = await import("../notation/linkify.ts");
  const checked = { pattern, url_template: urlTemplate };
  const matches = sample.map((text) => {
    const links = linkify(text, [checked]);
    if (links.length) return { text, links };
    throw new Usage(`--sample: nothing in "${text}" matches; the linkifier was not ${done}`, {
      hint: "A match counts after white space or one of '\"(,:<, where no letter or digit follows, and not in code or URLs.",
    });
  });
  const { linkifiers } = await (await server()).lookUp(getLinkifiers, {});
  const at = linkifiers.findIndex((each) => each.id === id);
  const earlier = at < 0 ? linkifiers : linkifiers.slice(0, at);
  for (const { text, links } of matches) {
    const made = linkify(text, [...earlier, checked]);
    for (const { start, end, text: match } of links) {
      const there = made.filter((link) => link.start < end && start < link.end);
      if (!there.length) await note(sanitizeLine(`${match}: no link, because an earlier linkifier matches it first`));
      for (const { text, url, linkifier } of there) {
        const first = earlier[linkifier];
        await note(sanitizeLine(`${text} → ${url}${first ? ` (by linkifier ${first.id}, which comes first)` : ""}`));
      }
    }
  }
}

interface Rule {
  /** Absent for a new linkifier. */
  id?: number;
  pattern: string;
  url_template: string;
}

interface Link {
  text: string;
  match: string;
  linkifier: number | null;
  url: string;
  /** The number of characters before the match. */
  start: number;
}

async function rulesOf({ ask }: Context, { pattern, urlTemplate }: TestOptions): Promise<readonly Rule[]> {
  if (pattern === undefined || urlTemplate === undefined) return (await ask(getLinkifiers, {})).linkifiers;
  await checkPattern({ pattern, urlTemplate }, patternFlags);
  return [{ pattern, url_template: urlTemplate }];
}

/** Returns the failure that names the texts with an unexpected result. */
function failureOf(texts: readonly string[], linked: ReadonlySet<string>, expect: TestOptions["expect"]) {
  const unexpectedTexts = expect ? texts.filter((text) => linked.has(text) !== (expect === "match")) : [];
  if (!unexpectedTexts.length) return undefined;
  const inQuotes = unexpectedTexts.map((text) => `"${text}"`);
  const what = expect === "match" ? "nothing becomes a link in" : "something becomes a link in";
  return new Difference(`${what} ${joinFirst(inQuotes, 5)}`, { more: { texts: unexpectedTexts } });
}

async function test(context: Context, options: TestOptions): Promise<Listing<Link>> {
  const { texts = [], expect } = options;
  if (!options.texts)
    throw new Usage("linkifier test requires at least one text", {
      hint: "Give texts, @file with one a line, or - for stdin.",
    });
  checkLength(texts, "<text>");
  const rules = await rulesOf(context, options);
  const { linkify } = await import("../notation/linkify.ts");
  const records = texts.flatMap((text) =>
    linkify(text, rules).map(({ text: match, linkifier, url, start }) => ({
      text,
      match,
      linkifier: rules[linkifier]?.id ?? null,
      url,
      start: [...text.slice(0, start)].length,
    })),
  );
  const failure = failureOf(texts, new Set(records.map(({ text }) => text)), expect);
  return {
    kind: "listing",
    records,
    id: ({ linkifier }) => linkifier ?? undefined,
    allFields: ["text", "match", "linkifier", "url", "start"],
    columns: [
      { head: "TEXT", value: ({ text }) => text },
      { head: "MATCH", value: ({ match }) => match },
      { head: "LINKIFIER", value: ({ linkifier }) => linkifier, align: "right" },
      { head: "URL", value: ({ url }) => url, importance: "high" },
      { head: "START", value: ({ start }) => start, align: "right" },
    ],
    note: records.length ? undefined : "Nothing in these texts becomes a link.",
    ...(failure && { finish: async () => failure }),
  };
}

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
  await check({ ...flags, pattern, urlTemplate }, context, { places: patternFlags, done: "changed", id });
  return [
    change(
      updateLinkifier,
      { filter_id: id, pattern, url_template: urlTemplate, ...reverseArgs(flags) },
      { target: String(id), done: "Updated linkifier {target}.", verifyWith: "zulipctl linkifier list" },
    ),
  ];
}

export const linkifier = noun("Linkifiers: patterns whose matches in messages become links", {
  add: changes(addLinkifier, {
    doc: "Add a linkifier",
    operations: ["linkifier.list"],
    operands: {
      pattern: pattern("pattern"),
      urlTemplate: urlTemplate("url-template"),
    },
    flags: { ...reverseFlags, ...sampleFlags },
    binds: reverseBinds,
    conflicts,
    before: (values, context) => check(values, context, { places: ["<pattern>", "<url-template>"], done: "added" }),
    args: ({ pattern, urlTemplate, ...flags }) => ({ pattern, url_template: urlTemplate, ...reverseArgs(flags) }),
    target: "pattern",
    done: "Added linkifier {id}.",
    ids: "id",
    see: "linkifier list",
    examples: ["zulipctl linkifier add 'T(?P<id>[0-9]+)' 'https://tracker.example.com/{id}' --sample 'see T123'"],
  }),

  update: plansWith({
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
    see: "linkifier list",
    confirm: deletion("linkifier", async (server) =>
      (await server.call(getLinkifiers, {})).linkifiers.map(({ id, pattern }) => [id, `${id} (${brief(pattern)})`]),
    ),
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
    run: async () => test,
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

/** Checks linkifiers before they are sent, and tries them on texts. */
import { getLinkifiers } from "../../api/linkifiers.ts";
import { joinFirst } from "../../common/counted.ts";
import { DifferenceFailure, Usage } from "../../errors.ts";
import { maxMessageLength } from "../../notation/draft.ts";
import type { Listing } from "../../output/form.ts";
import { sanitizeLine } from "../../output/sanitize.ts";
import type { Context } from "../../run/context.ts";

export interface Pattern {
  pattern: string;
  urlTemplate: string;
}
interface Sample {
  sample?: readonly string[] | undefined;
  skipCheck?: boolean | undefined;
}

interface TestOptions extends Partial<Pattern> {
  texts?: readonly string[] | undefined;
  expect?: "match" | "none" | undefined;
}

function checkLength(texts: readonly string[], flag: string): void {
  for (const text of texts)
    if ([...text].length > maxMessageLength)
      throw new Usage(`${flag}: the message must have at most ${maxMessageLength.toLocaleString("en")} characters`);
}

export const patternFlags = ["--pattern", "--url-template"] as const;

/** Throws the server's refusal before sending. */
async function checkPattern(
  { pattern, urlTemplate: url_template }: Pattern,
  [patternPlace, templatePlace]: readonly [string, string],
  hint = "The server would refuse this.",
): Promise<void> {
  const { checkLinkifier, olderForm } = await import("../../notation/linkifier.ts");
  const older = olderForm({ pattern, url_template });
  const refusal = checkLinkifier({ pattern, url_template });
  if (older !== undefined)
    throw Object.assign(
      new Usage(`${templatePlace}: ${older}`, { hint, ...(refusal && { more: { errors: refusal.errors } }) }),
      { flag: templatePlace },
    );
  if (!refusal) return;
  const { errors } = refusal;
  const where = errors.pattern ? `${patternPlace}: ` : errors.url_template ? `${templatePlace}: ` : "";
  throw new Usage(`${where}${refusal.msg}`, { hint, more: { errors } });
}

/** Checks a linkifier before sending, and prints the links in each sample. Throws `Usage`. */
export async function showLinkifierMatches(
  { pattern, urlTemplate, sample = [], skipCheck }: Pattern & Sample,
  { note, server }: Pick<Context, "note" | "server">,
  { places, done, id }: { places: readonly [string, string]; done: string; id?: number },
): Promise<void> {
  const hint = "The server would refuse this. Pass --skip-check to send it anyway.";
  if (!skipCheck) await checkPattern({ pattern, urlTemplate }, places, hint);
  checkLength(sample, "--sample");
  if (!sample.length) return;
  const { linkify } = await import("../../notation/linkify.ts");
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

interface CheckedLinkifier {
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

async function rulesOf({ ask }: Context, { pattern, urlTemplate }: TestOptions): Promise<readonly CheckedLinkifier[]> {
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
  return new DifferenceFailure(`${what} ${joinFirst(inQuotes, 5)}`, { more: { texts: unexpectedTexts } });
}

export async function testLinkifiers(context: Context, options: TestOptions): Promise<Listing<Link>> {
  const { texts = [], expect } = options;
  if (!options.texts || (expect && !texts.length))
    throw new Usage("linkifier test requires at least one text", {
      hint: "Give texts, @file with one a line, or - for stdin.",
    });
  checkLength(texts, "<text>");
  const rules = await rulesOf(context, options);
  const { linkify } = await import("../../notation/linkify.ts");
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

/** Finds the links that linkifiers make in a message. Loads the RE2 engine, like `linkifier.ts`. */
import { RE2JS } from "re2js";
import { strip } from "../common/folding.ts";
import { Usage } from "../errors.ts";
import { inlineRuns, mask } from "./message-text.ts";
import { readExpression } from "./regular-expression.ts";
import { readUrlTemplate } from "./url-template.ts";

interface Link {
  /** The place in the text, in UTF-16 code units. */
  start: number;
  end: number;
  text: string;
  url: string;
  /** The index of the linkifier. */
  linkifier: number;
}

/** The URL schemes that servers link to. */
const schemes = new Set(["http", "https", "ftp", "mailto", "file", "bitcoin"]);

/**
 * Returns a URL as servers write it into a message. Undefined if they do not link it: `javascript:`, or a host name with a
 * port and no scheme. Templates give only ASCII without white space.
 */
export function safeUrl(url: string): string | undefined {
  const { scheme, rest } = /^(?<scheme>[A-Za-z][A-Za-z0-9+.-]*):(?<rest>.*)$/s.exec(url)?.groups ?? { rest: url };
  const parts = /^(?:\/\/(?<host>[^/?#]*))?(?<path>[^?#]*)(?:\?(?<query>[^#]*))?(?:#(?<fragment>.*))?$/s.exec(rest!);
  const { host = "", path = "", query = "", fragment = "" } = parts?.groups ?? {};
  // An empty query or fragment loses its sign.
  const after = `${path}${query && `?${query}`}${fragment && `#${fragment}`}`;
  if (!scheme && !host) {
    if (path.includes("@")) return `mailto:${after}`;
    if (path.startsWith("/") || (!path && !query && fragment)) return after;
  }
  if (!scheme) return safeUrl(`http://${url}`);
  const kind = scheme.toLowerCase();
  if (!schemes.has(kind)) return undefined;
  if (kind === "mailto" || kind === "bitcoin") return `${kind}:${host && `//${host}`}${after}`;
  return `${kind}://${host}${path && !path.startsWith("/") ? "/" : ""}${after}`;
}

interface LinkifierRule {
  engine: RE2JS;
  /** The names of each group in the template and in the engine. The leftmost of two equal names counts. */
  groups: readonly (readonly [string, string])[];
  expand(groups: Record<string, string | null>): string;
}

/** Matches count at the start, after white space or an opening sign, and only if no letter or digit follows. */
function compileRule(pattern: string, url_template: string): LinkifierRule {
  const { source, aliases } = readExpression(strip(pattern));
  const template = readUrlTemplate(strip(url_template));
  if (!template) throw new Usage(`${url_template} is not a valid URL template`);
  try {
    return {
      engine: RE2JS.compile(`(?P<before>^|\\s|\\x{85}|\\pZ|['"(,:<])(?P<match>${source})(?P<after>$|[^\\pL\\pN])`),
      groups: [
        ["linkifier_after_match", "after"],
        ...aliases,
        ["linkifier_actual_match", "match"],
        ["linkifier_before_match", "before"],
      ],
      expand: template.expand,
    };
  } catch (cause) {
    throw new Usage(`the pattern ${pattern} cannot be tested here`, { cause });
  }
}

/** The largest number of characters that are searched for one linkifier. The search begins again after each match. */
const maxSearched = 50_000_000;

/**
 * Returns the links that these linkifiers, in their order, make in a message. Throws `Usage` for a pattern that matches
 * empty text: servers never end with it.
 */
export function linkify(text: string, linkifiers: readonly { pattern: string; url_template: string }[]): Link[] {
  const rules = linkifiers.map(({ pattern, url_template }) => ({ pattern, ...compileRule(pattern, url_template) }));
  const links: Link[] = [];
  for (const run of inlineRuns(text)) {
    // Matched text cannot match again.
    let remaining = run.text;
    for (const [linkifier, { pattern, engine, groups, expand }] of rules.entries())
      for (let searched = 0; ; searched += remaining.length) {
        if (searched > maxSearched)
          throw new Usage("the text is too long to test with this pattern", { hint: "Test a part of it." });
        const matcher = engine.matcher(remaining);
        if (!matcher.find()) break;
        const [start, end] = [matcher.start("match"), matcher.end("match")];
        if (start === end)
          throw new Usage(`The pattern ${pattern} matches empty text`, {
            hint: "A server with such a linkifier fails on messages. Let the pattern match at least one character.",
          });
        const url = safeUrl(expand(Object.fromEntries(groups.map(([name, alias]) => [name, matcher.group(alias)]))));
        if (url !== undefined)
          links.push({
            start: run.start + start,
            end: run.start + end,
            text: remaining.slice(start, end),
            url,
            linkifier,
          });
        remaining = mask(remaining, start, end);
      }
  }
  return links.sort((one, other) => one.start - other.start);
}

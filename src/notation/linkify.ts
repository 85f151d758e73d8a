/** Which links linkifiers make in a message. Loads the RE2 engine, like `linkifier.ts`. */
import { RE2JS } from "re2js";
import { Usage } from "../errors.ts";
import { strip } from "../folding.ts";
import { inlineRuns, masked, maskedAll } from "./message-text.ts";
import { readExpression } from "./regular-expression.ts";
import { readUrlTemplate } from "./url-template.ts";

export interface Link {
  /** The place in the text, in UTF-16 code units. */
  start: number;
  end: number;
  text: string;
  url: string;
  /** Which of the linkifiers made it, from 0. */
  linkifier: number;
}

/** Schemes that the server links to. */
const schemes = new Set(["http", "https", "ftp", "mailto", "file", "bitcoin"]);

/**
 * A URL as the server writes it into a message; undefined where it links nothing (`javascript:`, a host name with a
 * port and no scheme). Takes what a template gives: ASCII without white space.
 */
export function safeUrl(url: string, site?: string): string | undefined {
  const { scheme, rest } = /^(?<scheme>[A-Za-z][A-Za-z0-9+.-]*):(?<rest>.*)$/s.exec(url)?.groups ?? { rest: url };
  const parts = /^(?:\/\/(?<host>[^/?#]*))?(?<path>[^?#]*)(?:\?(?<query>[^#]*))?(?:#(?<fragment>.*))?$/s.exec(rest!);
  const { host = "", path = "", query = "", fragment = "" } = parts?.groups ?? {};
  // An empty query or fragment loses its sign.
  const after = `${path}${query && `?${query}`}${fragment && `#${fragment}`}`;
  if (!scheme && !host) {
    if (path.includes("@")) return `mailto:${after}`;
    if (path.startsWith("/") || (!path && !query && fragment)) return after;
  }
  if (!scheme) return safeUrl(`http://${url}`, site);
  const kind = scheme.toLowerCase();
  if (!schemes.has(kind)) return undefined;
  if (kind === "mailto" || kind === "bitcoin") return `${kind}:${host && `//${host}`}${after}`;
  const whole = `${kind}://${host}${path && !path.startsWith("/") ? "/" : ""}${after}`;
  const local = site === undefined ? undefined : `${site.replace(/\/+$/, "")}/`;
  return local && (whole.startsWith(`${local}#`) || whole.startsWith(`${local}user_uploads/`))
    ? whole.slice(local.length)
    : whole;
}

interface Rule {
  engine: RE2JS;
  /** A group's name in the template and in the engine. Of two with one name the leftmost counts. */
  groups: readonly (readonly [string, string])[];
  expand(groups: Record<string, string | null>): string;
}

/** A match counts after the start, white space or an opening sign, and only where no letter or digit follows. */
function rule(pattern: string, url_template: string): Rule {
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

/** Characters that may be searched again after each match, all together. */
const mostSearched = 50_000_000;

/** The matches of a rule. As on the server, the search starts again after each, without what is taken. */
function* matches({ engine }: Rule, text: string): Generator<ReturnType<RE2JS["matcher"]>> {
  let left = text;
  for (let searched = 0; ; searched += left.length) {
    if (searched > mostSearched)
      throw new Usage("the text is too long to test with this pattern", { hint: "Test a part of it." });
    const matcher = engine.matcher(left);
    if (!matcher.find()) return;
    yield matcher;
    left = masked(left, matcher.start("match"), matcher.end("match"));
  }
}

/**
 * The links that these linkifiers, in their order, make in a message. `site` is the organization's URL: links into it
 * become relative. Throws `Usage` for a pattern that matches no text at all somewhere, for the server never ends then.
 */
export function linkify(
  text: string,
  linkifiers: readonly { pattern: string; url_template: string }[],
  site?: string,
): Link[] {
  const rules = linkifiers.map(({ pattern, url_template }) => rule(pattern, url_template));
  const links: Link[] = [];
  for (const run of inlineRuns(text)) {
    let left = run.text;
    rules.forEach((each, linkifier) => {
      const taken: [start: number, end: number][] = [];
      for (const matcher of matches(each, left)) {
        const start = matcher.start("match");
        const end = matcher.end("match");
        if (start === end)
          throw new Usage(`The pattern ${linkifiers[linkifier]!.pattern} matches empty text`, {
            hint: "A server with such a linkifier fails on messages. Let the pattern match at least one character.",
          });
        const url = safeUrl(
          each.expand(Object.fromEntries(each.groups.map(([name, alias]) => [name, matcher.group(alias)]))),
          site,
        );
        if (url !== undefined)
          links.push({ start: run.start + start, end: run.start + end, text: matcher.group("match")!, url, linkifier });
        taken.push([start, end]);
      }
      left = maskedAll(left, taken);
    });
  }
  return links.sort((one, other) => one.start - other.start);
}

/** Which links linkifiers make in a message. Loads the RE2 engine, like `linkifier.ts`. */
import { RE2JS } from "re2js";
import { Usage } from "../errors.ts";
import { inlineRuns, masked } from "./message-text.ts";
import { readExpression } from "./regular-expression.ts";
import { trim } from "./space.ts";
import { readUrlTemplate } from "./url-template.ts";

export interface Link {
  /** Where in the text, in UTF-16 code units. */
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
  /** What the template calls a group, and what the engine does; of two of a name the leftmost counts. */
  groups: readonly (readonly [string, string])[];
  expand(groups: Record<string, string | null>): string;
}

/** A match counts after the start, white space or an opening sign, and only where no letter or digit follows. */
function rule(pattern: string, url_template: string): Rule {
  const { source, aliases } = readExpression(trim(pattern));
  const template = readUrlTemplate(trim(url_template));
  if (!template) throw new Usage(`${url_template} is no URL template`);
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
    throw new Usage(`The pattern ${pattern} cannot be tried here`, { cause });
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
    rules.forEach(({ engine, groups, expand }, linkifier) => {
      // As on the server, the search begins anew after each match, and what is taken no linkifier sees again.
      for (let matcher = engine.matcher(left); matcher.find(); matcher = engine.matcher(left)) {
        const start = matcher.start("match");
        const end = matcher.end("match");
        if (start === end)
          throw new Usage(`The pattern ${linkifiers[linkifier]!.pattern} matches where there is nothing to link`, {
            hint: "A server with such a linkifier fails on messages. Let the pattern match at least one character.",
          });
        const url = safeUrl(
          expand(Object.fromEntries(groups.map(([name, alias]) => [name, matcher.group(alias)]))),
          site,
        );
        if (url !== undefined)
          links.push({ start: run.start + start, end: run.start + end, text: left.slice(start, end), url, linkifier });
        left = masked(left, start, end);
      }
    });
  }
  return links.sort((one, other) => one.start - other.start);
}

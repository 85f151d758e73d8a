/** Which links linkifiers make in a message. Loads the RE2 engine, like `linkifier.ts`. */
import { RE2JS } from "re2js";
import { Usage } from "../errors.ts";
import { strip } from "../folding.ts";
import { inlineRuns, masked, maskedAll } from "./message-text.ts";
import { readExpression } from "./regular-expression.ts";
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
  /** No match is empty or reaches over what stands before another one. */
  apart: boolean;
  /** What the template calls a group, and what the engine does; of two of a name the leftmost counts. */
  groups: readonly (readonly [string, string])[];
  expand(groups: Record<string, string | null>): string;
}

/** What a match may stand behind, and what takes the place of one. */
const borders = [..."\t\n\f\r \x85\xa0\u1680\u2028\u2029\u202f\u205f\u3000'\"(,:<\x02"]
  .map((sign) => sign.charCodeAt(0))
  .concat([...Array(11).keys()].map((n) => 0x2000 + n));

/** What this reads of a compiled program; `out` and `arg` are where it may go on. */
interface Instruction {
  op: number;
  out: number;
  arg: number;
  matchRune(point: number): boolean;
}

/** The library's numbers for a branch and for the end. */
const [branch, end] = [1, 6];

/** Whether no match is empty or reaches over what stands before another one. */
function keepsApart(source: string): boolean {
  const { inst, start } = RE2JS.compile(source).re2().prog as { inst: Instruction[]; start: number };
  if (inst.some((each) => borders.some((border) => each.matchRune(border)))) return false;
  // An empty match is a way to the end without a character.
  const seen = new Set([start]);
  for (const at of seen) {
    const { op, out, arg } = inst[at]!;
    if (op === end) return false;
    if (op > end + 1) continue;
    seen.add(out);
    if (op === branch || op === branch + 1) seen.add(arg);
  }
  return true;
}

/** A match counts after the start, white space or an opening sign, and only where no letter or digit follows. */
function rule(pattern: string, url_template: string): Rule {
  const { source, aliases } = readExpression(strip(pattern));
  const template = readUrlTemplate(strip(url_template));
  if (!template) throw new Usage(`${url_template} is not a valid URL template`);
  try {
    return {
      apart: keepsApart(source),
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

/** Characters that may be searched anew after each match, all together. */
const mostSearched = 10_000_000;

/**
 * The matches of a rule, each as its groups. As on the server, the search begins anew after each, and what is taken is
 * never seen again. Where matches keep apart that finds the same as to go on where the last one ended, which takes no
 * more than the text's length.
 */
function* matches({ engine, apart }: Rule, text: string): Generator<ReturnType<RE2JS["matcher"]>> {
  let left = text;
  let searched = 0;
  let matcher = engine.matcher(left);
  for (let from = 0; from <= left.length && matcher.find(from); ) {
    yield matcher;
    const [start, end] = [matcher.start("match"), matcher.end("match")];
    if (apart) from = end;
    else {
      searched += left.length;
      if (searched > mostSearched)
        throw new Usage("the text is too long to test with this pattern", {
          hint: "Try a part of it, or a pattern whose matches hold no white space and none of '\"(,:<.",
        });
      left = masked(left, start, end);
      matcher = engine.matcher(left);
    }
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

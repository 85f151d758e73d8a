/** Which endpoint somebody means: a path below `/api/v1`, and nothing that would lead elsewhere. */
import { Usage } from "../../errors.ts";

const refuse = (what: string, hint?: string): never => {
  throw new Usage(`<path>: ${what}`, { hint });
};

/** What a segment says when its escapes are read. */
function plain(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return refuse(`"${segment}" has a % that begins no UTF-8 character`, "A percent sign itself is written %25.");
  }
}

function checkSegment(segment: string): void {
  const said = plain(segment);
  if (segment === "") refuse("it has two slashes in a row, or ends with one");
  if (said === "." || said === "..") refuse(`"${segment}" would lead elsewhere`);
  if (/[/\\]/.test(said)) refuse(`"${segment}" holds an encoded slash or a backslash, which servers read as they like`);
  if (/[\u0000-\u001f\u007f-\u009f\u2028\u2029]/.test(said))
    refuse("it holds a line break or another control character");
}

/** Everything but what a path may hold and escapes that are there already. */
const escaped = (segment: string): string =>
  segment.replace(/[^A-Za-z0-9\-._~!$&'()*+,;=:@%]/gu, (sign) => encodeURIComponent(sign));

/**
 * The path as it is sent, below `/api/v1`, and the query that stood behind it. A whole URL is taken where it is one of
 * `site`. Throws `Usage`.
 */
export function readPath(typed: string, site: string): { path: string; query: URLSearchParams } {
  if (/[\u0000-\u001f\u007f]/.test(typed)) refuse("it holds a line break or another control character");
  let rest = typed;
  if (/^[a-z][a-z0-9+.-]*:|^[/\\]{2}/i.test(typed)) {
    if (!typed.startsWith(`${site}/`))
      refuse(
        `"${typed}" names another host than ${new URL(site).host}`,
        "Another organization is chosen with --profile.",
      );
    rest = typed.slice(site.length);
  }
  if (rest.includes("#"))
    refuse("it holds a #, and what stands behind that is never sent", "A # itself is written %23.");
  const [before, ...behind] = rest.split("?");
  const segments = before!
    .replace(/^\//, "")
    .replace(/^api\/v1(?=\/|$)\/?/, "")
    .split("/");
  if (segments.length === 1 && segments[0] === "") refuse("it names no endpoint", "It looks like this: /users/me");
  for (const segment of segments) checkSegment(segment);
  return { path: `/${segments.map(escaped).join("/")}`, query: new URLSearchParams(behind.join("?")) };
}

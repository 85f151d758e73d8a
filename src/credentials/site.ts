/** Reads the address of an organization as people write it. */

import { isLoopback } from "../common/loopback.ts";
import { Usage } from "../errors.ts";
import { invisiblePart } from "../notation/blanks.ts";
import { refuseQuotes } from "./quotes.ts";

const example = "such as https://chat.example.com";

/**
 * Returns scheme and host, without a trailing slash or `/api`. The default scheme is https, and http for `localhost`.
 * Throws `Usage` for any other text. `name`: the flag, variable or file, for the message.
 */
export function parseSite(text: string, name: string): string {
  const trimmed = text.trim();
  refuseQuotes(trimmed, name);
  const hasScheme = /^[a-z][a-z0-9+.-]*:\/\//i.test(trimmed);
  const url = hasScheme ? trimmed : `${trimmed.startsWith("localhost") ? "http" : "https"}://${trimmed}`;
  const invalid = (what: string, hint = `Pass a URL, ${example}.`) => new Usage(`${name} ${what}`, { hint });
  const invisible = invisiblePart(trimmed);
  if (invisible) throw invalid(`contains ${invisible}`);
  if (!trimmed || /\s/.test(trimmed) || !URL.canParse(url)) throw invalid("is not the URL of an organization");
  const { protocol, hostname, username, password, pathname, search, hash, origin } = new URL(url);
  // A scheme with a sign too few, such as https:/host, reads as a host.
  if (!["https:", "http:"].includes(protocol) || !hostname || /^https?$/i.test(hostname))
    throw invalid("is not an https:// URL");
  // URL accepts a variable that no shell replaced, such as ${SITE}.
  if (/[^\w.:[\]-]/.test(hostname)) throw invalid("is not the URL of an organization");
  // Neither is quoted: they may be secret.
  if (username || password) throw invalid("has a user name or password in it", `Pass the URL alone, ${example}.`);
  if (protocol === "http:" && !isLoopback(hostname))
    throw invalid(
      `is http://, which would show the key to everyone on the way to ${hostname}`,
      "Use https://: http:// works for this machine only. Trust a private certificate authority with --ca-file.",
    );
  // A mistyped scheme reads as a host too.
  const alone =
    hasScheme || hostname.includes(".") || isLoopback(hostname)
      ? `Pass the URL alone: ${origin}`
      : `Pass the URL alone, ${example}`;
  const more = !/^\/*(api(\/v1)?\/*)?$/.test(pathname);
  if (more || search || hash)
    throw invalid(
      "has more than the URL of an organization",
      more ? `${alone} (Zulip has no organizations below a path)` : alone,
    );
  // A host with a final dot is the same host.
  return origin.replace(/\.(?=:\d+$|$)/, "");
}

/** Reads the address of an organization as people write it. */
import { Usage } from "../errors.ts";
import { isLoopback } from "../loopback.ts";

const example = "such as https://chat.example.com";

/**
 * Returns scheme and host, without a trailing slash or `/api`. The default scheme is https, and http for `localhost`.
 * Throws `Usage` for any other text. `name`: the flag, variable or file, for the message.
 */
export function siteOf(text: string, name: string): string {
  const trimmed = text.trim();
  const hasScheme = /^[a-z][a-z0-9+.-]*:\/\//i.test(trimmed);
  const url = hasScheme ? trimmed : `${trimmed.startsWith("localhost") ? "http" : "https"}://${trimmed}`;
  const invalid = (what: string, hint: string) => new Usage(`${name} ${what}`, { hint });
  if (!trimmed || /\s/.test(trimmed) || !URL.canParse(url))
    throw invalid("is not the URL of an organization", `Pass a URL, ${example}.`);
  const { protocol, hostname, username, password, pathname, search, hash, origin } = new URL(url);
  if (!["https:", "http:"].includes(protocol) || !hostname)
    throw invalid("is not an https:// URL", `Pass a URL, ${example}.`);
  // Neither is quoted: they may be secret.
  if (username || password) throw invalid("has a user name or password in it", `Pass the URL alone, ${example}.`);
  if (protocol === "http:" && !isLoopback(hostname))
    throw invalid(
      `is http://, which would show the key to everyone on the way to ${hostname}`,
      "Use https://: http:// works for this machine only. Trust a private certificate authority with --ca-file.",
    );
  if (!/^\/*(api(\/v1)?\/*)?$/.test(pathname) || search || hash)
    throw invalid("has more than the URL of an organization", `Pass the URL alone: ${origin}`);
  return origin;
}

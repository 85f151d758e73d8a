/** Chooses the proxy from the usual environment variables. */
import { BlockList, isIP } from "node:net";
import { isLoopback } from "../common/loopback.ts";
import { refuseQuotes } from "../credentials/quotes.ts";
import { Usage } from "../errors.ts";
import type { Env } from "../world/world.ts";

export interface ProxyServer {
  /** Without user name and password. */
  url: URL;
  /** The value of `proxy-authorization`. */
  token?: string;
  /** The variable that names it. */
  variable: string;
}

/**
 * Reads HTTPS_PROXY, HTTP_PROXY or ALL_PROXY, in lower case first. Undefined if NO_PROXY contains the address.
 * Throws `Usage` for a proxy that is not an http or https URL.
 */
export function proxyFor(url: URL, env: Env): ProxyServer | undefined {
  const setting = [`${url.protocol.slice(0, -1)}_proxy`, "all_proxy"]
    .flatMap((name) => [name, name.toUpperCase()])
    .map((name) => ({ name, value: env[name]?.trim() }))
    .find(({ value }) => value);
  if (!setting?.value || isExcepted(url, env.no_proxy || env.NO_PROXY || "")) return undefined;
  const proxy = parseProxy(setting.name, setting.value);
  // Plain http is for this machine only. Another proxy could read the key.
  return url.protocol === "http:" && !isLoopback(proxy.url.hostname) ? undefined : proxy;
}

/** Signs that end the user name and password of a URL, or mean something else in them. */
const encoded: Record<string, string> = {
  "%": "%25",
  "/": "%2F",
  "\\": "%5C",
  "?": "%3F",
  "#": "%23",
  "@": "%40",
  " ": "%20",
};

/** Returns the signs that the user name and password must not contain as they are, in their order. */
function signsToEncode(text: string): string[] {
  const login = /:\/\/(.*)@/s.exec(text)?.[1] ?? "";
  const signs = [...new Set(login.match(/[/\\?#\s]/g) ?? [])].map((sign) => (/\s/.test(sign) ? " " : sign));
  if (!isDecodable(login)) signs.unshift("%");
  // URL takes the last @, but the rest must be encoded anyway.
  if (signs.length && login.includes("@")) signs.push("@");
  return [...new Set(signs)];
}

function isDecodable(text: string): boolean {
  try {
    decodeURIComponent(text);
    return true;
  } catch {
    return false;
  }
}

function parseProxy(variable: string, value: string): ProxyServer {
  const text = /^[a-z][a-z0-9+.-]*:\/\//i.test(value) ? value : `http://${value}`;
  // The value may contain a password, so no message quotes it.
  const invalid = (message: string, hint: string) => new Usage(message, { hint, outcome: "not_sent" });
  refuseQuotes(value, variable);
  const signs = signsToEncode(text);
  if (signs.length)
    throw invalid(
      `${variable} is not the URL of a proxy: write ${signs.map((sign) => `${sign === " " ? "a space" : sign} as ${encoded[sign]}`).join(", ")} in its user name and password`,
      `Fix ${variable}, or unset it.`,
    );
  // URL would take "http" or the user name of http:/bob:pw@proxy for the host.
  const isMistyped = /^https?(?!:\/\/)[:/]/i.test(value);
  const url = !isMistyped && URL.canParse(text) ? new URL(text) : undefined;
  if (!url || !["http:", "https:"].includes(url.protocol) || !url.hostname)
    throw invalid(`${variable} must be the http:// or https:// URL of a proxy`, `Fix ${variable}, or unset it.`);
  const [user, password] = [url.username, url.password].map(decodeURIComponent);
  const token = `Basic ${Buffer.from(`${user}:${password}`).toString("base64")}`;
  // As in other programs, a path has no meaning.
  return { url: new URL(url.origin), variable, ...((user || password) && { token }) };
}

const bare = (host: string) => host.replace(/^\[(.*)\]$/, "$1").replace(/\.$/, "");

function isExcepted({ hostname, port, protocol }: URL, list: string): boolean {
  const host = bare(hostname.toLowerCase());
  const actualPort = port || (protocol === "https:" ? "443" : "80");
  return list
    .toLowerCase()
    .split(/[\s,]+/)
    .filter(Boolean)
    .some((entry) => {
      if (entry === "*") return true;
      if (inSubnet(host, entry)) return true;
      const [, name = entry, onlyPort] = /^(\[.*\]|[^:]*):(\d+)$/.exec(entry) ?? [];
      if (onlyPort && onlyPort !== actualPort) return false;
      const domain = bare(name).replace(/^\*?\./, "");
      return host === domain || (isIP(host) === 0 && domain !== "" && host.endsWith(`.${domain}`));
    });
}

function inSubnet(host: string, entry: string): boolean {
  const [, address = "", bits = ""] = /^(.+)\/(\d+)$/.exec(entry) ?? [];
  const family = isIP(address) === 4 ? "ipv4" : "ipv6";
  if (isIP(address) === 0 || isIP(host) !== isIP(address) || Number(bits) > (family === "ipv4" ? 32 : 128))
    return false;
  const subnet = new BlockList();
  subnet.addSubnet(address, Number(bits), family);
  return subnet.check(host, family);
}

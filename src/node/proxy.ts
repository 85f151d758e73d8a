/** Chooses the proxy from the usual environment variables. */
import { BlockList, isIP } from "node:net";
import { Usage } from "../errors.ts";
import { isLoopback } from "../loopback.ts";

type Env = Record<string, string | undefined>;

/**
 * Reads HTTPS_PROXY, HTTP_PROXY or ALL_PROXY, in lower case first. Undefined if NO_PROXY contains the address.
 * Throws `Usage` for a proxy that is not an http or https URL.
 */
export function proxyFor(url: URL, env: Env): URL | undefined {
  const setting = [`${url.protocol.slice(0, -1)}_proxy`, "all_proxy"]
    .flatMap((name) => [name, name.toUpperCase()])
    .map((name) => ({ name, value: env[name] }))
    .find(({ value }) => value);
  if (!setting?.value || isExcepted(url, env.no_proxy || env.NO_PROXY || "")) return undefined;
  const proxy = parseProxy(setting.name, setting.value);
  // Plain http is for this machine only. Another proxy could read the key.
  return url.protocol === "http:" && !isLoopback(proxy.hostname) ? undefined : proxy;
}

function parseProxy(name: string, value: string): URL {
  const text = /^[a-z][a-z0-9+.-]*:\/\//i.test(value) ? value : `http://${value}`;
  if (URL.canParse(text)) {
    const proxy = new URL(text);
    if (["http:", "https:"].includes(proxy.protocol) && proxy.hostname) return proxy;
  }
  // The value may contain a password.
  throw new Usage(`${name} must be the http:// or https:// URL of a proxy`, {
    hint: `Fix ${name}, or unset it.`,
    outcome: "not_sent",
  });
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

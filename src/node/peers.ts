/** Checks the connection to a server in steps, for `doctor`. */
import { lookup } from "node:dns/promises";
import { once } from "node:events";
import { request as plain } from "node:http";
import { request as secure } from "node:https";
import { isIP, type Socket } from "node:net";
import { connect, type TLSSocket } from "node:tls";
import type { Certificate, Tls } from "../peers.ts";
import { NoAnswer } from "../world.ts";
import { notConnected } from "./connection-errors.ts";
import { proxyFor } from "./proxy.ts";

const bare = (hostname: string) => hostname.replace(/^\[(.*)\]$/, "$1");

export async function addressesOf(site: string): Promise<string[]> {
  try {
    const found = await lookup(bare(new URL(site).hostname), { all: true });
    return found.map(({ address }) => address);
  } catch (error) {
    throw notConnected(error, false);
  }
}

interface How {
  tls: Tls;
  env: Record<string, string | undefined>;
  /** In milliseconds. */
  timeout: number;
  stop: AbortSignal;
}

/** Connects to the server through a proxy. */
async function tunnel(proxy: URL, target: string, signal: AbortSignal): Promise<Socket> {
  const { username, password, hostname, port, protocol } = proxy;
  const login = Buffer.from(`${decodeURIComponent(username)}:${decodeURIComponent(password)}`).toString("base64");
  const headers = { host: target, ...(username && { "proxy-authorization": `Basic ${login}` }) };
  const ask = protocol === "https:" ? secure : plain;
  const request = ask({
    host: bare(hostname),
    port: port || undefined,
    method: "CONNECT",
    path: target,
    headers,
    signal,
  });
  const [{ statusCode }, socket] = await once(request.end(), "connect");
  if (statusCode === 200) return socket;
  socket.destroy();
  throw new Error(`it answered ${statusCode}`);
}

function shown(socket: TLSSocket): Certificate {
  const { valid_to, issuer } = socket.getPeerCertificate();
  const name = issuer?.O ?? issuer?.CN ?? "";
  return { expires: Date.parse(valid_to), issuer: Array.isArray(name) ? name.join(", ") : name };
}

export async function certificateOf(site: string, { tls, env, timeout, stop }: How): Promise<Certificate> {
  const url = new URL(site);
  const [host, port] = [bare(url.hostname), Number(url.port || 443)];
  const proxy = proxyFor(url, env);
  const late = AbortSignal.timeout(timeout);
  const signal = AbortSignal.any([stop, late]);
  try {
    const through = proxy && (await tunnel(proxy, `${url.hostname}:${port}`, signal));
    const socket = connect({
      ...(through ? { socket: through } : { host, port }),
      ...(isIP(host) === 0 && { servername: host }),
      ...(tls.ca && { ca: tls.ca.text }),
      ...(tls.cert && { cert: tls.cert.text }),
      ...(tls.key && { key: tls.key.text }),
      rejectUnauthorized: true,
    });
    try {
      await once(socket, "secureConnect", { signal });
      return shown(socket);
    } finally {
      socket.destroy();
    }
  } catch (error) {
    stop.throwIfAborted();
    if (late.aborted) throw new NoAnswer(`no secure connection within ${timeout / 1000} seconds`, "timeout", false);
    throw notConnected(error, true, proxy);
  }
}

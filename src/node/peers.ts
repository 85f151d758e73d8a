/** Checks the connection to a server in steps, for `doctor`. */
import { subscribe, unsubscribe } from "node:diagnostics_channel";
import { lookup } from "node:dns/promises";
import { TLSSocket } from "node:tls";
import { membersOf } from "../common/object-members.ts";
import type { Certificate, Tls } from "../world/peers.ts";
import { type Env, NoAnswer } from "../world/world.ts";
import { notConnected } from "./connection-errors.ts";
import { connect } from "./http.ts";

export async function peerAddresses(site: string): Promise<string[]> {
  try {
    const addresses = await lookup(new URL(site).hostname.replace(/^\[(.*)\]$/, "$1"), { all: true });
    return addresses.map(({ address }) => address);
  } catch (error) {
    throw notConnected(error, false);
  }
}

interface CertificateOptions {
  tls: Tls;
  env: Env;
  /** In milliseconds. */
  timeout: number;
  stop: AbortSignal;
}

function certificateIn(socket: TLSSocket): Certificate {
  const { valid_to, issuer } = socket.getPeerCertificate();
  const name = issuer?.O ?? issuer?.CN ?? "";
  return { expires: Date.parse(valid_to), issuer: Array.isArray(name) ? name.join(", ") : name };
}

/** Connects as for a request, and sends nothing. */
export async function certificateOf(
  site: string,
  { tls, env, timeout, stop }: CertificateOptions,
): Promise<Certificate> {
  let certificate: Certificate = { expires: Number.NaN, issuer: "" };
  let isConnected = false;
  const onConnected = (message: unknown) => {
    // A proxy comes first.
    const { socket } = membersOf(message);
    if (socket instanceof TLSSocket) certificate = certificateIn(socket);
  };
  const leaves = () => {
    isConnected = true;
    throw new Error("nothing is sent");
  };
  const connection = await connect(tls, env);
  subscribe("undici:client:connected", onConnected);
  try {
    await connection.request({ method: "GET", url: site, headers: {}, timeout, signal: stop, beforeSend: leaves });
  } catch (error) {
    stop.throwIfAborted();
    if (error instanceof NoAnswer && error.why === "timeout")
      throw new NoAnswer(`no secure connection within ${timeout / 1000} seconds`, "timeout", false);
    if (!isConnected) throw error;
  } finally {
    unsubscribe("undici:client:connected", onConnected);
    await connection.close();
  }
  return certificate;
}

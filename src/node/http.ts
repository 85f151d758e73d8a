/** HTTP over undici. This module is loaded for the first request. */
import { subscribe, unsubscribe } from "node:diagnostics_channel";
import { Socket } from "node:net";
import { createSecureContext } from "node:tls";
import { buildConnector, type Dispatcher, Pool, ProxyAgent } from "undici";
import { asError, Usage } from "../errors.ts";
import type { Tls } from "../peers.ts";
import { type Connection, type HttpRequest, NoAnswer } from "../world.ts";
import { notConnected } from "./connection-errors.ts";
import { Exchange } from "./exchange.ts";
import { proxyFor } from "./proxy.ts";

type Env = Record<string, string | undefined>;
type Material = { ca?: string; cert?: string; key?: string; rejectUnauthorized: true };

/**
 * Reads share connections, which are kept alive until `close`. A change has a new connection, so no answer to another
 * request can come on it. A read can ask for one too. `close` ends all requests.
 */
export async function connect(tls: Tls, env: Env): Promise<Connection> {
  const material = materialOf(tls);
  // It remembers TLS sessions for later connections.
  const build = buildConnector({ ...material, timeout: 0 });
  const sockets = new Set<Socket>();
  const shared = new Map<string, Dispatcher>();
  const own = new Set<Dispatcher>();
  let closed = false;
  const remember = (socket: unknown) => {
    if (!(socket instanceof Socket)) return;
    sockets.add(socket);
    socket.once("close", () => sockets.delete(socket));
  };
  const tunnelled = (message: unknown) => remember(Object(message).socket);
  subscribe("undici:proxy:connected", tunnelled);

  function dispatcher(url: URL, proxy: URL | undefined): Dispatcher {
    const connector = (connect: buildConnector.connector) => failing(connect, url, proxy, remember);
    if (!proxy) return new Pool(url.origin, { connect: connector(build) });
    return new ProxyAgent({
      uri: proxy.href,
      requestTls: material,
      proxyTls: checked,
      clientFactory: (origin, { connect }: Connector) => new Pool(origin, { connect: remembering(connect, remember) }),
      factory: (origin, { connect }: Connector) => new Pool(origin, { connect: connector(connect) }),
    });
  }

  function sharedBy(url: URL, proxy: URL | undefined): Dispatcher {
    const made = shared.get(url.origin) ?? dispatcher(url, proxy);
    shared.set(url.origin, made);
    return made;
  }

  function ownOf(url: URL, proxy: URL | undefined, exchange: Exchange): Dispatcher {
    const made = dispatcher(url, proxy);
    own.add(made);
    exchange.onEnd(() => {
      own.delete(made);
      void made.destroy(over);
    });
    return made;
  }

  return {
    async request(request: HttpRequest) {
      const url = new URL(request.url);
      const path = url.pathname + url.search;
      const { method, ownConnection = method !== "GET" } = request;
      if (closed) throw new NoAnswer("the connection was closed", "stopped", false);
      const proxy = proxyFor(url, env);
      const exchange = new Exchange(request);
      if (exchange.over) return exchange.answer;
      const to = ownConnection ? ownOf(url, proxy, exchange) : sharedBy(url, proxy);
      // The exchange has its own timeout.
      const limits = { headersTimeout: 0, bodyTimeout: 0 };
      // By default undici closes a connection after a DELETE with a body.
      const kept = ownConnection ? {} : { reset: false };
      to.dispatch({ origin: url.origin, path, method, ...sent(request, exchange), ...limits, ...kept }, exchange);
      return exchange.answer;
    },
    async close() {
      closed = true;
      unsubscribe("undici:proxy:connected", tunnelled);
      const gone = new NoAnswer("the connection was closed", "stopped", true);
      await Promise.all([...shared.values(), ...own].map((made) => made.destroy(gone)));
      for (const socket of sockets) socket.destroy();
    },
  };
}

/** Returns headers and body. undici ends the connection if the body has another length than the header says. */
function sent(
  { headers, body, upload }: HttpRequest,
  exchange: Exchange,
): Pick<Dispatcher.DispatchOptions, "headers" | "body"> {
  if (!upload) return { headers, body };
  // undici accepts any iterable of bytes, but its types do not.
  return { headers: { ...headers, "content-length": `${upload.size}` }, body: exchange.sending(upload) as never };
}

// undici would make an error with a stack each time.
const over = new NoAnswer("the request is over", "stopped", true);

type Connector = { connect: buildConnector.connector };

const remembering =
  (connect: buildConnector.connector, remember: (socket: unknown) => void): buildConnector.connector =>
  (options, callback) =>
    // The connectors of undici return the socket before it is connected. Their types do not say so.
    remember(connect(options, callback));

/** Turns errors of connecting into `NoAnswer`. After some of its own errors undici would try again forever. */
const failing =
  (connect: buildConnector.connector, { protocol }: URL, proxy: URL | undefined, remember: (socket: unknown) => void) =>
  (...[options, callback]: Parameters<buildConnector.connector>): void => {
    const failed = (error: unknown) =>
      callback(error instanceof NoAnswer ? error : notConnected(error, protocol === "https:", proxy), null);
    remember(
      connect(options, (error, socket) => {
        if (error || !socket) return failed(error);
        if (socket.destroyed) return failed(new Error("it was closed at once"));
        callback(null, socket);
      }),
    );
  };

/** The environment can change the default. */
const checked = { rejectUnauthorized: true } as const;

function materialOf(tls: Tls): Material {
  const { ca, cert, key } = tls;
  const material = { ...(ca && { ca: ca.text }), ...(cert && { cert: cert.text }), ...(key && { key: key.text }) };
  try {
    if (ca || cert || key) createSecureContext(material);
  } catch (error) {
    const names = [ca, cert, key].flatMap((file) => file?.path ?? []).join(", ");
    throw new Usage(`cannot read a TLS certificate or key from ${names}: ${asError(error).message}`, {
      outcome: "not_sent",
    });
  }
  return { ...material, ...checked };
}

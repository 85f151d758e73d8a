/** HTTP over undici. This module is loaded for the first request. */
import { setMaxListeners } from "node:events";
import { createSecureContext } from "node:tls";
import { buildConnector, type Dispatcher, Pool, ProxyAgent } from "undici";
import { asError, Usage } from "../errors.ts";
import type { Tls } from "../world/peers.ts";
import { type Connection, type Env, type HttpRequest, NoAnswer } from "../world/world.ts";
import { notConnected } from "./connection-errors.ts";
import { Exchange } from "./exchange.ts";
import { withoutContinue } from "./interim-answers.ts";
import { withPatientParser } from "./patient-parser.ts";
import { type ProxyServer, proxyFor } from "./proxy.ts";

/**
 * Reads share connections, which are kept alive until `close`. A change has a new connection, so no answer to another
 * request can come on it. A read can ask for one too. `close` ends all requests.
 */
export async function connect(tls: Tls, env: Env): Promise<Connection> {
  // Destroying a dispatcher ends its connections, but no attempt to connect.
  const stop = new AbortController();
  setMaxListeners(0, stop.signal);
  const material = { ...materialOf(tls), signal: stop.signal };
  // It remembers TLS sessions for later connections.
  const build = buildConnector({ ...material, timeout: 0 });
  const shared = new Map<string, Dispatcher>();
  const own = new Set<Dispatcher>();
  let isClosed = false;
  /** A refusal of the proxy, which is not asked again. */
  let refusal: NoAnswer | undefined;

  const remember = (failure: NoAnswer) => {
    if (failure.why === "proxy") refusal = failure;
  };

  function dispatcher(url: URL, proxy: ProxyServer | undefined): Dispatcher {
    const connector = (connect: buildConnector.connector) => withNoAnswer(connect, url, proxy, remember);
    if (!proxy) return new Pool(url.origin, { connect: connector(build) });
    return new ProxyAgent({
      uri: proxy.url.href,
      ...(proxy.token !== undefined && { token: proxy.token }),
      requestTls: material,
      proxyTls: { ...verified, signal: stop.signal },
      factory: (origin, { connect }: { connect: buildConnector.connector }) =>
        new Pool(origin, { connect: connector(connect) }),
    });
  }

  function sharedDispatcher(url: URL, proxy: ProxyServer | undefined): Dispatcher {
    const pool = shared.get(url.origin) ?? dispatcher(url, proxy);
    shared.set(url.origin, pool);
    return pool;
  }

  function ownDispatcher(url: URL, proxy: ProxyServer | undefined, exchange: Exchange): Dispatcher {
    const pool = dispatcher(url, proxy);
    own.add(pool);
    exchange.onEnd(() => {
      own.delete(pool);
      void pool.destroy(requestOver);
    });
    return pool;
  }

  return {
    async request(request: HttpRequest) {
      const url = new URL(request.url);
      const path = url.pathname + url.search;
      const { method, ownConnection = method !== "GET" } = request;
      if (isClosed) throw new NoAnswer("the connection was closed", "stopped", false);
      const proxy = proxyFor(url, env);
      if (proxy && refusal) throw refusal;
      const exchange = new Exchange(request, proxy);
      if (exchange.isOver) return exchange.answer;
      const pool = ownConnection ? ownDispatcher(url, proxy, exchange) : sharedDispatcher(url, proxy);
      // The exchange has its own timeout.
      const limits = { headersTimeout: 0, bodyTimeout: 0 };
      // By default undici closes a connection after a DELETE with a body.
      const reset = ownConnection ? {} : { reset: false };
      const content = contentOf(request, exchange);
      pool.dispatch({ origin: url.origin, path, method, ...content, ...limits, ...reset }, exchange);
      return exchange.answer;
    },
    async close() {
      const closed = new NoAnswer("the connection was closed", "stopped", true);
      isClosed = true;
      await Promise.all([...shared.values(), ...own].map((pool) => pool.destroy(closed)));
      stop.abort(closed);
    },
  };
}

/** Returns headers and body. undici ends the connection if the body has another length than the header says. */
function contentOf(
  { headers, body, upload }: HttpRequest,
  exchange: Exchange,
): Pick<Dispatcher.DispatchOptions, "headers" | "body"> {
  if (!upload) return { headers, body };
  // undici accepts any iterable of bytes, but its types do not.
  return { headers: { ...headers, "content-length": `${upload.size}` }, body: exchange.sending(upload) as never };
}

// undici would make an error with a stack each time.
const requestOver = new NoAnswer("the request is over", "stopped", true);

/** Turns errors of connecting into `NoAnswer`. After some of its own errors undici would try again forever. */
const withNoAnswer =
  (
    connect: buildConnector.connector,
    { protocol }: URL,
    proxy: ProxyServer | undefined,
    onFailure: (failure: NoAnswer) => void,
  ): buildConnector.connector =>
  (options, callback) => {
    const fail = (error: unknown) => {
      const failure = error instanceof NoAnswer ? error : notConnected(error, protocol === "https:", proxy);
      onFailure(failure);
      callback(failure, null);
    };
    connect(options, (error, socket) => {
      if (error || !socket) return fail(error);
      if (socket.destroyed) return fail(new Error("it was closed at once"));
      withPatientParser(() => callback(null, withoutContinue(socket)));
    });
  };

/** The environment can change the default. */
const verified = { rejectUnauthorized: true } as const;

function materialOf(tls: Tls) {
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
  return { ...material, ...verified };
}

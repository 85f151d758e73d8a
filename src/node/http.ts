/** HTTP over undici. This module is loaded for the first request. */
import { setMaxListeners } from "node:events";
import { Socket } from "node:net";
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
  const material = materialOf(tls);
  // It remembers TLS sessions for later connections.
  const build = buildConnector({ ...material, timeout: 0 });
  const shared = new Map<string, Stoppable>();
  const own = new Set<Stoppable>();
  let isClosed = false;
  /** A refusal of the proxy, which is not asked again. */
  let refusal: NoAnswer | undefined;

  const remember = (failure: NoAnswer) => {
    if (failure.why === "proxy") refusal = failure;
  };

  function dispatcher(url: URL, proxy: ProxyServer | undefined): Stoppable {
    // A signal keeps every socket that was made with it, so each dispatcher has its own.
    const stop = new AbortController();
    const { signal } = stop;
    setMaxListeners(0, signal);
    const connector = (connect: buildConnector.connector) => withNoAnswer(connect, url, proxy, remember);
    if (!proxy) return { stop, pool: new Pool(url.origin, { connect: connector(stoppable(build, signal)) }) };
    const pool = new ProxyAgent({
      uri: proxy.url.href,
      ...(proxy.token !== undefined && { token: proxy.token }),
      requestTls: { ...material, signal },
      proxyTls: { ...verified, signal },
      factory: (origin, { connect }: { connect: buildConnector.connector }) =>
        new Pool(origin, { connect: connector(connect) }),
    });
    return { stop, pool };
  }

  function sharedDispatcher(url: URL, proxy: ProxyServer | undefined): Dispatcher {
    const known = shared.get(url.origin) ?? dispatcher(url, proxy);
    shared.set(url.origin, known);
    return known.pool;
  }

  function ownDispatcher(url: URL, proxy: ProxyServer | undefined, exchange: Exchange): Dispatcher {
    const made = dispatcher(url, proxy);
    own.add(made);
    exchange.onEnd(() => {
      own.delete(made);
      void made.pool.destroy(requestOver).then(() => made.stop.abort(requestOver));
    });
    return made.pool;
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
      const all = [...shared.values(), ...own];
      await Promise.all(all.map(({ pool }) => pool.destroy(closed)));
      for (const { stop } of all) stop.abort(closed);
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

/** Destroying a dispatcher ends its connections, but no attempt to connect: the signal does. */
interface Stoppable {
  readonly pool: Dispatcher;
  readonly stop: AbortController;
}

/** Ends attempts to connect when the signal aborts. */
const stoppable =
  (connect: buildConnector.connector, signal: AbortSignal): buildConnector.connector =>
  (options, callback) => {
    const socket: unknown = connect(options, (...result) => {
      signal.removeEventListener("abort", end);
      callback(...result);
    });
    const end = () => socket instanceof Socket && socket.destroy(asError(signal.reason));
    signal.addEventListener("abort", end);
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

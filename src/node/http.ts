/** HTTP over undici. This room alone knows that library; the module is loaded when the first request is made. */
import { subscribe, unsubscribe } from "node:diagnostics_channel";
import { Socket } from "node:net";
import { createSecureContext } from "node:tls";
import { setFlagsFromString } from "node:v8";
import type { buildConnector as Build, Dispatcher } from "undici";
import buildConnector from "undici/lib/core/connect.js";
import Client from "undici/lib/dispatcher/client.js";
import Pool from "undici/lib/dispatcher/pool.js";
import { Usage } from "../errors.ts";
import type { Pem, Tls } from "../peers.ts";
import { type Connection, type HttpRequest, NoAnswer } from "../world.ts";
import { Exchange } from "./exchange.ts";
import { notConnected } from "./noanswer.ts";
import { proxyFor } from "./proxy.ts";

type Env = Record<string, string | undefined>;
type Material = { ca?: string; cert?: string; key?: string; rejectUnauthorized: true };

/**
 * Reads share connections, which are kept alive until `close`; it also breaks off what is still on its way. A change,
 * and a read that wants it, has a new connection to itself, so that an answer on it can be to nothing else.
 */
export async function connect(tls: Tls, env: Env): Promise<Connection> {
  const material = materialOf(tls);
  // One for all: it remembers TLS sessions, which makes the next connection cheaper.
  const build = buildConnector({ ...material, timeout: 0 });
  const sockets = new Set<Socket>();
  const shared = new Map<string, Promise<Dispatcher>>();
  const own = new Set<Dispatcher>();
  let closed = false;
  const remember = (socket: unknown) => {
    if (!(socket instanceof Socket)) return;
    sockets.add(socket);
    socket.once("close", () => sockets.delete(socket));
  };
  const tunnelled = (message: unknown) => remember((message as { socket?: unknown }).socket);
  subscribe("undici:proxy:connected", tunnelled);

  async function dispatcher(url: URL, only?: Exchange): Promise<Dispatcher> {
    const proxy = proxyFor(url, env);
    const connector = (connect: Build.connector) =>
      careful(only ? unspoken(connect, only) : connect, url, proxy, remember);
    if (!proxy) return new (only ? Client : Pool)(url.origin, { connect: connector(build) });
    const { default: ProxyAgent } = await import("undici/lib/dispatcher/proxy-agent.js");
    const { default: tunnel } = await import("undici/lib/api/api-connect.js");
    return new ProxyAgent({
      uri: proxy.href,
      requestTls: material,
      proxyTls: checked,
      // `connect`, the method, is what undici's index would have added.
      clientFactory: (origin, { connect }: Connector) =>
        Object.assign(new Pool(origin, { connect: keeping(connect, remember) }), { connect: tunnel }),
      factory: (origin, { connect }: Connector) => new Pool(origin, { connect: connector(connect) }),
    });
  }

  function sharedBy(url: URL): Promise<Dispatcher> {
    const made = shared.get(url.origin) ?? dispatcher(url);
    shared.set(url.origin, made);
    return made;
  }

  async function ownOf(url: URL, exchange: Exchange): Promise<Dispatcher> {
    const made = await dispatcher(url, exchange);
    own.add(made);
    exchange.onEnd(() => {
      own.delete(made);
      void made.destroy(over);
    });
    return made;
  }

  let last: URL | undefined;
  /** Requests go to the same server, mostly; what needs no escape is what a URL would make of it. */
  function placeOf(address: string): { url: URL; path: string } {
    const length = last?.origin.length ?? 0;
    if (last && address.startsWith(last.origin) && plain.test(address.slice(length)))
      return { url: last, path: address.slice(length) };
    last = new URL(address);
    return { url: last, path: last.pathname + last.search };
  }

  return {
    async request(request: HttpRequest) {
      const { url, path } = placeOf(request.url);
      const { method, headers, body, alone = method !== "GET" } = request;
      const exchange = new Exchange(request);
      const to = await (alone ? ownOf(url, exchange) : sharedBy(url)).catch((error: unknown) => {
        exchange.refuse();
        throw error;
      });
      if (closed) exchange.refuse(new NoAnswer("the connection was closed", "stopped", false));
      if (exchange.over) return exchange.answer;
      // The exchange has one time limit of its own; undici's, which start anew at each part, are off.
      const limits = { headersTimeout: 0, bodyTimeout: 0 };
      // By itself undici gives a connection up after a DELETE that has a body.
      const kept = alone ? {} : { reset: false };
      to.dispatch({ origin: url.origin, path, method, headers, body, ...limits, ...kept }, exchange);
      return exchange.answer;
    },
    async close() {
      closed = true;
      unsubscribe("undici:proxy:connected", tunnelled);
      const gone = new NoAnswer("the connection was closed", "stopped", true);
      // Why one could not be made has been told where it was wanted.
      const all = await Promise.allSettled([...shared.values(), ...own]);
      await Promise.all(all.map((made) => (made.status === "fulfilled" ? made.value.destroy(gone) : undefined)));
      for (const socket of sockets) socket.destroy();
    },
  };
}

// undici would make one of its own each time, with a stack that nobody reads.
const over = new NoAnswer("the request is over", "stopped", true);

/** Gives up a connection on which something came before the request: an answer could not be told from it. */
const unspoken =
  (connect: Build.connector, exchange: Exchange): Build.connector =>
  (options, callback) =>
    connect(options, (error, socket) => {
      if (error || !socket) return callback(error ?? new Error("there is none"), null);
      exchange.hasToItself(socket);
      // The event loop looks at the network between two turns.
      setImmediate(() =>
        setImmediate(() => {
          if (socket.readableLength === 0) return callback(null, socket);
          socket.destroy();
          callback(new NoAnswer("it answered before it was asked", "protocol", false), null);
        }),
      );
    });

/** A path, with a query or without, in which nothing is to be escaped and no part is `.` or `..`. */
const plain = /^(?:\/[\w~-]+)+\/?(?:\?[\w~.%&=+-]+)?$/;

type Connector = { connect: Build.connector };

const keeping =
  (connect: Build.connector, remember: (socket: unknown) => void): Build.connector =>
  (options, callback) =>
    // The types leave it out, but undici's connectors return the socket before it is connected.
    remember(connect(options, callback));

// Node 20 soon optimises undici's WebAssembly parser, for some 80 ms and 29 MiB, also when the program has finished
// meanwhile. How soon is settled when the parser is compiled; this is for some two hundred answers, as late as can be said. The flag goes back to what it was at once: while any is changed, V8 takes
// nothing that was compiled before, and Node's own modules load three times as slowly.
const budget = { patient: 2 ** 31 - 1, usual: 1_800_000 };
let compiled = !process.versions.node.startsWith("20.");

/** Connections are taken over through this: with the first of them undici compiles its parser. */
function compiling(takeOver: () => void): void {
  if (compiled) takeOver();
  else {
    compiled = true;
    setFlagsFromString(`--wasm-tiering-budget=${budget.patient}`);
    try {
      takeOver();
    } finally {
      setFlagsFromString(`--wasm-tiering-budget=${budget.usual}`);
    }
  }
}

/**
 * Every error of connecting becomes a `NoAnswer` of ours. undici tries for ever to connect again after some of its
 * own, such as that of a proxy which hangs up.
 */
const careful =
  (connect: Build.connector, { protocol }: URL, proxy: URL | undefined, remember: (socket: unknown) => void) =>
  (...[options, callback]: Parameters<Build.connector>): void => {
    const failed = (error: unknown) =>
      callback(error instanceof NoAnswer ? error : notConnected(error, protocol === "https:", proxy), null);
    remember(
      connect(options, (error, socket) => {
        if (error || !socket) return failed(error);
        if (socket.destroyed) return failed(new Error("it was closed at once"));
        compiling(() => callback(null, socket));
      }),
    );
  };

/** Said wherever a connection is made, because the environment can turn it off. */
const checked = { rejectUnauthorized: true } as const;

function materialOf(tls: Tls): Material {
  const files = Object.entries(tls) as [string, Pem][];
  const material = Object.fromEntries(files.map(([name, { text }]) => [name, text]));
  try {
    if (files.length > 0) createSecureContext(material);
  } catch (error) {
    const names = files.map(([, { path }]) => path).join(", ");
    throw new Usage(`cannot read a TLS certificate or key from ${names}: ${(error as Error).message}`, {
      outcome: "not_sent",
    });
  }
  return { ...material, ...checked };
}

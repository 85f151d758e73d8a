/** Connections for changes: each serves one request at a time, and none that a read has used. */
import type { Socket } from "node:net";
import type { buildConnector as Build, Dispatcher } from "undici";
import { NoAnswer } from "../world.ts";
import { clock } from "./clock.ts";
import type { Exchange } from "./exchange.ts";

type Wrap = (connect: Build.connector) => Build.connector;
type Make = (url: URL, wrap: Wrap) => Promise<Dispatcher>;

interface Lane {
  dispatcher: Dispatcher;
  /** Absent while there is none: the dispatcher connects for the next request. */
  socket?: Socket | undefined;
  exchange: Exchange;
  /** When the last answer on it was complete. */
  since: number;
}

/**
 * Milliseconds for which a connection waits for the next request. A run at full speed uses one again and again; where
 * requests are further apart, connecting anew costs less than a connection that the server gives up meanwhile.
 */
const kept = 100;

// undici would make one of its own each time, with a stack that nobody reads.
const over = new NoAnswer("the request is over", "stopped", true);

/** The event loop looks at the network between two turns. Of a connection that was used before, undici awaits that itself. */
const looked = () => new Promise<void>((resolve) => setImmediate(() => setImmediate(resolve)));

/**
 * A connection on which something came that nobody asked for is given up: an answer to the next request could not be
 * told from it. It is looked at before each request, and once more when its answer is complete.
 */
export class Lanes {
  readonly #make: Make;
  readonly #keeps: boolean;
  readonly #idle = new Map<string, Lane[]>();
  readonly #serving = new WeakMap<Exchange, Lane>();
  /** Those that there are, idle or not. */
  readonly all = new Set<Dispatcher>();

  /** `kept`: a connection may serve another request when it has served one. */
  constructor(make: Make, { kept }: { kept: boolean }) {
    this.#make = make;
    this.#keeps = kept;
  }

  /** One for this request alone until its exchange is over. Who asks a second time has found the first dead, and gets a new one. */
  async of(url: URL, exchange: Exchange): Promise<Dispatcher> {
    const dead = this.#serving.get(exchange);
    if (dead) this.#drop(dead);
    const lane = (!dead && this.#kept(url)) || (await this.#fresh(url, exchange));
    if (!dead && this.#keeps) this.#serving.set(exchange, lane);
    lane.exchange = exchange;
    if (lane.socket) exchange.hasToItself(lane.socket);
    exchange.onEnd(() => this.#back(url, lane));
    return lane.dispatcher;
  }

  #kept(url: URL): Lane | undefined {
    const idle = this.#idle.get(url.origin) ?? [];
    for (let lane = idle.pop(); lane; lane = idle.pop()) {
      if (clock.monotonic() - lane.since < kept && (usable(lane) || closed(lane))) {
        if (lane.socket?.destroyed) lane.socket = undefined;
        return lane;
      }
      this.#drop(lane);
    }
    return undefined;
  }

  async #fresh(url: URL, exchange: Exchange): Promise<Lane> {
    const lane: Partial<Lane> & { exchange: Exchange } = { exchange, since: 0 };
    const dispatcher = await this.#make(url, (connect) => unspoken(connect, lane));
    this.all.add(dispatcher);
    return Object.assign(lane, { dispatcher }) as Lane;
  }

  #back(url: URL, lane: Lane): void {
    lane.since = clock.monotonic();
    const idle = this.#idle.get(url.origin);
    if (!this.#keeps || !lane.exchange.whole || !(usable(lane) || closed(lane))) this.#drop(lane);
    else if (idle) idle.push(lane);
    else this.#idle.set(url.origin, [lane]);
  }

  #drop({ dispatcher }: Lane): void {
    this.all.delete(dispatcher);
    void dispatcher.destroy(over);
  }
}

const usable = ({ socket }: Lane): boolean =>
  socket !== undefined && !socket.destroyed && !socket.errored && socket.readableLength === 0;

/** The server wanted no further request on it, and it was given up when the answer was whole. */
const closed = ({ socket }: Lane): boolean =>
  socket === undefined || (socket.destroyed && (!socket.errored || undiciClosed(socket.errored)));

const undiciClosed = (error: Error): boolean => (error as NodeJS.ErrnoException).code === "UND_ERR_INFO";

/** Gives up a connection on which something came before the request. */
const unspoken =
  (connect: Build.connector, lane: { exchange: Exchange; socket?: Socket }): Build.connector =>
  (options, callback) =>
    connect(options, (error, socket) => {
      if (error || !socket) return callback(error ?? new Error("there is none"), null);
      lane.socket = socket;
      lane.exchange.hasToItself(socket);
      void looked().then(() => {
        if (socket.readableLength === 0) return callback(null, socket);
        socket.destroy();
        callback(new NoAnswer("it answered before it was asked", "protocol", false), null);
      });
    });

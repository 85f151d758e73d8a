/** A proxy between program and server that records changes and loses some requests and answers. */
import { Agent, createServer, type IncomingMessage, request, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { setTimeout as sleep } from "node:timers/promises";
import type { Chance } from "../simulation/chance.ts";

/** A request that changes something. */
export interface RelayedRequest {
  /** The number of the run that sent it, from 0. */
  run: number;
  method: string;
  path: string;
  body: string;
  /** The status of the answer. Undefined if it did not reach the server. */
  status?: number;
  /** The whole answer was sent to the program. */
  isAnswered: boolean;
}

/** The largest delay of a request, in milliseconds. */
const latency = 25;

export class Relay {
  readonly requests: RelayedRequest[] = [];
  /** The number of the current run. */
  run = 0;
  /** Called when a change arrives, is served, and is answered. */
  onEvent: () => void = () => {};
  /** Probability that a change, or the answer to it, is lost. */
  lossRate = 0;
  readonly #server: Server;
  readonly #agent = new Agent({ keepAlive: true });
  readonly #chance: Chance;
  readonly #to: URL;

  private constructor(chance: Chance, to: string) {
    this.#chance = chance;
    this.#to = new URL(to);
    this.#server = createServer((asked, answer) => {
      // A killed program resets its connections.
      asked.on("error", () => undefined);
      this.#pass(asked, answer).catch(() => answer.destroy());
    });
  }

  static async start(chance: Chance, to: string): Promise<Relay> {
    const relay = new Relay(chance, to);
    await new Promise<void>((resolve) => relay.#server.listen(0, "127.0.0.1", resolve));
    return relay;
  }

  get site(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  async close(): Promise<void> {
    this.#agent.destroy();
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  async #pass(asked: IncomingMessage, answer: ServerResponse): Promise<void> {
    const { method = "GET", url: path = "/", headers } = asked;
    const body = await text(asked);
    const changes = method !== "GET";
    const record: RelayedRequest = { run: this.run, method, path, body, isAnswered: false };
    const notify = () => changes && this.onEvent();
    if (changes) this.requests.push(record);
    notify();
    const lost = changes && this.#chance.hits(this.lossRate) ? this.#chance.of(["before", "after"]) : undefined;
    if (lost === "before") return void answer.destroy();
    await sleep(this.#chance.whole(0, latency));
    // Some requests of a killed program never arrive.
    if (changes && answer.destroyed && this.#chance.hits(0.5)) return;
    const { host: _, ...passed } = headers;
    const response = await new Promise<IncomingMessage>((resolve, reject) =>
      request(new URL(path, this.#to), { method, headers: passed, agent: this.#agent }, resolve)
        .on("error", reject)
        .end(body),
    );
    const content = await text(response);
    record.status = response.statusCode!;
    notify();
    if (lost === "after") return void answer.destroy();
    answer.on("finish", () => {
      record.isAnswered = true;
      notify();
    });
    answer.writeHead(record.status, { "content-type": "application/json" }).end(content);
  }
}

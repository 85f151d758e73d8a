/** A network between the program and the server, which sees what was asked and answered, and loses some of it. */
import { Agent, createServer, type IncomingMessage, request, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { setTimeout as sleep } from "node:timers/promises";
import type { Chance } from "../simulation/chance.ts";

/** One request that changes something, and how it fared. */
export interface Seen {
  /** Of the runs of one file, the how-manieth sent it. */
  run: number;
  method: string;
  path: string;
  body: string;
  /** What the server said of it; undefined where it never came there. */
  status?: number;
  /** The answer went out to the program whole. */
  answered: boolean;
}

/** Milliseconds for which a request is on its way at most. */
const latency = 25;

export class Relay {
  readonly seen: Seen[] = [];
  /** Which run sends now. */
  run = 0;
  /** Called when a change arrives, is served, and is answered. */
  watch: () => void = () => {};
  /** Probability that a change, or the answer to it, is lost. */
  losing = 0;
  readonly #server: Server;
  readonly #agent = new Agent({ keepAlive: true });
  readonly #chance: Chance;
  readonly #to: URL;

  private constructor(chance: Chance, to: string) {
    this.#chance = chance;
    this.#to = new URL(to);
    this.#server = createServer((asked, answer) => {
      // Whoever is killed does not say goodbye.
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
    const seen: Seen = { run: this.run, method, path, body, answered: false };
    const tell = () => changes && this.watch();
    if (changes) this.seen.push(seen);
    tell();
    const lost = changes && this.#chance.hits(this.losing) ? this.#chance.of(["before", "after"]) : undefined;
    if (lost === "before") return void answer.destroy();
    await sleep(this.#chance.whole(0, latency));
    // Of what was on its way when the program was killed, some never arrives.
    if (changes && answer.destroyed && this.#chance.hits(0.5)) return;
    const { host: _, ...passed } = headers;
    const served = await new Promise<IncomingMessage>((resolve, reject) =>
      request(new URL(path, this.#to), { method, headers: passed, agent: this.#agent }, resolve)
        .on("error", reject)
        .end(body),
    );
    const said = await text(served);
    seen.status = served.statusCode!;
    tell();
    if (lost === "after") return void answer.destroy();
    answer.on("finish", () => {
      seen.answered = true;
      tell();
    });
    answer.writeHead(seen.status, { "content-type": "application/json" }).end(said);
  }
}

/** From what a person typed to ids. Ids cost nothing; names cost one look-up of each kind a run. */
import type { Server } from "../client/server.ts";

export class Find {
  readonly #server: () => Promise<Server>;
  constructor(server: () => Promise<Server>) {
    this.#server = server;
  }
  async channel(reference: string): Promise<number> {
    await this.#server();
    return Number(reference);
  }
}

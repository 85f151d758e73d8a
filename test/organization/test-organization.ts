/** An organization in memory. Tests read it and send requests as the program does. */
import { RetryBudget } from "../../src/client/retry.ts";
import { Server } from "../../src/client/server.ts";
import type { ChangeResult } from "../../src/engine/change.ts";
import { Engine } from "../../src/engine/engine.ts";
import { transport } from "../../src/engine/transport.ts";
import type { Difference } from "../../src/organization/difference.ts";
import { takeSnapshot } from "../../src/organization/fetch-snapshot.ts";
import { groupMembershipIn } from "../../src/organization/group-members.ts";
import { orderRequests, type RequestStep } from "../../src/organization/order.ts";
import { predict } from "../../src/organization/prediction.ts";
import type { Snapshot } from "../../src/organization/snapshot.ts";
import { defaultLevel, type Sandbox } from "../../src/sandbox/index.ts";
import { Secret } from "../../src/world/world.ts";
import { fresh, person, site } from "../run.ts";
import { type TestWorld, testWorld } from "../world.ts";

export class TestOrganization {
  readonly sandbox: Sandbox;
  readonly world: TestWorld;
  readonly server: Server;

  constructor({ level = defaultLevel, as = 100 as number | string, sandbox = fresh({ level }) } = {}) {
    this.sandbox = sandbox;
    this.world = testWorld({ http: sandbox.handle });
    const { email, api_key } = person(sandbox, as);
    const account = { site, email, tls: {}, key: async () => new Secret(api_key) };
    const manner = { timeout: 30_000, level, allowIgnored: false, grace: 30_000, many: true };
    this.server = new Server(this.world, account, { ...manner, retryBudget: new RetryBudget(120_000) });
  }

  snapshot(): Promise<Snapshot> {
    return takeSnapshot(this.server, { command: "org plan", now: 0 });
  }

  /** Returns the requests for differences, in order. */
  async steps(differences: readonly Difference[]): Promise<RequestStep[]> {
    return orderRequests(predict(groupMembershipIn(await this.snapshot()), differences), {
      verifyWith: "zulipctl org plan",
    });
  }

  /** Sends the requests with the engine. */
  async send(steps: readonly RequestStep[]): Promise<ChangeResult[]> {
    const { clock, signals } = this.world;
    const rows = steps.map(({ change, needs }, n) => ({
      row: n + 1,
      changes: [{ ...change, requires: needs.map((each) => each + 1) }],
    }));
    const engine = new Engine(transport(this.server), { clock, signals, merge: false, checkUnanswered: 60_000 });
    const results = new Map<number, readonly ChangeResult[]>();
    for await (const { row, results: all } of engine.run(rows)) results.set(row.row, all);
    return rows.flatMap(({ row }) => results.get(row)!);
  }
}

/** Returns a line for each result that is not `done`. */
export const failureTexts = (results: readonly ChangeResult[]): string[] =>
  results.flatMap((result) => (result.outcome === "done" ? [] : [`${result.outcome}: ${result.failure.message}`]));

/** A minimal server for tests of the engine: groups with members. */
import { removeAttachment } from "../../src/api/attachments.ts";
import { getMembers, updateMembers } from "../../src/api/groups.ts";
import type { Attempts } from "../../src/client/sending-types.ts";
import { type Change, type ChangeResult, change } from "../../src/engine/change.ts";
import { Engine } from "../../src/engine/engine.ts";
import type { EngineOptions } from "../../src/engine/engine-options.ts";
import type { ChangeRow, Finished } from "../../src/engine/task.ts";
import type { Sendable, Transport } from "../../src/engine/transport.ts";
import { Refused, Unknown } from "../../src/errors.ts";
import type { AnyOperation } from "../../src/wire/operation.ts";
import { testWorld } from "../world.ts";

export const refusal = (message: string): ChangeResult => ({
  outcome: "refused",
  failure: new Refused(message, { outcome: "not_applied", httpStatus: 400 }),
});
export const noAnswer = (): ChangeResult => ({
  outcome: "unknown",
  failure: new Unknown("no answer from chat.example: timeout; it may or may not have happened", { outcome: "unknown" }),
});
export const done = (answer: Record<string, unknown> = {}): ChangeResult => ({ outcome: "done", answer, ignored: [] });

export const words = (target: string) => ({ target, done: "Done.", verifyWith: "zulipctl group list" });
export const members = (user_group_id: number, args: { add?: number[]; delete?: number[] }): Change =>
  change(updateMembers, { user_group_id, ...args }, words(`group ${user_group_id}`));
export const removal = (attachment_id: number): Change =>
  change(removeAttachment, { attachment_id }, words(String(attachment_id)));

export interface Sent {
  operation: string;
  args: Record<string, unknown>;
}

type Args = { user_group_id: number; add?: number[]; delete?: number[] };

export class FakeServer implements Transport {
  readonly sent: Sent[] = [];
  readonly reads: Sent[] = [];
  readonly groups = new Map<number, Set<number>>();
  /** The number of requests that are underway now, and its maximum. */
  underway = 0;
  mostUnderway = 0;
  /** Replaces the answer to a request. `serve` applies the request. */
  respond?: (sent: Sent, serve: () => ChangeResult) => ChangeResult | undefined | Promise<ChangeResult | undefined>;
  readonly world = testWorld();

  constructor(readonly isRejected: (id: number) => boolean = () => false) {}

  async send({ operation, args }: Sendable, attempts?: Attempts): Promise<ChangeResult> {
    await attempts?.beforeSend();
    attempts?.onFirstByte?.();
    const sent = { operation: operation.name, args };
    this.sent.push(sent);
    this.mostUnderway = Math.max(this.mostUnderway, ++this.underway);
    await new Promise(setImmediate);
    const serve = () => this.#serve(operation, args);
    const disturbed = await this.respond?.(sent, serve);
    this.underway--;
    return disturbed ?? serve();
  }

  #serve(operation: AnyOperation, args: Record<string, unknown>): ChangeResult {
    if (operation.name !== "group.members")
      return this.isRejected(args.attachment_id as number) ? refusal("Invalid attachment") : done();
    const { user_group_id, add = [], delete: remove = [] } = args as unknown as Args;
    const present = this.members(user_group_id);
    const bad = [...add.filter((id) => present.has(id)), ...remove.filter((id) => !present.has(id))];
    bad.push(...[...add, ...remove].filter((id) => this.isRejected(id)));
    if (bad.length) return refusal(`Invalid user ID: ${bad[0]}`);
    for (const id of add) present.add(id);
    for (const id of remove) present.delete(id);
    return done();
  }

  members(group: number): Set<number> {
    const found = this.groups.get(group) ?? new Set();
    this.groups.set(group, found);
    return found;
  }

  async read(operation: AnyOperation, args: Record<string, unknown>): Promise<Record<string, unknown>> {
    this.reads.push({ operation: operation.name, args });
    if (operation !== getMembers) return { subgroups: [] };
    return { members: [...this.members(args.user_group_id as number)] };
  }

  /** Runs changes, one a row, and returns their results. */
  async run(changes: readonly Change[], options: Partial<EngineOptions> = {}): Promise<ChangeResult[]> {
    const rows = changes.map((change, n) => ({ row: n + 1, changes: [change] }));
    return (await this.rows(rows, options)).map(({ results }) => results[0]!);
  }

  async rows(rows: readonly ChangeRow[], options: Partial<EngineOptions> = {}): Promise<Finished[]> {
    const { clock, signals } = this.world;
    const finished = [];
    for await (const each of new Engine(this, { clock, signals, ...options }).run(rows)) finished.push(each);
    return finished;
  }
}

export const outcomes = (results: readonly ChangeResult[]): string[] => results.map(({ outcome }) => outcome);

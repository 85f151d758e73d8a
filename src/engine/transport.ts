/** The interface that the engine sends with: one attempt at a request, and its result. */

import type { Attempts, SentChange } from "../client/sending-types.ts";
import type { Server } from "../client/server.ts";
import { Cancelled, Failure, NeedsLogin, TooOld, Unknown, Unreachable, Usage, undefinedOnFailure } from "../errors.ts";
import { CurrentValues } from "../resolve/current-values.ts";
import type { Call, Spelling } from "../wire/call.ts";
import type { AnyOperation } from "../wire/operation.ts";
import type { Change, ChangeResult } from "./change.ts";

export type Sendable = Call &
  Spelling &
  Pick<Change, "verifyWith" | "newChannel" | "from" | "judged" | "setLists" | "afterAdditions">;

export interface Transport {
  send(request: Sendable, attempts?: Attempts): Promise<ChangeResult>;
  /** Throws a `Failure` unless there is an answer. */
  read(operation: AnyOperation, args: Record<string, unknown>): Promise<Record<string, unknown>>;
  /** Receives a change that is sent next, with no outcome yet. */
  onSending?(change: SentChange): Promise<void>;
  /** Receives the result of each change that was sent. */
  onSent?(change: SentChange): void;
  /** Returns what a change will replace, for the log. Undefined if nobody keeps it, or it cannot be read. */
  previous?(change: Call, alone: boolean): Promise<Readonly<Record<string, unknown>> | undefined>;
}

function outcomeOf(failure: Failure): "refused" | "unknown" | "not_sent" {
  if (failure instanceof Unknown) return "unknown";
  if (failure instanceof TooOld) return "refused";
  if (failure instanceof Unreachable || failure instanceof Cancelled) return "not_sent";
  const { outcome } = failure.details;
  return outcome === undefined || outcome === "not_sent" ? "not_sent" : "refused";
}

/** Sends attempts. Returns failures and throws bugs. `run`: the id of the run. */
export function transport(server: Server, run?: string): Transport {
  const current = new CurrentValues(async () => server);
  return {
    async send(request, attempts) {
      const { verifyWith, command, flags, newChannel, setLists, afterAdditions } = request;
      try {
        const closed = afterAdditions ? setLists?.filter(({ isClosed }) => isClosed) : undefined;
        if (closed?.length) await (await import("./closed-lists.ts")).checkMembers(server, closed);
        const creation = newChannel === undefined ? undefined : await import("./new-channels.ts");
        const refusal = await creation?.refusalOf(server, newChannel ?? "");
        if (refusal) return { outcome: "refused", failure: refusal };
        const delivered = await server.deliver(request, { verifyWith, attempts, command, flags });
        const answer = await creation?.createdChannel(server, newChannel ?? "", delivered.answer);
        return { outcome: "done", ...delivered, answer: answer ?? delivered.answer };
      } catch (failure) {
        if (!(failure instanceof Failure)) throw failure;
        return { outcome: outcomeOf(failure), failure };
      }
    },
    read: (operation, args) => server.call(operation, args),
    onSending: (change) => server.onSending(change),
    onSent: (change) => server.onSent({ run, ...change }),
    async previous({ operation, args }, alone) {
      if (!(await server.keepsPrevious())) return undefined;
      const { before, previous } = operation;
      const read = async (stated = before) =>
        stated && (await undefinedOnFailure(current.read(operation, stated, args, { alone })))?.values;
      if (!previous) return read();
      const kept = await read(previous);
      return kept && { ...(before && (await read())), ...kept };
    },
  };
}

/** Returns whether a failure concerns all changes of the account. */
export const concernsAll = (failure: Failure): boolean =>
  failure instanceof NeedsLogin ||
  failure instanceof Unreachable ||
  failure instanceof Cancelled ||
  failure instanceof Usage;

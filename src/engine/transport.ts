/** What the engine sends with: one attempt after the other at a request, and what became of it. */

import type { Attempts, SentChange } from "../client/sending.ts";
import type { Server } from "../client/server.ts";
import { Cancelled, Failure, NeedsLogin, TooOld, Unknown, Unreachable, Usage } from "../errors.ts";
import type { Call, Spelling } from "../wire/call.ts";
import type { AnyOperation } from "../wire/operation.ts";
import type { Change, ChangeResult } from "./change.ts";

export type Sendable = Call & Spelling & Pick<Change, "verifyWith" | "newChannel" | "from">;

export interface Transport {
  send(request: Sendable, attempts?: Attempts): Promise<ChangeResult>;
  /** Throws the `Failure` that anything but an answer amounts to. */
  read(operation: AnyOperation, args: Record<string, unknown>): Promise<Record<string, unknown>>;
  /** Told what became of each change that was sent. */
  concluded?(change: SentChange): void;
}

function outcomeOf(failure: Failure): "refused" | "unknown" | "not_sent" {
  if (failure instanceof Unknown) return "unknown";
  if (failure instanceof TooOld) return "refused";
  if (failure instanceof Unreachable || failure instanceof Cancelled) return "not_sent";
  const { outcome } = failure.details;
  return outcome === undefined || outcome === "not_sent" ? "not_sent" : "refused";
}

/** A bug is thrown, a failure is not. `run` is what the run is called whose changes are sent. */
export function transport(server: Server, run?: string): Transport {
  return {
    async send(request, attempts) {
      const { verifyWith, command, flags, newChannel } = request;
      try {
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
    concluded: (change) => server.onSent({ ...change, run }),
  };
}

/** True for a failure that concerns all other changes of the account too. */
export const concernsAll = (failure: Failure): boolean =>
  failure instanceof NeedsLogin ||
  failure instanceof Unreachable ||
  failure instanceof Cancelled ||
  failure instanceof Usage;

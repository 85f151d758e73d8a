/** What the engine sends with: one attempt after the other at a request, and what became of it. */
import type { Attempts, Server } from "../client/server.ts";
import { Cancelled, Failure, NeedsLogin, TooOld, Unknown, Unreachable, Usage } from "../errors.ts";
import type { Call, Spelling } from "../wire/call.ts";
import type { AnyOperation } from "../wire/operation.ts";
import type { ChangeResult } from "./change.ts";

export interface Sendable extends Call, Spelling {
  /** The command that shows whether it happened. */
  verifyWith: string;
}

export interface Transport {
  send(request: Sendable, attempts?: Attempts): Promise<ChangeResult>;
  /** Throws the `Failure` that anything but an answer amounts to. */
  read(operation: AnyOperation, args: Record<string, unknown>): Promise<Record<string, unknown>>;
}

function outcomeOf(failure: Failure): "refused" | "unknown" | "not_sent" {
  if (failure instanceof Unknown) return "unknown";
  if (failure instanceof TooOld) return "refused";
  if (failure instanceof Unreachable || failure instanceof Cancelled) return "not_sent";
  const { outcome } = failure.details;
  return outcome === undefined || outcome === "not_sent" ? "not_sent" : "refused";
}

/** A bug is thrown, a failure is not. */
export const transport = (server: Server): Transport => ({
  async send(request, attempts) {
    const { verifyWith, command, flags } = request;
    try {
      return { outcome: "done", ...(await server.deliver(request, { verifyWith, attempts, command, flags })) };
    } catch (failure) {
      if (!(failure instanceof Failure)) throw failure;
      return { outcome: outcomeOf(failure), failure };
    }
  },
  read: (operation, args) => server.call(operation, args),
});

/** True for a failure that concerns all other changes of the account too. */
export const concernsAll = (failure: Failure): boolean =>
  failure instanceof NeedsLogin ||
  failure instanceof Unreachable ||
  failure instanceof Cancelled ||
  failure instanceof Usage;

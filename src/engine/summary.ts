/** What several deliveries amount to together. */
import { Cancelled, errorRecord, type Failure, Partial, Refused, Unknown } from "../errors.ts";
import type { Change, Delivery } from "./change.ts";
import { stopsAll } from "./deliver.ts";

/** A record of the result, as the contract shapes it. */
export function record({ operation, target }: Change, delivery: Delivery): Record<string, unknown> {
  const base = { operation: operation.name, target, outcome: delivery.outcome };
  if (delivery.outcome !== "done") return { ...base, error: errorRecord(delivery.failure) };
  return { ...base, answer: delivery.answer, ...(delivery.ignored.length && { ignored: delivery.ignored }) };
}

/** The failure that the run ends with; undefined where everything was done. Ignored parameters are judged by the caller. */
export function overall(changes: readonly Change[], deliveries: readonly Delivery[]): Failure | undefined {
  const failed = deliveries.flatMap((delivery, n) =>
    delivery.outcome === "done" ? [] : [{ ...delivery, target: changes[n]!.target }],
  );
  if (!failed.length) return undefined;
  const named = failed.map(
    ({ target, failure, outcome }) => `${target}: ${outcome === "not_sent" ? "not sent" : failure.message}`,
  );
  const count = `${failed.length} of ${changes.length} not done: ${named.join("; ")}`;
  const unknown = failed.find(({ outcome }) => outcome === "unknown");
  if (unknown) return new Unknown(count, { hint: unknown.failure.details.hint, outcome: "unknown" });
  const cancelled = failed.find(({ failure }) => failure instanceof Cancelled);
  if (cancelled) return cancelled.failure;
  if (failed.length < changes.length) return new Partial(count);
  const stopper = failed.find((delivery) => stopsAll(delivery));
  return stopper ? stopper.failure : new Refused(count, { outcome: "not_applied" });
}

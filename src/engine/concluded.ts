/** What the log says of a change. */
import type { Concluded } from "../client/concluded.ts";
import { type Change, type ChangeResult, createdBy } from "./change.ts";

/** Undefined for what was not sent. */
export function concludedOf(change: Change, result: ChangeResult): Concluded | undefined {
  const { operation, args, target, before } = change;
  const failure = "failure" in result ? result.failure : undefined;
  if (result.outcome === "not_sent" || failure?.details.outcome === "not_sent") return undefined;
  if (result.outcome === "done" && result.unchanged) return undefined;
  const secret = (name: string) => operation.params[name]?.secret === true;
  const secrets: string[] = [];
  for (const name in args) if (secret(name)) secrets.push(String(args[name]));
  const ids = result.outcome === "done" ? createdBy(change, result.answer) : [];
  return {
    operation: operation.name,
    target,
    thing: operation.target?.(args),
    outcome: result.outcome,
    ...(failure && { error: { message: failure.message, code: failure.details.code } }),
    ...(ids.length && { ids }),
    ...(before && { before: Object.fromEntries(Object.entries(before).filter(([name]) => !secret(name))) }),
    secrets,
  };
}

/** Makes the log entry of a change. */
import type { SentChange } from "../client/sending.ts";
import { argumentsOf } from "../wire/call.ts";
import type { Membership } from "../wire/operation.ts";
import { type Change, type ChangeResult, createdBy } from "./change.ts";

const membersOf = (memberships: readonly Membership[], way: "added" | "removed") =>
  memberships.flatMap(({ kind, [way]: ids }) => ids.map((id) => ({ kind, id })));

/** Undefined for a change that was not sent. */
export function sentChangeOf(change: Change, result: ChangeResult): SentChange | undefined {
  const { operation, args, target, before } = change;
  const failure = "failure" in result ? result.failure : undefined;
  if (result.outcome === "not_sent" || failure?.details.outcome === "not_sent") return undefined;
  if (result.outcome === "done" && result.unchanged) return undefined;
  const secret = (name: string) => operation.params[name]?.secret === true;
  const secrets: string[] = [];
  for (const name in args) if (secret(name)) secrets.push(String(args[name]));
  const memberships = operation.memberships?.(args) ?? [];
  // An unknown endpoint may receive secrets.
  const set =
    memberships.length || operation.generic
      ? []
      : argumentsOf(change)
          .filter(
            ([name, { secret, encoding }]) => !secret && encoding !== "aside" && !operation.path.includes(`{${name}}`),
          )
          .map(([name, { of }, value]) => ({ name, of, value }));
  const [added, removed] = [membersOf(memberships, "added"), membersOf(memberships, "removed")];
  const ids = result.outcome === "done" ? createdBy(change, result.answer) : [];
  return {
    operation: operation.name,
    target,
    thing: operation.target?.(args),
    outcome: result.outcome,
    ...(failure && { error: { message: failure.message, code: failure.details.code } }),
    ...(ids.length && { ids }),
    ...(before && { before: Object.fromEntries(Object.entries(before).filter(([name]) => !secret(name))) }),
    ...(set.length && { set }),
    ...(added.length && { added }),
    ...(removed.length && { removed }),
    secrets,
  };
}

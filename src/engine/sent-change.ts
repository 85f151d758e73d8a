/** Makes the log entry of a change. */
import type { SentChange } from "../client/sending-types.ts";
import { type Fields, membersOf as fieldsOf } from "../common/object-members.ts";
import type { Outcome } from "../errors.ts";
import { argumentsOf, fieldOf } from "../wire/call.ts";
import type { AnyOperation, Membership } from "../wire/operation.ts";
import { appliedResult, asStatedOperation, type Change, type ChangeResult, createdBy } from "./change.ts";
import { valuesAfter } from "./previous.ts";

const membersOf = (memberships: readonly Membership[], way: "added" | "removed") =>
  memberships.flatMap(({ kind, [way]: ids }) => ids.map((id) => ({ kind, id })));

const without = (values: Fields, isLeftOut: (name: string, value: unknown) => boolean): Fields =>
  Object.fromEntries(Object.entries(values).filter(([name, value]) => !isLeftOut(name, value)));

/** Returns the arguments that identify the thing, and the values that were set: of lists only what was changed. */
function atAndTo({ operation, args }: Change, result: ChangeResult): Pick<SentChange, "at" | "to"> {
  if (operation.generic) return {};
  const { params, path, memberships } = operation;
  const isPlace = (name: string) => path.includes(`{${name}}`) || params[name]?.encoding === "unsent";
  const isHidden = (name: string) => params[name]?.secret === true || params[name]?.encoding === "file";
  const at = without(args, (name, value) => !isPlace(name) || value === undefined);
  const answer = result.outcome === "done" ? result.answer : {};
  // A read that found the members as wanted does not tell whether the request changed them.
  const isTold = !memberships?.(args).length || result !== appliedResult;
  const effective = !isTold ? undefined : memberships && operation.effective ? operation.effective(args, answer) : args;
  const to =
    effective && without(valuesAfter({ operation, args: effective }), (name) => isPlace(name) || isHidden(name));
  return {
    ...(Object.keys(at).length && { at }),
    ...(to && (Object.keys(to).length || (result.outcome === "done" && result.ignored.length)) && { to }),
  };
}

/** A refusal may say that a part was applied, or that this is unknown. */
function outcomeOf({ outcome }: ChangeResult, refusal: Outcome | undefined): SentChange["outcome"] | "not_sent" {
  if (refusal === "not_sent") return refusal;
  return refusal === "maybe_partial" || refusal === "unknown" ? refusal : outcome;
}

/** Returns the change as the server made it. */
export const withoutIgnored = (change: Change, ignored: readonly string[]): Change =>
  ignored.length
    ? {
        ...change,
        args: without(
          change.args,
          (name) => ignored.includes(name) && change.operation.params[name]?.optional === true,
        ),
      }
    : change;

/** Returns the member of an answer that has the id of what a raw request made. */
const idMemberOf = ({ result }: AnyOperation): string | undefined =>
  Object.keys(fieldsOf(fieldsOf(result).entries)).find((name) => /^(\w+_)?ids?$/.test(name));

function newIdsOf({ operation, args }: Change, answer: Fields): Pick<SentChange, "newIds"> {
  const { newIds } = operation;
  return newIds ? { newIds: { list: newIds.list, in: (list) => newIds.ids(list, args, answer) } } : {};
}

/** Undefined for a change that was not sent. `previous`: what it replaced. */
export function sentChangeOf(sent: Change, result: ChangeResult, previous?: Fields): SentChange | undefined {
  const ignored = result.outcome === "done" ? result.ignored : [];
  const change = withoutIgnored(asStatedOperation(sent), ignored);
  const { operation, args, target } = change;
  const before = change.before ?? (operation.previous ? undefined : previous);
  const failure = "failure" in result ? result.failure : undefined;
  const outcome = outcomeOf(result, failure?.details.outcome);
  if (outcome === "not_sent") return undefined;
  if (result.outcome === "done" && result.unchanged) return undefined;
  const secret = (name: string) => operation.params[name]?.secret === true;
  const secrets: string[] = [];
  for (const name in sent.args) if (secret(name)) secrets.push(String(sent.args[name]));
  const memberships = operation.memberships?.(args) ?? [];
  // An unknown endpoint may receive secrets.
  const set =
    memberships.length || operation.generic
      ? []
      : argumentsOf(change)
          .filter(
            ([name, { secret, encoding }]) => !secret && encoding !== "unsent" && !operation.path.includes(`{${name}}`),
          )
          .map(([name, , value]) => ({ ...fieldOf(operation, name, value), value }));
  const [added, removed] = [membersOf(memberships, "added"), membersOf(memberships, "removed")];
  const isRaw = operation !== sent.operation;
  const idsOf = ({ answer }: { readonly answer: Fields }) =>
    createdBy(isRaw ? { ...change, ids: idMemberOf(operation) } : change, answer);
  const ids = result.outcome === "done" ? idsOf(result) : [];
  return {
    operation: sent.operation.name,
    ...(isRaw && { stated: operation.name }),
    target,
    thing: operation.target?.(args),
    outcome,
    ...(failure && { error: { message: failure.message, code: failure.details.code } }),
    ...(ids.length && { ids }),
    ...(result.outcome === "done" && newIdsOf(change, result.answer)),
    ...(before && { before: Object.fromEntries(Object.entries(before).filter(([name]) => !secret(name))) }),
    ...atAndTo(change, result),
    ...(previous && { from: without(previous, (name) => secret(name) || ignored.includes(name)) }),
    ...(ignored.length && { ignored }),
    ...(change.confirm && { asks: true }),
    ...(set.length && { set }),
    ...(added.length && { added }),
    ...(removed.length && { removed }),
    secrets,
  };
}

/** Converts failures to the `error` member of stderr, results and journals, and back. */
import {
  Cancelled,
  Conflict,
  type Details,
  type Failure,
  NeedsLogin,
  Partial,
  Refused,
  TooOld,
  Unknown,
  Unreachable,
} from "../errors.ts";
import { valueNamed } from "./object-members.ts";

/** The members of every failure. `more` adds others. */
export const errorMembers: readonly string[] = [
  "exit_code",
  "kind",
  "message",
  "code",
  "http_status",
  "request",
  "outcome",
  "hint",
];

export function errorRecord(
  failure: Pick<Failure, "message" | "exitCode" | "kind" | "details">,
): Record<string, unknown> {
  const { message, exitCode, kind, details } = failure;
  const { code, httpStatus, request, outcome, hint, more } = details;
  return { exit_code: exitCode, kind, message, code, http_status: httpStatus, request, outcome, ...more, hint };
}

const kinds = { refused: Refused, login: NeedsLogin, unreachable: Unreachable, partial: Partial, conflict: Conflict };

/** Returns the failure of a record of `errorRecord`. */
export function failureFromRecord(record: Record<string, unknown>): Failure {
  const { exit_code: _, kind, message, code, http_status: httpStatus, request, outcome, hint, ...more } = record;
  const details = { code, httpStatus, request, outcome, hint, more } as Details;
  const text = String(message);
  if (kind === "unknown") return new Unknown(text, details);
  if (kind === "cancelled") return new Cancelled(text, "SIGINT", details);
  if (kind === "refused" && more.needs !== undefined) return new TooOld(text, details);
  return new (valueNamed(kinds, kind) ?? Refused)(text, details);
}

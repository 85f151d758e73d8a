/** From a verdict to what a person is told and the exit code: by status and `code`, never by words. */
import {
  Cancelled,
  Conflict,
  type Details,
  type Failure,
  NeedsLogin,
  type Outcome,
  Refused,
  Unknown,
  Unreachable,
} from "../errors.ts";
import type { AnyOperation } from "../wire/operation.ts";
import type { Verdict } from "./verdict.ts";

/** A call that alters the server. Fetching a key is a POST that alters nothing. */
export const alters = ({ method, anonymous }: AnyOperation): boolean => method !== "GET" && !anonymous;

export interface Asked {
  operation: AnyOperation;
  host: string;
  /** `/api/v1/streams/7`, without the query. */
  path: string;
  /** Names of the parameters in the body, in the order of the request. */
  parameters: string[];
  /** The command that shows whether a change happened. */
  check?: string;
}

type Failed = Exclude<Verdict, { kind: "success" }>;

function outcomeOf({ operation, parameters }: Asked, verdict: Failed): Outcome {
  if (verdict.kind === "none") return verdict.failure.left ? "unknown" : "not_sent";
  // A 2xx that is not the server's JSON may hide a change that was made.
  if (verdict.status >= 500 || (verdict.kind === "foreign" && verdict.status < 300)) return "unknown";
  const partly =
    operation.piecemeal &&
    parameters.length > 1 &&
    verdict.kind === "error" &&
    (verdict.status === 400 || verdict.status === 409) &&
    verdict.code !== "REQUEST_VARIABLE_MISSING";
  return partly ? "maybe_partial" : "not_applied";
}

const inWords = (seconds: number) => `${seconds < 10 ? Math.ceil(seconds * 10) / 10 : Math.ceil(seconds)} seconds`;
const maybe = "the change may or may not have happened";

/** The failure that a verdict other than success amounts to. */
export function failure(asked: Asked, verdict: Failed): Failure {
  const { operation, host, path, parameters } = asked;
  const outcome = alters(operation) ? outcomeOf(asked, verdict) : undefined;
  const find = asked.check ? `Find out with: ${asked.check}` : "Look at the server before you try again.";
  const base: Details = { request: { method: operation.method, path }, outcome };

  if (verdict.kind === "none") {
    const { message, why } = verdict.failure;
    const said = `no answer from ${host}: ${message}`;
    const details = { ...base, cause: verdict.failure };
    if (outcome === "unknown") return new Unknown(`${said}; ${maybe}`, { ...details, hint: find });
    if (why === "stopped") return new Cancelled("interrupted", "SIGINT", details);
    const sent = outcome === "not_sent" ? "; nothing was sent" : "";
    return new Unreachable(said + sent, details);
  }

  const { status } = verdict;
  const said = verdict.kind === "error" ? `“${verdict.msg}”` : verdict.what;
  const code = verdict.kind === "error" ? verdict.code : undefined;
  const details: Details = { ...base, httpStatus: status, code };
  if (status === 429) {
    const wait = verdict.retryAfter;
    return new Unreachable(
      `${host} accepts no more requests for now (429 ${said})${wait === undefined ? "" : `; it says to wait ${inWords(wait)}`}`,
      { ...details, hint: "Try later, or wait longer with --max-wait.", more: { retry_after: wait } },
    );
  }
  if (verdict.kind === "foreign" || status >= 500) {
    const answered = `${host} answered ${status} with ${said}`;
    if (outcome === "unknown") return new Unknown(`${answered}; ${maybe}`, { ...details, hint: find });
    const hint =
      status >= 500
        ? "Try again later."
        : status >= 300 && status < 400
          ? "Redirects are not followed: check the site's address."
          : "This is no answer of the server's own: is a proxy or a log-in page in front of it?";
    return new Unreachable(answered, { ...details, hint });
  }
  if (status === 401) {
    const hint = operation.anonymous ? undefined : "See which account was used with: zulipctl auth status";
    return new NeedsLogin(verdict.msg, { ...details, hint, more: verdict.fields });
  }
  const partly =
    outcome === "maybe_partial"
      ? {
          hint: `Such a request is applied step by step: some of ${parameters.join(", ")} may be in force already. ${find}`,
          more: { ...verdict.fields, parameters },
        }
      : { more: verdict.fields };
  const Kind = code === "EXPECTATION_MISMATCH" ? Conflict : Refused;
  return new Kind(verdict.msg, { ...details, ...partly });
}

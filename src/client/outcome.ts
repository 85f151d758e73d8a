/** Turns a verdict into a failure with its message and exit code, by status and `code`, never by words. */
import { errorMembers } from "../common/error-record.ts";
import { isLoopback } from "../common/loopback.ts";
import { truncate } from "../common/truncate.ts";
import {
  Cancelled,
  Conflict,
  type Details,
  type Failure,
  NeedsLogin,
  type Outcome,
  Partial,
  Refused,
  signalOf,
  Unknown,
  Unreachable,
} from "../errors.ts";
import { type AnyOperation, isChange } from "../wire/operation.ts";
import type { Failed, Verdict } from "./verdict.ts";

export interface RequestInfo {
  operation: AnyOperation;
  host: string;
  /** The path without the query: `/api/v1/streams/7`. */
  path: string;
  /** Names of the parameters, in the order of the request. */
  parameters: string[];
  /** The command that shows whether a change happened. */
  verifyWith?: string;
}

/** Returns whether a refusal says that other parts were done. */
const othersDone = ({ several }: AnyOperation, verdict: Failed): boolean =>
  verdict.kind === "error" && (several?.readRefusal(verdict)?.othersDone ?? false);

/** Returns what is known about the change. Undefined for a read. */
export function outcomeOf({ operation, parameters }: RequestInfo, verdict: Verdict): Outcome | undefined {
  if (!isChange(operation) || verdict.kind === "success") return undefined;
  if (verdict.kind === "none") return verdict.failure.maybeSent ? "unknown" : "not_sent";
  // A 2xx status without the server's JSON can hide a change.
  if (verdict.status >= 500 || (verdict.kind === "foreign" && verdict.status < 300)) return "unknown";
  if (othersDone(operation, verdict)) return "maybe_partial";
  const isPartial =
    operation.applyOrder &&
    parameters.length > 1 &&
    verdict.kind === "error" &&
    (verdict.status === 400 || verdict.status === 409) &&
    verdict.code !== "REQUEST_VARIABLE_MISSING";
  return isPartial ? "maybe_partial" : "not_applied";
}

/** Members of our own errors. The server's members must not replace them. */
const ownMembers = [...errorMembers, "problems", "stack"];

const serverMembers = (fields: Record<string, unknown>): Record<string, unknown> =>
  Object.fromEntries(Object.entries(fields).filter(([name]) => !ownMembers.includes(name)));

const shortened = (msg: string): string => truncate(msg, 2000);

const formatSeconds = (seconds: number) =>
  `${seconds < 10 ? Math.ceil(seconds * 10) / 10 : Math.ceil(seconds)} seconds`;
const unknownNote = "the change may or may not have been applied";

/** Returns the failure of a verdict that is no success. `stopped`: why the run ends, if it does. */
export function failure(info: RequestInfo, verdict: Failed, stopped?: unknown): Failure {
  const { operation, host, path } = info;
  const outcome = outcomeOf(info, verdict);
  const checkHint = info.verifyWith ? `Check with: ${info.verifyWith}` : "Check the server before you try again.";
  const base: Details = { request: { method: operation.method, path }, outcome };

  if (verdict.kind === "none") {
    const { message, why, hint: reasonHint } = verdict.failure;
    const said = `no answer from ${host}: ${message}`;
    const details = { ...base, cause: verdict.failure };
    if (outcome === "unknown") return new Unknown(`${said}; ${unknownNote}`, { ...details, hint: checkHint });
    if (why === "stopped") return new Cancelled("interrupted", signalOf(stopped), details);
    const hint = reasonHint ?? (why === "tls" ? certificateHint(host) : undefined);
    return new Unreachable(outcome === "not_sent" ? `${said}; nothing was sent` : said, { ...details, hint });
  }

  const { status } = verdict;
  const said = verdict.kind === "error" ? `"${shortened(verdict.msg)}"` : verdict.what;
  const code = verdict.kind === "error" ? verdict.code : undefined;
  const details: Details = { ...base, httpStatus: status, code };
  if (status === 429) {
    const wait = verdict.retryAfter;
    return new Unreachable(
      `${host} refuses more requests for now (429 ${said})${wait === undefined ? "" : `; it asks to wait ${formatSeconds(wait)}`}`,
      { ...details, hint: "Try again later, or wait longer with --max-wait.", more: { retry_after: wait } },
    );
  }
  if (verdict.kind === "foreign" || status >= 500) {
    const answered = `${host} answered ${status} with ${said}`;
    if (outcome === "unknown") return new Unknown(`${answered}; ${unknownNote}`, { ...details, hint: checkHint });
    return new Unreachable(answered, { ...details, hint: answerHint(operation, status) });
  }
  const msg = shortened(verdict.msg);
  const more = serverMembers(verdict.fields);
  if (status === 401) {
    const hint = operation.anonymous ? undefined : "Check the account with: zulipctl auth status";
    return new NeedsLogin(msg, { ...details, hint, more });
  }
  if (othersDone(operation, verdict)) return new Partial(msg, { ...details, hint: checkHint, more });
  const Kind = code === "EXPECTATION_MISMATCH" ? Conflict : Refused;
  if (outcome !== "maybe_partial") {
    const why = operation.describeRefusal?.(more, (kind, id) => `${kind} ${id}`);
    const hint = operation.generic && status === 405 ? otherMethod(operation) : undefined;
    return new Kind(why === undefined ? msg : `${msg} ${why}`, { ...details, hint, more });
  }
  const parameters = inApplyOrder(info);
  const sentence = /[.!?…]$/.test(msg) ? msg : `${msg}.`;
  const parts =
    operation.applyOrder === "unknown"
      ? "Parts of the change may have been applied, in an unknown order"
      : "Earlier parts may have been applied, in this order";
  return new Kind(`${sentence} ${parts}: ${parameters.join(", ")}`, {
    ...details,
    hint: checkHint,
    more: { ...more, parameters },
  });
}

/** Returns a hint for connections that cannot be trusted. */
function certificateHint(host: string): string {
  const authority = "Trust a private certificate authority with --ca-file <file>.";
  const local = isLoopback(new URL(`https://${host}`).hostname);
  return local ? `If the server does not use TLS, its URL is http://${host}. ${authority}` : authority;
}

/** Names the parameters in the order in which the server applies them. */
const inApplyOrder = ({ operation: { applyOrder = [] }, parameters }: RequestInfo): string[] => {
  if (applyOrder === "unknown") return parameters;
  const position = (name: string) => (applyOrder.includes(name) ? applyOrder.indexOf(name) : applyOrder.length);
  return parameters.toSorted((a, b) => position(a) - position(b));
};

const otherMethod = ({ method }: AnyOperation): string =>
  `This endpoint does not support ${method}: type another method before the path.`;

function answerHint({ generic }: AnyOperation, status: number): string {
  if (generic && status === 404) return "The endpoint may not exist: check the method and the path.";
  if (status >= 500) return "Try again later.";
  if (status >= 300 && status < 400) return "zulipctl does not follow redirects: check the URL of the site.";
  return "This answer is not from a Zulip server. Is a proxy or a login page in front of it?";
}

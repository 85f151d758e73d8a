/** Classifies an answer by status and envelope, whatever its content type is. */
import { type Fields, isMapping } from "../common/object-members.ts";
import { truncate } from "../common/truncate.ts";
import { fits } from "../wire/fits.ts";
import { isTooDeep, parseJson, TooLarge } from "../wire/json.ts";
import { type AnyOperation, canQuoteRequest } from "../wire/operation.ts";
import { typeError } from "../wire/types.ts";
import type { HttpResponse, NoAnswer } from "../world/world.ts";
import type { Redactor } from "./redactor.ts";

export type Verdict =
  | { kind: "success"; answer: Record<string, unknown>; ignored: string[] }
  /** A refusal of the server. Without `code` below level 76, and for 405 and 500. */
  | { kind: "error"; status: number; msg: string; code?: string; fields: Record<string, unknown>; retryAfter?: number }
  /** Not this API's JSON: a proxy's page, an empty body, another form. */
  | { kind: "foreign"; status: number; what: string; retryAfter?: number }
  | { kind: "none"; failure: NoAnswer };

export type Failed = Exclude<Verdict, { kind: "success" }>;

/** Seconds, with fractions. Proxies may send a date. */
function seconds(value: unknown, now: number): number | undefined {
  if (typeof value === "number") return value >= 0 && value < Number.POSITIVE_INFINITY ? value : undefined;
  if (typeof value !== "string") return undefined;
  if (/^\s*\d+(\.\d*)?\s*$/.test(value)) return Number(value);
  const date = /^[A-Z][a-z]{2}, /.test(value) ? Date.parse(value) : Number.NaN;
  return Number.isNaN(date) ? undefined : Math.max(0, (date - now) / 1000);
}

/** Returns the first line of a page without tags, for an error message. */
function pageSummary(text: string): string {
  const head = text.slice(0, 20_000);
  const title = /<title[^>]*>([^<]*)/i.exec(head)?.[1];
  const line = (title ?? head.replace(/<(script|style)\b[\s\S]*?(<\/\1>|$)/gi, " ").replace(/<[^>]*>?/g, " "))
    .replace(/\s+/g, " ")
    .trim();
  return truncate(line, 80);
}

/** Returns whether a body is binary, such as a compressed answer. */
const binary = /[\0-\x08\x0E-\x1A\x1C-\x1F]/;

/** The message for an answer that is too large. */
export const tooLarge = "an answer that is too large";

interface Received {
  response: Pick<HttpResponse, "status" | "headers">;
  /** The body, as far as it was read. Undefined if it is too large. */
  text: string | undefined;
  /** It broke off. */
  isCut: boolean;
  /** Milliseconds since the epoch. */
  now: number;
  redactor: Redactor;
}

const foreignAnswer = ({ response: { status, headers }, now }: Received, what: string): Failed => ({
  kind: "foreign",
  status,
  what,
  retryAfter: seconds(headers["retry-after"], now),
});

/** Returns the JSON object of a body, or why there is none. */
function jsonIn(received: Received): { json: Fields } | { failed: Failed } {
  const { response, text, isCut, redactor } = received;
  const { status } = response;
  const foreign = (what: string) => ({ failed: foreignAnswer(received, what) });
  const { location } = response.headers;
  if (status >= 300 && status < 400)
    return foreign(location ? `a redirect to ${redactor.text(location).slice(0, 200)}` : "a redirect");
  if (text === undefined) return foreign(tooLarge);
  let json: unknown;
  try {
    json = parseJson(text);
  } catch (error) {
    if (error instanceof TooLarge) return foreign(tooLarge);
  }
  if (!isMapping(json)) {
    if (isCut) return foreign("an answer that ends too early");
    if (text.trim() === "") return foreign("an empty answer");
    if (/^\s*\{/.test(text)) return foreign("JSON that is broken or cut short");
    if (binary.test(text.slice(0, 1000))) return foreign("something that is not text");
    const summary = pageSummary(redactor.text(text));
    return foreign(summary ? `"${summary}"` : "a page without text");
  }
  if (isTooDeep(json)) return foreign("JSON that is nested too deeply");
  return { json };
}

function failureIn(received: Received, { result, msg, code, ...rest }: Fields): Failed {
  if (result !== "error" || typeof msg !== "string") return foreignAnswer(received, "JSON that is not this API's");
  const { response, now, redactor } = received;
  const { status, headers } = response;
  const fields = redactor.record(rest);
  return {
    kind: "error",
    status,
    msg: redactor.text(msg),
    code: typeof code === "string" ? code : undefined,
    fields,
    retryAfter: seconds(fields["retry-after"], now) ?? seconds(headers["retry-after"], now),
  };
}

/** Classifies an answer whose status says that it is no success. */
export function classifyFailure(received: Received): Failed {
  const read = jsonIn(received);
  return "failed" in read ? read.failed : failureIn(received, read.json);
}

export function classify(operation: AnyOperation, received: Received): Verdict {
  const read = jsonIn(received);
  if ("failed" in read) return read.failed;
  const { redactor } = received;
  const { result, msg: _, code: __, ignored_parameters_unsupported: ignored, ...answer } = read.json;
  if (result !== "success" || received.response.status >= 300) return failureIn(received, read.json);
  const shapeError = fits(operation.result)(answer) ? undefined : typeError(operation.result, answer);
  if (shapeError) return foreignAnswer(received, `an answer of another shape (${shapeError})`);
  return {
    kind: "success",
    // Records of a read are data. Notes about a change belong to its request.
    answer: canQuoteRequest(operation) ? redactor.record(answer) : answer,
    ignored: Array.isArray(ignored)
      ? ignored.filter((name) => typeof name === "string").map((name) => redactor.text(name))
      : [],
  };
}

/** The largest number of characters shown of an answer. */
const maxShown = 500;

/** Returns the beginning of an answer, without the key that some contain. */
function brief(answer: Record<string, unknown>): string {
  const text = JSON.stringify(answer, (name, value) => (name === "api_key" ? "[secret]" : value));
  return truncate(text, maxShown);
}

/** For `--verbose`. */
export function verdictText(verdict: Verdict): string {
  if (verdict.kind === "none") return verdict.failure.message;
  if (verdict.kind === "success") return `200 ${brief(verdict.answer)}`;
  return `${verdict.status} ${verdict.kind === "error" ? `${verdict.code ?? ""} ${verdict.msg}` : verdict.what}`;
}

/** What an answer says, decided by status and envelope, whatever its content type claims. */
import type { AnyOperation } from "../wire/operation.ts";
import { departure } from "../wire/types.ts";
import type { HttpResponse, NoAnswer } from "../world.ts";

export type Verdict =
  | { kind: "success"; answer: Record<string, unknown>; ignored: string[] }
  /** The server refused, in its own words. `code` is absent below level 76 and on 405 and 500. */
  | { kind: "error"; status: number; msg: string; code?: string; fields: Record<string, unknown>; retryAfter?: number }
  /** Not this API's JSON: a proxy's page, an empty body, another shape. */
  | { kind: "foreign"; status: number; what: string; retryAfter?: number }
  | { kind: "none"; failure: NoAnswer };

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

const seconds = (value: unknown): number | undefined => {
  const number = typeof value === "string" && value.trim() !== "" ? Number(value) : value;
  return typeof number === "number" && Number.isFinite(number) && number >= 0 ? number : undefined;
};

/** The first line of text of a page, without its tags, for an error message. */
function gist(text: string): string {
  const head = text.slice(0, 20_000);
  const title = /<title[^>]*>([^<]*)/i.exec(head)?.[1];
  const line = (title ?? head.replace(/<(script|style)\b[\s\S]*?(<\/\1>|$)/gi, " ").replace(/<[^>]*>?/g, " "))
    .replace(/\s+/g, " ")
    .trim();
  return line.length > 80 ? `${line.slice(0, 79)}…` : line;
}

const parse = (body: string): unknown => {
  try {
    return JSON.parse(body);
  } catch {
    return undefined;
  }
};

/** Judges a whole answer. */
export function judge(operation: AnyOperation, { status, headers }: Omit<HttpResponse, "body">, body: string): Verdict {
  const retryAfter = seconds(headers["retry-after"]);
  const foreign = (what: string): Verdict => ({ kind: "foreign", status, what, retryAfter });
  const { location } = headers;
  if (status >= 300 && status < 400)
    return foreign(location ? `a redirect to ${location.slice(0, 200)}` : "a redirect");
  const json = parse(body);
  if (!isObject(json)) {
    if (body.trim() === "") return foreign("an empty answer");
    const said = gist(body);
    return foreign(said ? `“${said}”` : "a page without text");
  }
  const { result, msg, code, ...rest } = json;
  if (result === "error" && typeof msg === "string")
    return {
      kind: "error",
      status,
      msg,
      code: typeof code === "string" ? code : undefined,
      fields: rest,
      retryAfter: seconds(rest["retry-after"]) ?? retryAfter,
    };
  if (result !== "success" || status < 200 || status >= 300) return foreign("JSON that is not this API's");
  const { ignored_parameters_unsupported: ignored, ...answer } = rest;
  const wrong = departure(operation.result, answer);
  if (wrong) return foreign(`an answer of another shape (${wrong})`);
  return {
    kind: "success",
    answer,
    ignored: Array.isArray(ignored) ? ignored.filter((name) => typeof name === "string") : [],
  };
}

/** Answers of the server before they are encoded. */
import type { HttpResponse } from "../world/world.ts";

/** Ends a request with this answer: handlers and checks throw it. What was done before stays done. */
export class RefusedRequest extends Error {
  constructor(readonly answer: Answer) {
    super(answer.text);
  }
}

/** A refusal with the server's message. */
export class ApiError extends RefusedRequest {
  constructor(
    status: number,
    code: string,
    msg: string,
    /** Further members of the error object. */
    readonly fields: Record<string, unknown> = {},
    readonly headers: Record<string, string> = {},
  ) {
    super({ status, headers: { ...jsonHeaders, ...headers }, text: asJson({ result: "error", msg, ...fields, code }) });
  }
}

/** The most common refusal: 400 with `BAD_REQUEST`. */
export const badRequest = (msg: string, fields?: Record<string, unknown>): ApiError =>
  new ApiError(400, "BAD_REQUEST", msg, fields);

/** Returns the value, or throws a refusal if there is none. */
export function requireFound<T>(found: T | undefined, msg: string): T {
  if (found === undefined) throw badRequest(msg);
  return found;
}

export const roleRequired = (role: "administrator" | "owner"): ApiError =>
  new ApiError(400, "UNAUTHORIZED_PRINCIPAL", `Must be an organization ${role}`);

/** The server breaks: 500 without a code. */
export class InternalError extends RefusedRequest {
  constructor() {
    super({ status: 500, headers: jsonHeaders, text: asJson({ result: "error", msg: "Internal server error" }) });
  }
}

export class PageError extends RefusedRequest {
  constructor(status: number, title: string) {
    super(htmlPage(status, title));
  }
}

export interface Answer {
  status: number;
  /** Names in lower case. */
  headers: Record<string, string>;
  text: string;
  /** Sent instead of the text, and produced while it is sent. */
  file?: { size: number; bytes(): Iterable<Uint8Array> };
}

const commonHeaders = {
  "content-language": "en",
  vary: "Accept-Language, Cookie",
  "access-control-allow-origin": "*",
  "access-control-allow-methods": "GET, POST, DELETE, PUT, PATCH, HEAD",
  "access-control-allow-headers": "Authorization",
};
const jsonHeaders = { ...commonHeaders, "content-type": "application/json" };
const htmlHeaders = { ...commonHeaders, "content-type": "text/html; charset=utf-8" };
export const noCache = { "cache-control": "max-age=0, no-cache, no-store, must-revalidate, private" };

function asJson(value: unknown): string {
  try {
    return `${JSON.stringify(value)}\n`;
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    // JSON.stringify refuses ids beyond 2^53, which are bigint. Only refusals quote them.
    // Checking every value of every answer would take five times as long.
    return `${JSON.stringify(value, (_, each) => (typeof each === "bigint" ? Number(each) : each))}\n`;
  }
}

/** Answers to callers with credentials must not be cached. */
export const success = (fields: object, own: boolean): Answer => ({
  status: 200,
  headers: own ? { ...jsonHeaders, ...noCache } : jsonHeaders,
  text: asJson({ result: "success", msg: "", ...fields }),
});

export const htmlPage = (status: number, title: string): Answer => ({
  status,
  headers: htmlHeaders,
  text: `<!DOCTYPE html>\n<html lang="en"><head><title>${title} | Zulip</title></head><body><h1>${title}</h1></body></html>\n`,
});

export const proxyPage = (status: number, title: string): Answer => ({
  status,
  headers: { "content-type": "text/html" },
  text: `<html>\r\n<head><title>${status} ${title}</title></head>\r\n<body>\r\n<center><h1>${status} ${title}</h1></center>\r\n<hr><center>nginx</center>\r\n</body>\r\n</html>\r\n`,
});

/** JSON that calls itself HTML, without a code. */
export const methodNotAllowed = (allowed: readonly string[], msg = "Method Not Allowed"): Answer => ({
  status: 405,
  headers: { ...htmlHeaders, ...noCache, allow: allowed.join(", ") },
  text: JSON.stringify({ result: "error", msg, allowed_methods: allowed }),
});

export const emptyAnswer = (status: number, headers: Record<string, string>): Answer => ({
  status,
  headers: { ...htmlHeaders, ...headers },
  text: "",
});

async function* nonEmptyChunks(bytes: Iterable<Uint8Array>): AsyncIterable<Uint8Array> {
  for (const part of bytes) if (part.length > 0) yield part;
}

export function respond({ status, headers, text, file }: Answer): HttpResponse {
  if (file)
    return { status, headers: { "content-length": String(file.size), ...headers }, body: nonEmptyChunks(file.bytes()) };
  const bytes = new TextEncoder().encode(text);
  const complete = { "content-length": String(bytes.length), ...headers };
  return { status, headers: status === 204 ? headers : complete, body: nonEmptyChunks([bytes]) };
}

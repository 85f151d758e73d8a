/** What parameters a request carries, and where. */
import { type Answer, broken, page } from "./answers.ts";
import type { Upload } from "./router.ts";

export interface Form {
  /** The value that counts, by name. */
  values: Map<string, string>;
  /** Names that came in the query, and in a body that was read. */
  query: Set<string>;
  body: Set<string>;
  /** What was uploaded. */
  files: Upload[];
}

const mostParameters = 1000;

const boundaryOf = (type: string): string | undefined => /boundary="?([^";]+)"?/i.exec(type)?.[1]?.trim();

interface Parts {
  values: [string, string][];
  files: Upload[];
}

/** Parts with a file name are uploads, no parameters; what stands before the first boundary is no part. */
function multipart(body: string | Uint8Array, boundary: string): Parts {
  // A character a byte, so that files stay what they are; names and values are UTF-8.
  const whole = Buffer.from(body).toString("latin1");
  const text = (part: string): string => Buffer.from(part, "latin1").toString("utf8");
  const found: Parts = { values: [], files: [] };
  const [, ...parts] = whole.split(`--${boundary}`);
  for (const part of parts) {
    const end = part.indexOf("\r\n\r\n");
    if (end < 0) continue;
    const head = part.slice(0, end);
    const name = /;\s*name="([^"]*)"/i.exec(head)?.[1];
    const content = part.slice(end + 4).replace(/\r\n$/, "");
    const file = /;\s*filename\*?="?([^"\r\n]*)/i.exec(head)?.[1];
    if (file !== undefined) found.files.push({ name: text(file), content: Buffer.from(content, "latin1") });
    else if (name !== undefined) found.values.push([text(name), text(content)]);
  }
  return found;
}

/**
 * Reads the query of any method and the body of those that have one; a name in both takes the body's value.
 * Gives an answer instead where the server never gets as far as judging the parameters.
 */
export function readForm(
  method: string,
  query: string,
  headers: Record<string, string>,
  body: string,
  bytes?: Uint8Array,
): Form | Answer {
  const asked = [...new URLSearchParams(query)];
  const type = headers["content-type"] ?? "";
  let sent: [string, string][] = [];
  let files: Upload[] = [];
  if (method !== "GET" && method !== "HEAD") {
    if (/^\s*application\/x-www-form-urlencoded/i.test(type)) sent = [...new URLSearchParams(body)];
    else if (/^\s*multipart\/form-data/i.test(type)) {
      const boundary = boundaryOf(type);
      // The framework reads the body of a POST early and of other methods late, so the same fault surfaces differently.
      if (boundary === undefined) return method === "POST" ? page(400, "Bad Request") : broken();
      ({ values: sent, files } = multipart(bytes ?? body, boundary));
    }
  }
  if (Math.max(asked.length, sent.length) > mostParameters) {
    return method === "POST" || method === "GET" ? page(400, "Bad Request") : broken();
  }
  return {
    values: new Map([...asked, ...sent]),
    query: new Set(asked.map(([name]) => name)),
    body: new Set(sent.map(([name]) => name)),
    files,
  };
}

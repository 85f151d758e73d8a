/** Forms with files. Their bodies are text with one character for each byte. */
import type { HttpRequest } from "../world/world.ts";

export interface UploadedFile {
  /** The name of the file, without directories. */
  name: string;
  /** The declared type in lower case, or a guess by the name. */
  type: string | undefined;
  bytes: Uint8Array;
}

const isMultipart = (headers: HttpRequest["headers"]): boolean =>
  Object.entries(headers).some(
    ([name, value]) => name.toLowerCase() === "content-type" && /^\s*multipart\//i.test(value),
  );

/** Reads the body of a form with files into `body`. */
export async function collectBody(request: HttpRequest): Promise<HttpRequest> {
  const { upload, body, headers, ...others } = request;
  if (!isMultipart(headers)) return request;
  const chunks: Uint8Array[] = [Buffer.from(body ?? "")];
  if (upload) for await (const chunk of upload.bytes()) chunks.push(chunk);
  return { ...others, headers, body: Buffer.concat(chunks).toString("latin1") };
}

const typesByEnding: Readonly<Record<string, string>> = {
  png: "image/png",
  jpg: "image/jpeg",
  jpeg: "image/jpeg",
  gif: "image/gif",
  webp: "image/webp",
  avif: "image/avif",
};

const typeByName = (name: string): string | undefined =>
  typesByEnding[/\.([^.]+)$/.exec(name)?.[1]?.toLowerCase() ?? ""];

const utf8 = (bytes: string): string => Buffer.from(bytes, "latin1").toString("utf8");

/** If a file's name is repeated, the last one counts. Text before the first boundary is ignored. */
export function readMultipart(
  body: string,
  boundary: string,
): { fields: [string, string][]; files: Map<string, UploadedFile> } {
  const fields: [string, string][] = [];
  const files = new Map<string, UploadedFile>();
  const [, ...parts] = body.split(`--${boundary}`);
  for (const part of parts) {
    const end = part.indexOf("\r\n\r\n");
    const head = part.slice(0, Math.max(end, 0));
    const name = /;\s*name="([^"]*)"/i.exec(head)?.[1];
    if (name === undefined) continue;
    const content = part.slice(end + 4).replace(/\r\n$/, "");
    const file = /;\s*filename="([^"]*)"/i.exec(head)?.[1];
    if (file === undefined) fields.push([utf8(name), utf8(content)]);
    // A file without a name is ignored.
    else if (file !== "") {
      const type = /^content-type:\s*([^\r\n;]+)/im.exec(head)?.[1]?.trim().toLowerCase() ?? typeByName(file);
      files.set(utf8(name), {
        name: utf8(file).split(/[/\\]/).at(-1) ?? "",
        type,
        bytes: Buffer.from(content, "latin1"),
      });
    }
  }
  return { fields, files };
}

/** Downloads of exports and uploads, whole or a range. */
import { getAttachmentFile } from "../api/attachments.ts";
import { getExportFile } from "../api/exports.ts";
import { type Answer, methodNotAllowed, PageError, proxyPage } from "./answers.ts";
import { authenticate } from "./auth.ts";
import { exportPath } from "./handlers/exports.ts";
import type { SandboxState } from "./state.ts";
import type { StoredAttachment } from "./stored-personal.ts";

/** Operations that download a file. */
export const files = [getExportFile, getAttachmentFile];

/** The name of the operation for a path. */
export const fileOperationAt = (pathname: string): string | undefined =>
  pathname.startsWith("/user_avatars/exports/")
    ? getExportFile.name
    : pathname.startsWith("/user_uploads/")
      ? getAttachmentFile.name
      : undefined;

interface Download {
  size: number;
  type: string;
  name: string;
  tag: string;
  modified: number;
  bytes(from: number, to: number): Iterable<Uint8Array>;
}

const blockSize = 64 * 1024;

/** Generated content: always the same for a seed and a position. */
function* generatedBytes(seed: number, from: number, to: number): Iterable<Uint8Array> {
  for (let at = from; at < to; at += blockSize) {
    const block = new Uint8Array(Math.min(blockSize, to - at));
    for (let i = 0; i < block.length; i++) block[i] = Math.imul(at + i + seed, 0x9e3779b1) >>> 24;
    yield block;
  }
}

function exportDownload({ exports, organization }: SandboxState, now: number, pathname: string): Download {
  const found = [...exports.values()].find((each) => exportPath(each) === pathname);
  if (!found || found.deleted_time !== null || now < found.ready_time) {
    throw new PageError(404, "Page not found");
  }
  const { id, bytes, ready_time: modified } = found;
  const size = bytes?.length ?? organization.export_size ?? 0;
  return {
    size,
    type: "application/gzip",
    name: `zulip-export-${id}.tar.gz`,
    tag: `"export-${id}-${size}"`,
    modified,
    bytes: (from, to) => (bytes ? [bytes.subarray(from, to)] : generatedBytes(id, from, to)),
  };
}

const uploadDownload = ({ id, name, size, create_time, bytes }: StoredAttachment): Download => ({
  size,
  type: "application/octet-stream",
  name,
  tag: `"upload-${id}-${size}"`,
  modified: create_time,
  bytes: (from, to) => (bytes ? [bytes.subarray(from, to)] : generatedBytes(1000 + id, from, to)),
});

/** Returns whether somebody uploaded the file, or received a message that links it. */
export function canRead(
  { messages }: SandboxState,
  userId: number,
  { owner_id, message_ids }: StoredAttachment,
): boolean {
  return owner_id === userId || message_ids.some((id) => messages.get(id)?.received.has(userId));
}

function findUpload(state: SandboxState, pathname: string, authorization: string | undefined): Download {
  const [, token] = /^\/user_uploads\/temporary\/([0-9A-F]+)\//.exec(pathname) ?? [];
  const caller = token === undefined ? authenticate(state, authorization) : undefined;
  const path =
    token === undefined ? pathname.slice("/user_uploads/".length) : encodeURI(Buffer.from(token, "hex").toString());
  const found = [...state.attachments.values()].find(({ path_id }) => path_id === decodeURIComponent(path));
  if (!found) throw new PageError(404, "Page not found");
  if (caller && !canRead(state, caller.user_id, found)) throw new PageError(403, "Access denied");
  return uploadDownload(found);
}

/** Compares the file with the caller's tag or time of the last change. */
const isUnchanged = (known: string | undefined, { tag, modified }: Download): boolean =>
  known === undefined || known === tag || Date.parse(known) === Math.floor(modified / 1000) * 1000;

/** Reads a range from a byte, or between two bytes. Undefined if it is empty. Others mean the whole file. */
function parseRange(range: string | undefined, size: number): readonly [from: number, to: number] | "all" | undefined {
  const [, first, last] = /^bytes= *(\d{1,18}) *- *(\d{1,18})? *$/i.exec(range ?? "") ?? [];
  if (first === undefined) return "all";
  const to = last === undefined ? size : Math.min(Number(last) + 1, size);
  return Number(first) < to ? [Number(first), to] : undefined;
}

/** Answers a download; undefined for other paths. Downloads do not count for rate limits. */
export function serveFile(
  state: SandboxState,
  now: number,
  { method, pathname, headers }: { method: string; pathname: string; headers: Record<string, string> },
): Answer | undefined {
  const operation = fileOperationAt(pathname);
  if (!operation) return undefined;
  if (method !== "GET" && method !== "HEAD") return methodNotAllowed(["GET", "HEAD"]);
  const file =
    operation === getExportFile.name
      ? exportDownload(state, now, pathname)
      : findUpload(state, pathname, headers.authorization);
  return downloadAnswer(file, headers);
}

function downloadAnswer(file: Download, headers: Record<string, string>): Answer {
  const { size, type, name, tag, modified, bytes } = file;
  const range = isUnchanged(headers["if-range"], file) ? headers.range : undefined;
  const part = parseRange(range, size);
  if (!part) {
    const refused = proxyPage(416, "Requested Range Not Satisfiable");
    return { ...refused, headers: { ...refused.headers, "content-range": `bytes */${size}` } };
  }
  const [from, to] = part === "all" ? [0, size] : part;
  return {
    status: part === "all" ? 200 : 206,
    headers: {
      "accept-ranges": "bytes",
      "content-type": type,
      "content-disposition": `attachment; filename*=UTF-8''${encodeURIComponent(name)}`,
      etag: tag,
      "last-modified": new Date(modified).toUTCString(),
      ...(part === "all" ? {} : { "content-range": `bytes ${from}-${to - 1}/${size}` }),
    },
    text: "",
    file: { size: to - from, bytes: () => bytes(from, to) },
  };
}

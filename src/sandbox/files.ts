/** Downloads of exports and uploads, whole or a range. */
import { getAttachmentFile } from "../api/attachments.ts";
import { getExportFile } from "../api/exports.ts";
import { type Answer, methodNotAllowed, PageError, proxyPage } from "./answers.ts";
import type { AuditLog } from "./audit-log.ts";
import { authenticate } from "./auth.ts";
import { exportFile } from "./export-file.ts";
import { exportPath } from "./handlers/exports.ts";
import type { Attachment } from "./personal.ts";
import type { State } from "./state.ts";

/** Operations that download a file. */
export const files = [getExportFile, getAttachmentFile];

/** The name of the operation for a path. */
export const fileOperation = (pathname: string): string | undefined =>
  pathname.startsWith("/user_avatars/exports/")
    ? getExportFile.name
    : pathname.startsWith("/user_uploads/")
      ? getAttachmentFile.name
      : undefined;

export interface Download {
  size: number;
  type: string;
  name: string;
  tag: string;
  modified: number;
  bytes(from: number, to: number): Iterable<Uint8Array>;
}

const blockSize = 64 * 1024;

/** Bytes made up for a seed: always the same at the same position. */
function* madeUp(seed: number, from: number, to: number): Iterable<Uint8Array> {
  for (let at = from; at < to; at += blockSize) {
    const block = new Uint8Array(Math.min(blockSize, to - at));
    for (let i = 0; i < block.length; i++) block[i] = Math.imul(at + i + seed, 0x9e3779b1) >>> 24;
    yield block;
  }
}

interface Place {
  state: State;
  now: number;
  log: AuditLog;
  /** Files of exports by id. An export has the state of the moment at which it was requested. */
  made: Map<number, Uint8Array>;
}

/** Makes the files of new exports. Call it after an export was requested. */
export function makeExportFiles(state: State, log: AuditLog, made: Map<number, Uint8Array>): void {
  if (state.organization.export_size !== null) return;
  for (const each of state.exports.values())
    if (!made.has(each.id)) made.set(each.id, exportFile(state, log.rows, each));
}

function exported({ state, now, log, made }: Place, pathname: string): Download {
  const found = [...state.exports.values()].find((each) => exportPath(each) === pathname);
  if (!found || found.deleted_time !== null || now < found.ready_time) {
    throw new PageError(404, "Page not found");
  }
  const { export_size } = state.organization;
  makeExportFiles(state, log, made);
  const whole = made.get(found.id);
  const size = whole?.length ?? export_size ?? 0;
  return {
    size,
    type: "application/gzip",
    name: `zulip-export-${found.id}.tar.gz`,
    tag: `"export-${found.id}-${size}"`,
    modified: found.ready_time,
    bytes: (from, to) => (whole ? [whole.subarray(from, to)] : madeUp(found.id, from, to)),
  };
}

const uploaded = ({ id, name, size, create_time, bytes }: Attachment): Download => ({
  size,
  type: "application/octet-stream",
  name,
  tag: `"upload-${id}-${size}"`,
  modified: create_time,
  bytes: (from, to) => (bytes ? [bytes.subarray(from, to)] : madeUp(1000 + id, from, to)),
});

const hex = (text: string): string => encodeURI(Buffer.from(text, "hex").toString());

/** Returns whether somebody uploaded the file, or received a message that links it. */
export function canRead({ messages }: State, userId: number, { owner_id, message_ids }: Attachment): boolean {
  return owner_id === userId || message_ids.some((id) => messages.get(id)?.received.has(userId));
}

function uploadAt(state: State, pathname: string, authorization: string | undefined): Download {
  const [, token] = /^\/user_uploads\/temporary\/([0-9A-F]+)\//.exec(pathname) ?? [];
  const caller = token === undefined ? authenticate(state, authorization) : undefined;
  const path = token === undefined ? pathname.slice("/user_uploads/".length) : hex(token);
  const found = [...state.attachments.values()].find(({ path_id }) => path_id === decodeURIComponent(path));
  if (!found) throw new PageError(404, "Page not found");
  if (caller && !canRead(state, caller.user_id, found)) throw new PageError(403, "Access denied");
  return uploaded(found);
}

/** Compares the file with the caller's tag or time of the last change. */
const unchanged = (known: string | undefined, { tag, modified }: Download): boolean =>
  known === undefined || known === tag || Date.parse(known) === Math.floor(modified / 1000) * 1000;

/** Reads a range from a byte, or between two bytes. Undefined if it is empty. Others mean the whole file. */
function partOf(range: string | undefined, size: number): readonly [from: number, to: number] | "all" | undefined {
  const [, first, last] = /^bytes= *(\d{1,18}) *- *(\d{1,18})? *$/i.exec(range ?? "") ?? [];
  if (first === undefined) return "all";
  const to = last === undefined ? size : Math.min(Number(last) + 1, size);
  return Number(first) < to ? [Number(first), to] : undefined;
}

/** Answers a download; undefined for other paths. Downloads do not count for rate limits. */
export function download(
  place: Place,
  method: string,
  pathname: string,
  headers: Record<string, string>,
): Answer | undefined {
  const operation = fileOperation(pathname);
  if (!operation) return undefined;
  if (method !== "GET" && method !== "HEAD") return methodNotAllowed(["GET", "HEAD"]);
  return operation === getExportFile.name
    ? send(exported(place, pathname), headers)
    : send(uploadAt(place.state, pathname, headers.authorization), headers);
}

function send(file: Download, headers: Record<string, string>): Answer {
  const { size, type, name, tag, modified, bytes } = file;
  const range = unchanged(headers["if-range"], file) ? headers.range : undefined;
  const part = partOf(range, size);
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

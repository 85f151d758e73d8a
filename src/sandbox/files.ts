/** Files that are downloaded: exports and uploads, whole or from a byte on, made while they are sent. */
import { getAttachmentFile } from "../api/attachments.ts";
import { getExportFile } from "../api/exports.ts";
import { type Answer, page } from "./answer.ts";
import { authenticate } from "./auth.ts";
import { exportPath } from "./records/small.ts";
import type { Attachment, State, User } from "./state.ts";

/** The files that there are. */
export const files = [getExportFile, getAttachmentFile];

/** Which of them a path leads to, as faults name it. */
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

/** Bytes made up for a seed: the same at the same place whenever they are asked for. */
function* madeUp(seed: number, from: number, to: number): Iterable<Uint8Array> {
  for (let at = from; at < to; ) {
    const number = Math.floor(at / blockSize);
    const block = new Uint8Array(blockSize);
    let state = (Math.imul(seed, 0x9e3779b1) ^ Math.imul(number + 1, 0x85ebca6b)) >>> 0;
    for (let i = 0; i < blockSize; i++) {
      state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
      block[i] = state >>> 24;
    }
    const start = at - number * blockSize;
    const end = Math.min(blockSize, to - number * blockSize);
    yield block.subarray(start, end);
    at += end - start;
  }
}

function exported(state: State, pathname: string, now: number): Download | undefined {
  const found = [...state.exports.values()].find((each) => exportPath(each) === pathname);
  if (!found || found.deleted_time !== null || now < found.ready_time) return undefined;
  const size = state.organization.export_size;
  return {
    size,
    type: "application/gzip",
    name: `zulip-export-${found.id}.tar.gz`,
    tag: `"export-${found.id}-${size}"`,
    modified: found.ready_time,
    bytes: (from, to) => madeUp(found.id, from, to),
  };
}

const uploaded = ({ id, name, size, content, create_time }: Attachment): Download => ({
  size,
  type: "application/octet-stream",
  name,
  tag: `"upload-${id}-${size}"`,
  modified: create_time,
  bytes: (from, to) => (content ? [content.subarray(from, to)] : madeUp(1000 + id, from, to)),
});

/** The uploader's, and everybody's who received a message that refers to it. */
const mayRead = ({ messages }: State, user: User, { owner_id, message_ids }: Attachment): boolean =>
  owner_id === user.user_id || message_ids.some((id) => messages.get(id)?.received.has(user.user_id));

/** The file at a path beside the API; an answer where it is refused, undefined where no file can be at such a path. */
export function fileAt(
  { state, now }: { state: State; now: number },
  pathname: string,
  authorization: string | undefined,
): Download | Answer | undefined {
  const absent = page(404, "Page not found");
  if (pathname.startsWith("/user_avatars/exports/")) return exported(state, pathname, now) ?? absent;
  if (!pathname.startsWith("/user_uploads/")) return undefined;
  const user = authenticate(state, authorization);
  const path_id = decodeURIComponent(pathname.slice("/user_uploads/".length));
  const found = [...state.attachments.values()].find((each) => each.path_id === path_id);
  if (!found) return absent;
  return mayRead(state, user, found) ? uploaded(found) : page(403, "Access denied");
}

/** The part of the file that a `Range` header asks for; several parts at once are not served in parts. */
function partOf(range: string | undefined, size: number): [from: number, to: number] | "all" | "none" {
  const asked = /^bytes=(\d*)-(\d*)$/.exec(range ?? "");
  if (!asked || (asked[1] === "" && asked[2] === "")) return "all";
  const [first, last] = [asked[1]!, asked[2]!];
  if (first === "") return last === "0" || size === 0 ? "none" : [Math.max(0, size - Number(last)), size];
  const from = Number(first);
  if (from >= size) return "none";
  const to = last === "" ? size : Math.min(Number(last) + 1, size);
  return to > from ? [from, to] : "all";
}

export function send(file: Download, headers: Record<string, string>): Answer {
  const { size, type, name, tag, modified, bytes } = file;
  const changed = headers["if-range"] !== undefined && headers["if-range"] !== tag;
  const part = partOf(changed ? undefined : headers.range, size);
  const common = {
    "accept-ranges": "bytes",
    "content-type": type,
    "content-disposition": `attachment; filename*=UTF-8''${encodeURIComponent(name)}`,
    etag: tag,
    "last-modified": new Date(modified).toUTCString(),
  };
  if (part === "none") {
    return { status: 416, headers: { "content-type": "text/html", "content-range": `bytes */${size}` }, text: "" };
  }
  const [from, to] = part === "all" ? [0, size] : part;
  const range = { "content-range": `bytes ${from}-${to - 1}/${size}` };
  return {
    status: part === "all" ? 200 : 206,
    headers: { ...common, ...(part === "all" ? {} : range) },
    text: "",
    file: { size: to - from, bytes: () => bytes(from, to) },
  };
}

/** Checks whether an answer is the requested file, or the rest of it. */

import { counted } from "../common/counted.ts";
import { minute } from "../common/unit-sizes.ts";
import type { HttpResponse } from "../world/world.ts";

/** What the server has said about a file. */
export interface FileInfo {
  /** The number of bytes. Undefined if unknown. */
  total: number | undefined;
  etag: string | undefined;
  modified: string | undefined;
}

/** An error in an answer, in words that follow "the download from chat.example failed: ". */
export class BadAnswer extends Error {
  override readonly name = "BadAnswer";
}

type Headers = HttpResponse["headers"];

export const tooLong = (total: number): BadAnswer =>
  new BadAnswer(`the server sent more than the announced ${counted(total, "byte")}`);

export const tooShort = (total: number, received: number): BadAnswer =>
  new BadAnswer(`the download ended after ${counted(received, "byte")} of ${total}`);

function lengthOf(headers: Headers): number | undefined {
  const length = headers["content-length"];
  if (length === undefined) return undefined;
  if (!/^\d{1,15}$/.test(length)) throw new BadAnswer(`the announced length is not a number (${length.slice(0, 40)})`);
  return Number(length);
}

function refuseEncoding(headers: Headers): void {
  const encoding = headers["content-encoding"]?.trim().toLowerCase() ?? "identity";
  if (encoding !== "identity" && encoding !== "")
    throw new BadAnswer(`the answer is compressed (${encoding.slice(0, 40)}), which zulipctl did not request`);
}

/** Reads the first answer. `size`: the expected size. Throws `BadAnswer`. */
export function firstAnswer({ status, headers }: Pick<HttpResponse, "status" | "headers">, size?: number): FileInfo {
  if (status !== 200) throw new BadAnswer(`the server answered ${status} instead of the whole file`);
  refuseEncoding(headers);
  const length = lengthOf(headers);
  if (size !== undefined && length !== undefined && length !== size)
    throw new BadAnswer(`${counted(length, "byte")} were announced, and the file has ${size}`);
  // Without a length, a break looks like the end of the file.
  if (length === undefined && size === undefined && headers["transfer-encoding"] === undefined)
    throw new BadAnswer("the server announced no length, so zulipctl cannot tell whether the file is complete");
  // An error page has a type and size of its own.
  if (size === undefined && /^text\/html\b/i.test(headers["content-type"] ?? ""))
    throw new BadAnswer("the server sent a web page instead of the file");
  if (size === undefined && length === 0) throw new BadAnswer("the server sent an empty answer instead of the file");
  return { total: length ?? size, etag: headers.etag, modified: headers["last-modified"] };
}

/** Returns headers that request the rest of the file. Throws `BadAnswer` if a change of the file could not be noticed. */
export function rangeHeaders({ etag, modified }: FileInfo, at: number): Record<string, string> {
  // A weak tag does not guarantee equal bytes.
  const validator = etag && !etag.startsWith("W/") ? etag : modified;
  if (validator === undefined)
    throw new BadAnswer("the download stopped, and zulipctl cannot tell whether the file changed since");
  return { range: `bytes=${at}-`, "if-range": validator };
}

const isSame = (before: string | undefined, now: string | undefined): boolean =>
  before === undefined || now === undefined || before.replace(/^W\//, "") === now.replace(/^W\//, "");

/** Reads the answer that continues at byte `at`. Throws `BadAnswer`. */
export function nextAnswer(
  { status, headers }: Pick<HttpResponse, "status" | "headers">,
  info: FileInfo,
  at: number,
): FileInfo {
  const { etag, "last-modified": modified, "content-range": range = "" } = headers;
  const [, from, to, all] = /^bytes (\d{1,15})-(\d{1,15})\/(\d{1,15})$/.exec(range) ?? [];
  const total = Number(all);
  const isRest = status === 206 && Number(from) === at && Number(to) === total - 1;
  if (!isRest || (info.total ?? total) !== total || !isSame(info.etag, etag) || !isSame(info.modified, modified))
    throw new BadAnswer("the download stopped, and the server did not send the rest of the same file");
  refuseEncoding(headers);
  return { ...info, total };
}

const maxResumptions = 3;

/** Limits how often a download may break: three times in a minute with progress. */
export class Resumptions {
  /** Milliseconds with progress. Silence allows no further breaks. */
  #progressTime = 0;
  #lastProgress: number | undefined;
  #times: number[] = [];

  /** Records progress. */
  progress(now: number): void {
    if (this.#lastProgress !== undefined) this.#progressTime += now - this.#lastProgress;
    this.#lastProgress = now;
  }

  /** Returns the pause after a break in milliseconds. Undefined if there were too many. `random` is from 0 up to 1. */
  take(random: number): number | undefined {
    this.#lastProgress = undefined;
    const recent = this.#times.filter((at) => this.#progressTime - at < minute);
    if (recent.length >= maxResumptions) return undefined;
    this.#times = [...recent, this.#progressTime];
    return 500 * 2 ** recent.length * (0.5 + random);
  }
}

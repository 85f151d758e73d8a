/**
 * Reads past `100 Continue`, which a proxy may send unasked before the answer (RFC 9110, 15.2). undici reads past the
 * other interim answers, and ends the connection at this one.
 */
import type { Socket } from "node:net";

const beginning = Buffer.from("HTTP/1.1 100");
const versionAt = 7;
const end = Buffer.from("\r\n\r\n");

/** No such answer needs more bytes. */
const longest = 16 * 1024;

/** Returns whether bytes begin such an answer, or may be the first bytes of one. */
function isInterim(bytes: Buffer): boolean {
  const known = Math.min(bytes.length, beginning.length);
  for (let at = 0; at < known; at++) if (at !== versionAt && bytes[at] !== beginning[at]) return false;
  return true;
}

export function withoutContinue<S extends Socket>(socket: S): S {
  const read = socket.read.bind(socket);
  const write = socket.write.bind(socket) as (...args: unknown[]) => boolean;
  let awaitsAnswer = true;
  /** The first bytes of an answer that may be an interim one. */
  let held: Buffer = Buffer.alloc(0);
  socket.write = ((...args: unknown[]) => {
    awaitsAnswer = true;
    return write(...args);
  }) as S["write"];
  socket.read = (size?: number): Buffer | null => {
    const chunk: Buffer | null = read(size);
    if (!awaitsAnswer || chunk === null) return chunk;
    let bytes = held.length ? Buffer.concat([held, chunk]) : chunk;
    held = Buffer.alloc(0);
    while (bytes.length && isInterim(bytes)) {
      const at = bytes.indexOf(end);
      if (at < 0 && bytes.length < longest) {
        held = bytes;
        return null;
      }
      if (at < 0) break;
      bytes = bytes.subarray(at + end.length);
    }
    if (!bytes.length) return null;
    awaitsAnswer = false;
    return bytes;
  };
  return socket;
}

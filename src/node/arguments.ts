/** The words of the command line as the system holds them: Node puts U+FFFD for every byte that is not UTF-8. */
import { readFileSync } from "node:fs";

/** The bytes of the last `count` words; undefined where the system does not tell them. */
function bytesOf(count: number): Buffer[] | undefined {
  let line: Buffer;
  try {
    line = readFileSync("/proc/self/cmdline");
  } catch {
    // Only Linux has it, and there it may be hidden.
    return undefined;
  }
  const words: Buffer[] = [];
  for (let from = 0, end = line.indexOf(0); end >= 0; from = end + 1, end = line.indexOf(0, from))
    words.push(line.subarray(from, end));
  return words.slice(-count);
}

const utf8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

const isText = (bytes: Buffer): boolean => {
  try {
    utf8.decode(bytes);
    return true;
  } catch {
    return false;
  }
};

/**
 * Which of the words is not UTF-8, counted from 0; undefined where all are. A replacement character that was typed is
 * text where the system tells the bytes; elsewhere it cannot be told from bytes that were lost, and counts as such.
 */
export function garbled(words: readonly string[], bytes = bytesOf): number | undefined {
  const doubtful = [...words.keys()].filter((at) => words[at]!.includes("\uFFFD"));
  if (!doubtful.length) return undefined;
  const held = bytes(words.length);
  // What the system holds may have been overwritten by a title for the process.
  const theirs = held?.length === words.length && words.every((word, at) => held[at]!.toString("utf8") === word);
  return theirs ? doubtful.find((at) => !isText(held![at]!)) : doubtful[0];
}

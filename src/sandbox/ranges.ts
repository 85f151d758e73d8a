/** `Range` of requests for files, by the rules of the proxy that sends them. */

/** From the first byte up to, not including, the last. */
export type Part = readonly [from: number, to: number];

/** One part as it is asked for: from a byte on, between two, or so many at the end. */
const asked = /^ *(?:(\d{1,18}) *- *(\d{1,18})?|-(\d{1,18})) *$/;

/**
 * The parts that are asked for; `all` where the whole file is what comes, `none` where nothing of it was meant. Parts
 * beyond the end are left out while there are others, and parts that make up more than the file bring it whole.
 */
export function partsOf(range: string | undefined, size: number): readonly Part[] | "all" | "none" {
  if (!range || !/^bytes=./i.test(range)) return "all";
  const parts: Part[] = [];
  for (const one of range.slice("bytes=".length).split(",")) {
    const [matched, first, last, tail] = asked.exec(one) ?? [];
    if (matched === undefined) return "none";
    const from = tail === undefined ? Number(first) : Math.max(0, size - Number(tail));
    const to = tail !== undefined || last === undefined ? size : Math.min(Number(last) + 1, size);
    if (from < to) parts.push([from, to]);
    else if (from === 0) return "all";
  }
  if (parts.length === 0) return "none";
  return parts.reduce((sum, [from, to]) => sum + to - from, 0) > size ? "all" : parts;
}

export const contentRange = ([from, to]: Part, size: number): string => `bytes ${from}-${to - 1}/${size}`;

interface Body {
  size: number;
  bytes(): Iterable<Uint8Array>;
}

/** Several parts in one body, each with a head of its own. */
export function severalParts(
  parts: readonly Part[],
  { size, type, boundary }: { size: number; type: string; boundary: string },
  bytes: (from: number, to: number) => Iterable<Uint8Array>,
): Body {
  const encode = (text: string) => new TextEncoder().encode(text);
  const head = (part: Part) =>
    encode(`\r\n--${boundary}\r\nContent-Type: ${type}\r\nContent-Range: ${contentRange(part, size)}\r\n\r\n`);
  const end = encode(`\r\n--${boundary}--\r\n`);
  return {
    size: parts.reduce((sum, part) => sum + head(part).length + part[1] - part[0], end.length),
    *bytes() {
      for (const part of parts) {
        yield head(part);
        yield* bytes(...part);
      }
      yield end;
    },
  };
}

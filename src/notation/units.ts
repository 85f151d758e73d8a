/** Sizes and spans of time as people write them. */

const powers = ["", "k", "m", "g", "t", "p"];

/** `10MB`, `1.5 GiB` in bytes; undefined if invalid. */
export function readSize(text: string): number | undefined {
  const [, number, prefix = "", binary] = /^(\d{1,15}(?:\.\d{1,6})?)\s?(?:([kmgtp])(i)?)?b?$/i.exec(text.trim()) ?? [];
  if (number === undefined) return undefined;
  const bytes = Number(number) * (binary ? 1024 : 1000) ** powers.indexOf(prefix.toLowerCase());
  return Number.isSafeInteger(Math.round(bytes)) ? Math.round(bytes) : undefined;
}

const spans = { d: 86_400_000, h: 3_600_000, m: 60_000, s: 1000 };

/** `90d`, `12h`, `30m`, `10s` in milliseconds; undefined if invalid. */
export function readDuration(text: string): number | undefined {
  const [, count, unit] = /^(\d{1,6})([dhms])$/.exec(text.trim()) ?? [];
  return count === undefined ? undefined : Number(count) * spans[unit as keyof typeof spans];
}

/** Spans of time as people write them: `90d`, `12h`. */

const units: Record<string, number> = { h: 3_600_000, d: 24 * 3_600_000 };

/** Milliseconds; undefined for what is none. */
export function readDuration(text: string): number | undefined {
  const [, count, unit] = /^(\d{1,6})([hd])$/.exec(text.trim()) ?? [];
  return count === undefined ? undefined : Number(count) * units[unit!]!;
}

/** Formats times and sizes for people. */

/** Larger numbers are milliseconds: as seconds they would be after the year 5138. */
const leastMilliseconds = 1e11;

const finite = (value: unknown): number | undefined =>
  typeof value === "number" && Number.isFinite(value) ? value : undefined;

/** Returns a time in milliseconds. Some servers send seconds, and others milliseconds. */
export const inMilliseconds = (time: number): number => (Math.abs(time) < leastMilliseconds ? time * 1000 : time);

/** Returns a time in ISO 8601. Undefined for other values. */
function isoOf(value: unknown): string | undefined {
  const number = finite(value);
  if (number === undefined) return undefined;
  const date = new Date(inMilliseconds(number));
  return Number.isNaN(date.getTime()) ? undefined : date.toISOString();
}

/** Formats Unix seconds or milliseconds, or ISO 8601, as `2026-11-21 14:03Z`. Empty if absent, others unchanged. */
export const when = (value: unknown): string =>
  isoOf(typeof value === "string" && /^\d{4}-\d\d-\d\dT/.test(value) ? Date.parse(value) / 1000 : value)
    ?.replace("T", " ")
    .replace(/:\d\d\.\d+Z$/, "Z") ?? String(value ?? "");

/** Members of records that contain times as numbers. */
export const timeMembers: ReadonlySet<string> = new Set([
  "date_created",
  "expiry_date",
  "invited",
  "timestamp",
  "last_updated",
  "date_sent",
  "create_time",
  "export_time",
  "deleted_timestamp",
  "failed_timestamp",
]);

/** Formats Unix seconds or milliseconds as ISO 8601. Other values stay unchanged. */
export const isoTime = (value: unknown): unknown => isoOf(value)?.replace(".000Z", "Z") ?? value;

const units = ["B", "KiB", "MiB", "GiB", "TiB", "PiB"];

/** Formats bytes as `1.4 MiB`. Empty if absent, and other values unchanged. */
export function size(value: unknown): string {
  if (value === undefined || value === null) return "";
  const bytes = finite(value);
  if (bytes === undefined || bytes < 0) return String(value);
  const steps = units.map((unit, power) => ({ unit, amount: bytes / 1024 ** power }));
  // Round first: otherwise 1023.97 KiB would become 1024.0 KiB.
  const { unit, amount } = steps.find(({ amount }) => Number(amount.toFixed(1)) < 1024) ?? steps.at(-1)!;
  return `${unit === "B" ? amount : amount.toFixed(1)} ${unit}`;
}

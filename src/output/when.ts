/** Times and sizes for people. */

/** From here on a number counts milliseconds: as seconds it would be the year 5138. */
const milliseconds = 1e11;

const finite = (value: unknown): number | undefined =>
  typeof value === "number" && Number.isFinite(value) ? value : undefined;

/** `2026-11-21 14:03Z`, from Unix seconds or milliseconds, told by their size; absent gives nothing, anything else itself. */
export function when(value: unknown): string {
  if (value === undefined || value === null) return "";
  const number = finite(value);
  const date = new Date(number === undefined ? Number.NaN : Math.abs(number) < milliseconds ? number * 1000 : number);
  return Number.isNaN(date.getTime())
    ? String(value)
    : date
        .toISOString()
        .replace("T", " ")
        .replace(/:\d\d\.\d+Z$/, "Z");
}

/** Members of records in which servers put times as numbers. */
export const timeMembers: ReadonlySet<string> = new Set([
  ...["date_created", "expiry_date", "invited", "timestamp", "last_updated", "date_sent", "create_time"],
  ...["export_time", "deleted_timestamp", "failed_timestamp"],
]);

/** A time in ISO 8601, from Unix seconds or milliseconds, told by their size; anything else itself. */
export function isoTime(value: unknown): unknown {
  const number = finite(value);
  if (number === undefined) return value;
  const date = new Date(Math.abs(number) < milliseconds ? number * 1000 : number);
  return Number.isNaN(date.getTime()) ? value : date.toISOString().replace(".000Z", "Z");
}

const units = ["B", "KiB", "MiB", "GiB", "TiB", "PiB"];

/** `1.4 MiB`, from bytes; absent gives nothing, anything else itself. */
export function size(value: unknown): string {
  if (value === undefined || value === null) return "";
  const bytes = finite(value);
  if (bytes === undefined || bytes < 0) return String(value);
  const steps = units.map((unit, power) => ({ unit, amount: bytes / 1024 ** power }));
  // Rounded first: 1023.97 KiB would be told as 1024.0 KiB.
  const { unit, amount } = steps.find(({ amount }) => Number(amount.toFixed(1)) < 1024) ?? steps.at(-1)!;
  return `${unit === "B" ? amount : amount.toFixed(1)} ${unit}`;
}

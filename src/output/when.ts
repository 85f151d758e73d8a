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

/** Returns Unix seconds in ISO 8601. Null if there are none. */
export const isoOrNull = (seconds: number | undefined): string | null =>
  seconds === undefined ? null : new Date(seconds * 1000).toISOString();

const padded = (number: number, length = 2): string => String(number).padStart(length, "0");

/** Returns the offset of this machine's zone at a time: `Z`, ` -05:00`. */
function offsetOf(date: Date): string {
  const minutes = -date.getTimezoneOffset();
  if (!minutes) return "Z";
  const absolute = Math.abs(minutes);
  return ` ${minutes < 0 ? "-" : "+"}${padded(Math.floor(absolute / 60))}:${padded(absolute % 60)}`;
}

/** Returns milliseconds as they can be typed back: `2026-11-28 15:45 -05:00`, in UTC `2026-11-28 20:45Z`. */
function localTime(time: number): string {
  const date = new Date(time);
  const day = [padded(date.getFullYear(), 4), padded(date.getMonth() + 1), padded(date.getDate())].join("-");
  return `${day} ${padded(date.getHours())}:${padded(date.getMinutes())}${offsetOf(date)}`;
}

/** The same with the time in UTC, if the zone of this machine is another one: `… -05:00 (20:45Z)`. */
export function inBothZones(time: number): string {
  const local = localTime(time);
  if (local.endsWith("Z")) return local;
  const utc = new Date(time).toISOString().slice(0, 16).replace("T", " ");
  return `${local} (${utc.slice(0, 10) === local.slice(0, 10) ? utc.slice(11) : utc}Z)`;
}

/** Formats Unix seconds or milliseconds, or ISO 8601, as `localTime` does. Empty if absent, others unchanged. */
export function timeText(value: unknown): string {
  const iso = isoOf(typeof value === "string" && /^\d{4}-\d\d-\d\dT/.test(value) ? Date.parse(value) / 1000 : value);
  return iso === undefined ? String(value ?? "") : localTime(Date.parse(iso));
}

/** A time in a column. Tables show it as `timeText` does, and other forms have it in UTC. */
export class Moment {
  constructor(private readonly value: unknown) {}
  toString(): string {
    return timeText(this.value);
  }
  toJSON(): unknown {
    return isoTime(this.value);
  }
}

/** Returns a cell with a time. Absent values are empty cells. */
export const timeCell = (value: unknown): Moment | undefined =>
  value === undefined || value === null ? undefined : new Moment(value);

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

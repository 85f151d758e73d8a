/** Points in time as people and scripts write them. */
import { valueNamed } from "../common/object-members.ts";
import { Usage } from "../errors.ts";
import { readDuration } from "./units.ts";

const iso =
  /^(?<date>\d{4}-\d\d-\d\d)(?:[T ](?<time>\d\d:\d\d)(?::(?<second>\d\d)(?:[.,]\d+)?)?)?(?: ?(?<zone>Z|[+-](?:[01]\d|2[0-3])(?::?[0-5]\d)?))?$/i;

/** Writes `z`, `+01`, `-0530` as `Date.parse` reads them. */
const zoneOf = (zone: string): string =>
  zone.toUpperCase().replace(/^([+-]\d\d):?(\d\d)?$/, (_, hours, minutes = "00") => `${hours}:${minutes}`);

/** The year 5138. A larger number is in milliseconds, and after all that there is. */
export const latestTime = 1e11;

/**
 * Reads Unix seconds or ISO 8601, without fractions of a second. The default zone is that of this machine, and the default
 * time is midnight.
 */
export function readUnixSeconds(text: string, flag: string): number {
  const { date, time = "00:00", second = "00", zone = "" } = iso.exec(text)?.groups ?? {};
  const number = /^-?\d+$/.test(text) ? Number(text) : Date.parse(`${date}T${time}:${second}${zoneOf(zone)}`) / 1000;
  // Date.parse reads 30 February as another day.
  const isDay = date === undefined || new Date(Date.parse(date)).toJSON()?.startsWith(date);
  if (Number.isInteger(number) && number < latestTime && isDay) return number;
  throw new Usage(`${flag}: invalid time "${text}"`, {
    hint: `Pass Unix seconds or ISO 8601: ${flag} 1764547200, ${flag} 2025-12-01T00:00:00Z.`,
  });
}

/** Days whose beginning is meant, in the zone of this machine. */
const days: Readonly<Record<string, number>> = { today: 0, yesterday: 1 };

function beginningOf(now: number, daysBack: number): number {
  const date = new Date(now);
  date.setDate(date.getDate() - daysBack);
  return date.setHours(0, 0, 0, 0) / 1000;
}

/**
 * Reads a span of time before `now` (milliseconds), such as `7d`, `today`, or a point in time. Returns Unix seconds.
 */
export function readMoment(now: number, text: string, flag: string): number {
  const back = readDuration(text);
  if (back !== undefined) return (now - back) / 1000;
  const daysBack = valueNamed(days, text.trim().toLowerCase());
  if (daysBack !== undefined) return beginningOf(now, daysBack);
  try {
    // Without a unit it would be a second of 1970, and not days, or a year.
    if (/^-?\d{1,8}$/.test(text)) throw new Usage(`${flag}: invalid time "${text}"`);
    return readUnixSeconds(text, flag);
  } catch (error) {
    if (!(error instanceof Usage)) throw error;
    throw new Usage(error.message, {
      hint: `Pass a span of time back, such as ${flag} 7d, today, or ISO 8601. See: zulipctl help times`,
    });
  }
}

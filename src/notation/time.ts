/** Points in time as people and scripts write them. */
import { Usage } from "../errors.ts";

const iso =
  /^(?<year>\d{4})-(?<month>\d\d)-(?<day>\d\d)(?:[T ](?<hour>\d\d):(?<minute>\d\d)(?::(?<second>\d\d)(?:[.,]\d+)?)?)?(?<zone>[Zz]|[+-]\d\d(?::?\d\d)?)?$/;

/** Minutes ahead of UTC; undefined for a zone that cannot be. */
function offset(zone: string): number | undefined {
  if (/^z$/i.test(zone)) return 0;
  const [, sign, hours, minutes = "0"] = /^([+-])(\d\d):?(\d\d)?$/.exec(zone)!;
  if (Number(hours) > 23 || Number(minutes) > 59) return undefined;
  return (sign === "-" ? -1 : 1) * (Number(hours) * 60 + Number(minutes));
}

/**
 * Unix seconds, from whole Unix seconds or from ISO 8601 (fractions of a second are cut). Without a zone it is the local
 * time of this machine; a date alone is its midnight.
 */
export function unixSeconds(text: string, flag: string): number {
  const wrong = (): never => {
    throw new Usage(`${flag}: invalid time "${text}"`, {
      hint: `Pass Unix seconds or ISO 8601: ${flag} 1764547200, ${flag} 2025-12-01T00:00:00Z.`,
    });
  };
  if (/^-?\d+$/.test(text)) return Number.isSafeInteger(Number(text)) ? Number(text) : wrong();
  const parts = iso.exec(text)?.groups ?? wrong();
  const [year, month, day, hour, minute, second] = ["year", "month", "day", "hour", "minute", "second"].map((part) =>
    Number(parts[part] ?? 0),
  ) as [number, number, number, number, number, number];
  const utc = new Date(Date.UTC(year, month - 1, day, hour, minute, second));
  utc.setUTCFullYear(year, month - 1, day);
  // What is no date (30 February, 25 o'clock) comes out as another.
  const same =
    utc.getUTCMonth() === month - 1 &&
    utc.getUTCDate() === day &&
    utc.getUTCHours() === hour &&
    minute < 60 &&
    second < 60;
  if (!same) wrong();
  if (!parts.zone) {
    const local = new Date(year, month - 1, day, hour, minute, second);
    local.setFullYear(year, month - 1, day);
    return Math.floor(local.getTime() / 1000);
  }
  const ahead = offset(parts.zone) ?? wrong();
  return utc.getTime() / 1000 - ahead * 60;
}

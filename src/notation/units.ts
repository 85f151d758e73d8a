/** Sizes and spans of time as people write them. */

import { valueNamed } from "../common/object-members.ts";
import { day, hour, minute } from "../common/unit-sizes.ts";
import { unitOf } from "../model/unit.ts";

const prefixes = ["", "k", "m", "g", "t", "p"];

/** Reads `10MB` or `1.5 GiB` in bytes. Undefined if invalid. */
export function readSize(text: string): number | undefined {
  const [, number, prefix = "", binary] = /^(\d{1,15}(?:\.\d{1,6})?)\s?(?:([kmgtp])(i)?)?b?$/i.exec(text.trim()) ?? [];
  if (number === undefined) return undefined;
  const bytes = Number(number) * (binary ? 1024 : 1000) ** prefixes.indexOf(prefix.toLowerCase());
  return Number.isSafeInteger(Math.round(bytes)) ? Math.round(bytes) : undefined;
}

const spans = { y: 365 * day, w: 7 * day, d: day, h: hour, m: minute, s: 1000 };

/**
 * Reads `1y` (365 days), `2w`, `90d`, `12h`, `30m` (minutes) or `10s` in milliseconds. Undefined if invalid, also for
 * `3M`, which can mean months.
 */
export function readDuration(text: string): number | undefined {
  const [, count, unit] = /^(\d{1,6})([ywdhmsYWDHS])$/.exec(text.trim()) ?? [];
  const span = valueNamed(spans, unit?.toLowerCase());
  return span && Number(count) * span;
}

/** Converts a span of time to the unit of a setting or attribute: `10m` to `600` seconds. Returns other texts unchanged. */
export function convertSpan(name: string, text: string): string {
  const unit = unitOf(name);
  const span = unit && readDuration(text);
  if (span === undefined) return text;
  return String(span / (unit === "day" ? spans.d : spans.s));
}

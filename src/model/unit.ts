/** The units of settings and attributes that are numbers. */
import { counted } from "../common/counted.ts";

/** Returns the unit of a setting or attribute. */
export const unitOf = (name: string): "second" | "day" | undefined =>
  name.endsWith("_seconds") ? "second" : /_days$|^waiting_period_threshold$/.test(name) ? "day" : undefined;

export const spanExample = (unit: "second" | "day"): string => `a span such as ${unit === "day" ? "2w" : "10m"}`;

const lengths = [
  ["day", 86_400],
  ["hour", 3600],
  ["minute", 60],
] as const;

/** Adds the unit of a setting or attribute to a number: `10 minutes (600)`, `30 days`. Returns other values unchanged. */
export function withUnit(name: string, value: unknown): unknown {
  const unit = unitOf(name);
  if (!unit || typeof value !== "number" || value < 0) return value;
  const [larger, length] = lengths.find(([, length]) => unit === "second" && value > 0 && value % length === 0) ?? [];
  return length ? `${counted(value / length, larger ?? unit)} (${value})` : counted(value, unit);
}

/** The file in which processes of one account tell each other how much they have asked of its server. */
import type { Learned } from "./rate-window.ts";

/** A process that sends much, as the shared file knows it. Times are milliseconds since the epoch. */
export interface Sharer {
  /** It wants its part until then. */
  until: number;
  underway: number;
  calls: number[];
}

export interface Shared {
  rules: Learned[];
  sharers: Record<string, Sharer>;
}

const isSharer = (value: unknown): value is Sharer => {
  const { until, underway, calls } = Object(value);
  return Number.isFinite(until) && Number.isInteger(underway) && Array.isArray(calls) && calls.every(Number.isFinite);
};
const isRule = (value: unknown): value is Learned => {
  const { window, capacity, at } = Object(value);
  return window > 0 && capacity > 0 && Number.isFinite(at);
};

/** Whatever the text is. */
export function parse(text: string | undefined): Shared {
  try {
    const { rules = [], sharers = {} }: Partial<Shared> = JSON.parse(text ?? "{}");
    const entries = Object.entries(sharers).filter(([, sharer]) => isSharer(sharer));
    return { rules: rules.filter(isRule), sharers: Object.fromEntries(entries) };
  } catch {
    // A file that cannot be read says nothing.
    return { rules: [], sharers: {} };
  }
}

/**
 * True where objects and lists are nested deeper than `limit`. Parsing such JSON does no harm, but printing what it
 * gives would exhaust the stack.
 */
export function deeperThan(limit: number, value: unknown): boolean {
  if (typeof value !== "object" || value === null) return false;
  if (limit === 0) return true;
  if (Array.isArray(value)) return value.some((item) => deeperThan(limit - 1, item));
  for (const name in value) if (deeperThan(limit - 1, (value as Record<string, unknown>)[name])) return true;
  return false;
}

/** No server nests its data deeper than a dozen levels. */
export const deepest = 200;

/** Names that were perhaps meant. */
import { distance } from "fastest-levenshtein";

const most = 3;

/** The nearest first; none where all are far. */
export function nearest(wanted: string, names: readonly string[]): string[] {
  const word = wanted.toLowerCase();
  const allowed = Math.max(1, Math.min(3, Math.floor(word.length / 3)));
  return names
    .flatMap((name) => {
      // Two words differ by what one is longer at least.
      if (Math.abs(name.length - word.length) > allowed) return [];
      const far = distance(word, name.toLowerCase());
      return far <= allowed ? [{ name, far }] : [];
    })
    .sort((a, b) => a.far - b.far)
    .slice(0, most)
    .map(({ name }) => name);
}

/** `; is a or b meant?`, where there is something near. */
export function meant(wanted: string, names: readonly string[]): string {
  const near = nearest(wanted, names);
  if (!near.length) return "";
  const last = near.pop()!;
  return `; is ${[near.join(", "), last].filter(Boolean).join(" or ")} meant?`;
}

/** Names that were perhaps meant. */
import { distance } from "fastest-levenshtein";

const most = 3;

/** The nearest, where several are equally near a few of them; none where all are far. */
export function nearest(wanted: string, names: readonly string[]): string[] {
  const word = wanted.toLowerCase();
  const domain = word.includes("@") ? word.slice(word.lastIndexOf("@")) : "";
  const near = names.flatMap((name) => {
    // Everybody has the domain of the house: what stands before it tells people apart.
    const { length } = domain && name.toLowerCase().endsWith(domain) ? word.slice(0, -domain.length) : word;
    const allowed = Math.max(1, Math.min(3, Math.floor(length / 3)));
    // Two words differ by what one is longer at least.
    if (Math.abs(name.length - word.length) > allowed) return [];
    const far = distance(word, name.toLowerCase());
    return far <= allowed ? [{ name, far }] : [];
  });
  const least = Math.min(...near.map(({ far }) => far));
  return near.flatMap(({ name, far }) => (far === least ? [name] : [])).slice(0, most);
}

/** `; is a or b meant?`, where there is something near. */
export function meant(wanted: string, names: readonly string[]): string {
  const near = nearest(wanted, names);
  if (!near.length) return "";
  const last = near.pop()!;
  return `; did you mean ${[near.join(", "), last].filter(Boolean).join(" or ")}?`;
}

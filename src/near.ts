/** Suggestions for misspelled words. */
import { distance } from "fastest-levenshtein";

/** The largest number of suggestions. */
const most = 5;

const plain = (word: string): string => word.toLowerCase().replace(/^-+/, "");

/**
 * Returns names that contain a word or are similar to it, the most similar first. Case does not matter, and neither do
 * the dashes of flags.
 */
export function similarNames(word: string, names: readonly string[]): string[] {
  const typed = plain(word);
  const off = (name: string) => (typed.length > 2 && name.includes(typed) ? 1 : distance(typed, name));
  return names
    .map((name) => ({ name, off: off(plain(name)) }))
    .filter(({ name, off }) => off <= Math.min(3, 1 + Math.floor(Math.min(typed.length, plain(name).length) / 4)))
    .sort((one, other) => one.off - other.off)
    .slice(0, most)
    .map(({ name }) => name);
}

/** Returns `Did you mean: channel, channels?`. Undefined if no name is similar. */
export function didYouMean(word: string, names: readonly string[]): string | undefined {
  const all = similarNames(word, names);
  return all.length ? `Did you mean: ${all.join(", ")}?` : undefined;
}

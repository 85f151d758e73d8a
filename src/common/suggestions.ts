/** Suggestions for misspelled words. */
import { distance } from "fastest-levenshtein";
import { nfc } from "./folding.ts";
import { groupBy } from "./group-by.ts";

/** The largest number of suggestions. */
const most = 5;

const normalized = (word: string): string => nfc(word).toLowerCase().replace(/^-+/, "");

const sortedLetters = (word: string): string => [...word].sort().join("");

/** Counts typing errors: 1 for a part of the name, and for the same letters in another order. */
function errorsIn(word: string, name: string): number {
  if (word === name) return 0;
  if ((word.length > 2 && name.includes(word)) || sortedLetters(word) === sortedLetters(name)) return 1;
  return distance(word, name);
}

/** A word of one letter is not similar to another letter. */
const allowedErrors = (typed: number, length: number): number =>
  Math.min(3, Math.ceil(Math.min(typed, length) / 4), Math.max(typed, length) - 1);

/** Returns the names that are similar to a word, the most similar first. Case and dashes of flags do not matter. */
export function similarNames(word: string, names: readonly string[]): string[] {
  const typed = normalized(word);
  return names
    .map((name) => ({ name, length: normalized(name).length, errors: errorsIn(typed, normalized(name)) }))
    .filter(({ length, errors }) => errors <= allowedErrors(typed.length, length))
    .sort((one, other) => one.errors - other.errors)
    .slice(0, most)
    .map(({ name }) => name);
}

/** Returns the names with the fewest typing errors, case aside, if they have at most `allowed`. */
export function nearestNames(word: string, names: readonly string[], allowed: number): string[] {
  // Names of another length need no comparison: an organization has thousands.
  const possible = names.filter((name) => Math.abs(name.length - word.length) <= allowed);
  const found = groupBy(possible, (name) => distance(word.toLowerCase(), name.toLowerCase()));
  const least = Math.min(...found.keys());
  return least <= allowed ? (found.get(least) ?? []) : [];
}

/** Returns `Did you mean: channel, channels?`. Undefined if no name is similar. */
export function didYouMean(word: string, names: readonly string[]): string | undefined {
  const all = similarNames(word, names);
  if (!all.length) return undefined;
  const visible = word.replace(/\p{Cf}/gu, "");
  const more = visible !== word && all.includes(visible) ? " What was typed has an invisible character." : "";
  return `Did you mean: ${all.join(", ")}?${more}`;
}

/** Words of a fixed choice, as people write them. */

const normalized = (word: string): string => word.trim().toLowerCase().replaceAll("-", "_");

/** Returns the word that is meant. Case, blanks around it, and dashes instead of underscores do not matter. */
export const chosenWord = <const W extends string>(words: readonly W[], typed: string): W | undefined =>
  words.find((word) => normalized(word) === normalized(typed));

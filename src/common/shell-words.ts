/** Quotes words for a shell. */

export const quoteWord = (word: string): string =>
  /^(?:[\w@%+=:,./-]|\{\w+\})+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;

/** Returns a command line of this program, ready to paste. */
export const commandLine = (words: readonly string[]): string => ["zulipctl", ...words].map(quoteWord).join(" ");

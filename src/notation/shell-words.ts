/** Words as a shell reads them back. */

export const quoted = (word: string): string =>
  /^(?:[\w@%+=:,./-]|\{\w+\})+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;

/** A command line of this program, to be typed or pasted as it stands. */
export const commandLine = (words: readonly string[]): string => ["zulipctl", ...words].map(quoted).join(" ");

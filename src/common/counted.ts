/** Formats numbers with nouns. */

/** `1 bot`, `3 bots`. `many`: an irregular plural. */
export const counted = (count: number, one: string, many = `${one}s`): string => `${count} ${count === 1 ? one : many}`;

/** `2 people and 1 bot`. Zero is omitted. */
export const peopleAndBots = (people: number, bots: number): string =>
  [people && counted(people, "person", "people"), bots && counted(bots, "bot")].filter(Boolean).join(" and ");

let inEnglish: Intl.ListFormat | undefined;

/** `a, b and c`. */
export function andList(all: readonly string[]): string {
  inEnglish ??= new Intl.ListFormat("en-GB");
  return inEnglish.format(all);
}

/** The largest number of things that a sentence names, if it does not say otherwise. */
export const mostNamed = 5;

/** `a, b and 3 more`: at most `most` are listed, with the separator between them. */
export function joinFirst(all: readonly string[], most = mostNamed, separator = ", "): string {
  const more = all.length > most ? ` and ${all.length - most} more` : "";
  return `${all.slice(0, most).join(separator)}${more}`;
}

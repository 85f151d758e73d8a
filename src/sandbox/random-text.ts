const letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";

/** Text of so many characters, each of them as likely as any other. */
export const randomText = (random: () => number, length: number, alphabet = letters): string =>
  Array.from({ length }, () => alphabet[Math.floor(random() * alphabet.length)]).join("");

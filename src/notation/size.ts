/** Sizes as people write them: `10MB`, `1.5 GiB`. */

const powers = ["", "k", "m", "g", "t", "p"];

/** Bytes; undefined for what is no size. */
export function readSize(text: string): number | undefined {
  const [, number, prefix = "", binary] = /^(\d{1,15}(?:\.\d{1,6})?)\s?(?:([kmgtp])(i)?)?b?$/i.exec(text.trim()) ?? [];
  if (number === undefined) return undefined;
  const bytes = Number(number) * (binary ? 1024 : 1000) ** powers.indexOf(prefix.toLowerCase());
  return Number.isSafeInteger(Math.round(bytes)) ? Math.round(bytes) : undefined;
}

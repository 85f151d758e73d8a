/** Servers nest data at most a dozen levels deep. Printing very deep data would exhaust the stack. */
const maxDepth = 200;

export const isTooDeep = (value: unknown, levels = maxDepth): boolean =>
  typeof value === "object" &&
  value !== null &&
  (levels === 0 || Object.values(value).some((each) => isTooDeep(each, levels - 1)));

/** The largest number of lists and objects in memory. Each needs up to a hundred bytes. */
const maxValues = 5_000_000;

/** The text has more lists and objects than any server sends. */
export class TooLarge extends SyntaxError {
  override readonly name = "TooLarge";
}

/** Parses JSON. Throws `TooLarge` for a text that would need gigabytes of memory. */
export function parseJson(text: string): unknown {
  let count = 0;
  if (text.length > maxValues)
    for (const opening of ["{", "["])
      for (let at = text.indexOf(opening); at >= 0; at = text.indexOf(opening, at + 1))
        if (++count > maxValues) throw new TooLarge("too many values");
  return JSON.parse(text);
}

/** No server nests its data deeper than a dozen levels. Printing what is nested much deeper would exhaust the stack. */
const deepest = 200;

export const isTooDeep = (value: unknown, levels = deepest): boolean =>
  typeof value === "object" &&
  value !== null &&
  (levels === 0 || Object.values(value).some((each) => isTooDeep(each, levels - 1)));

/** Features of the main branch that a release got earlier. The levels of the release are kept for it: they are ranges. */
type Ranges = readonly (readonly [first: number, last: number])[];

const newer = Number.POSITIVE_INFINITY;

/** Exports made before the organization moved to the server are listed as such. */
export const priorExports: Ranges = [
  [499, 501],
  [506, newer],
];

/** `require_e2ee_push_notifications` stops old kinds of push notifications. Before, they only had no content. */
export const onlyEncryptedPushes: Ranges = [
  [500, 501],
  [504, newer],
];

export const isWithin = (ranges: Ranges, level: number): boolean =>
  ranges.some(([first, last]) => first <= level && level <= last);

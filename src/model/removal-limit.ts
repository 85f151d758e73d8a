/** How many entries of lists one command may remove: `--max-removals 12` or `--max-removals 5%`. */

export interface RemovalLimit {
  readonly most: number;
  /** Percent of each list. Otherwise a number of entries. */
  readonly isPercent?: true;
}

export const unlimitedRemovals: RemovalLimit = { most: Number.POSITIVE_INFINITY };

/** The largest number of removals without a flag. */
export const fewRemovals = 10;

/** Without a terminal, more deletions of messages than this require `--keep` or `--no-keep`. */
export const mostWithoutCopy = 20;

/** What one list loses. */
export interface Removals {
  readonly count: number;
  /** The length of the list before. */
  readonly total: number;
}

/** Undefined for an invalid text. */
export function readRemovalLimit(typed: string): RemovalLimit | undefined {
  const [, digits, percent] = /^(\d{1,9})(%?)$/.exec(typed.trim()) ?? [];
  if (digits === undefined || (percent && Number(digits) > 100)) return undefined;
  return { most: Number(digits), ...(percent && { isPercent: true }) };
}

export const limitText = ({ most, isPercent }: RemovalLimit): string => `${most}${isPercent ? "%" : ""}`;

export const isMoreThanTenth = ({ count, total }: Removals): boolean => count * 10 > total;

/** Returns whether the limit does not cover what one list loses. */
export const exceeds = ({ count, total }: Removals, { most, isPercent }: RemovalLimit): boolean =>
  isPercent ? count * 100 > most * total : count > most;

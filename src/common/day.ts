/** A day in milliseconds. */
export const day = 24 * 3600 * 1000;

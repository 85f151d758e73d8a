/** Measures texts in terminal columns. */
import stringWidth from "string-width";

/** Latin text is common and needs no measuring. */
const latin = /^[\x20-\x7E\xA0-\xAC\xAE-\u02FF]*$/;

/** Returns the width of one line without control characters. */
export const textWidth = (text: string): number => (latin.test(text) ? text.length : stringWidth(text));

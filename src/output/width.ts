/** How many columns of a terminal texts take. */
import stringWidth from "string-width";

/** Latin text, most of what there is, which needs no closer look. */
const latin = /^[\x20-\x7E\xA0-\xAC\xAE-\u02FF]*$/;

/** Of one line without control characters. */
export const textWidth = (text: string): number => (latin.test(text) ? text.length : stringWidth(text));

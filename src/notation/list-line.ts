/** Lines of list files, which flags and organization files read alike. */
import { trimmed } from "./blanks.ts";

/** Returns a line without its comment: a line that begins with `#`, or what follows ` # `. */
export const listLine = (line: string): string => trimmed(line.replace(/^\s*#.*|\s#(\s.*)?$/, ""));

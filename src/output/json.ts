import { escaped } from "./sanitize.ts";

/** `indent` 0 gives one line. Control, bidirectional and invisible characters stand as `\uXXXX`. */
export const jsonText = (value: unknown, indent = 0): string =>
  escaped(JSON.stringify(value, undefined, indent) ?? "null");

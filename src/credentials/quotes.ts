/** Finds quotes that a shell, an env file or a word processor left around a value. */
import { Usage } from "../errors.ts";

const marks = "\"'`\u00b4\u2018\u2019\u201a\u201c\u201d\u201e\u00ab\u00bb\u2039\u203a";
const atEdge = new RegExp(`^[${marks}]|[${marks}]$`);

/** Returns whether a value begins or ends with a quote. */
const isQuoted = (text: string): boolean => atEdge.test(text.trim());

/** Throws `Usage` for quotes around a value, which is not quoted: it may be secret. `name`: the flag, variable or option. */
export function refuseQuotes(text: string, name: string): void {
  if (isQuoted(text)) throw new Usage(`${name} has quotes around it: remove the quotes`, { outcome: "not_sent" });
}

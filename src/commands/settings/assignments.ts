import { Usage } from "../../errors.ts";

/** Reads `name=value`. `what`: the place in messages. `nameOf` returns the name of a typed one. */
export function readAssignments(
  nameOf: (typed: string) => string,
  all: readonly string[],
  what: string,
): Map<string, string> {
  const assignments = new Map<string, string>();
  for (const text of all) {
    const at = text.indexOf("=");
    if (at < 0) throw new Usage(`${what} must be <name>=<value>: "${text}" has no =`);
    const name = nameOf(text.slice(0, at));
    const value = text.slice(at + 1);
    if (assignments.has(name) && assignments.get(name) !== value) throw new Usage(`${what} names ${name} twice`);
    assignments.set(name, value);
  }
  return assignments;
}

/** Compares the interface of a release with the present one. New things are no loss. */
import type { Interface } from "./interface.ts";

/** Lists what an interface has: `commands channel list flags --role`, `commands channel list flags --role choices: owner`. */
function facts(value: unknown, path: readonly string[] = []): string[] {
  const name = path.join(" ");
  if (typeof value === "string") return value.split("|").map((kind) => `${name}: ${kind}`);
  if (typeof value !== "object" || value === null) return [`${name}: ${value}`];
  const members = Object.entries(value).flatMap(([key, each]) =>
    // The order of names and choices is free. The order of arguments is not.
    facts(each, Array.isArray(value) && typeof each === "string" ? path : [...path, key]),
  );
  return [name, ...members];
}

/** Returns what is gone, and what existing commands newly require. */
export function findLosses({ version: _, ...before }: Interface, { version: __, ...now }: Interface): string[] {
  const [oldFacts, newFacts] = [new Set(facts(before)), new Set(facts(now))];
  const gone = [...oldFacts].filter((fact) => !newFacts.has(fact) && !fact.endsWith(" required: true"));
  const isWithin = (fact: string) => gone.some((whole) => fact.startsWith(`${whole} `) || fact.startsWith(`${whole}:`));
  const breaks = (fact: string): boolean => {
    if (oldFacts.has(fact)) return false;
    const [, command] = /^(commands .*?) (?:arguments|flags) .* required: true$/.exec(fact) ?? [];
    const [, flag] = /^(.*flags --\S+) value: /.exec(fact) ?? [];
    if (flag !== undefined) return oldFacts.has(flag);
    return command === undefined ? fact.endsWith(" required: true") : oldFacts.has(command);
  };
  return [...gone.filter((fact) => !isWithin(fact)), ...[...newFacts].filter(breaks)];
}

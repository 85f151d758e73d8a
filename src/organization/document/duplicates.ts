/** Entries that are about one thing. */
import { brief } from "../check.ts";
import type { Entry } from "../content.ts";
import { sections } from "../file.ts";
import type { ThingSection } from "../words.ts";
import { entriesOf, type Stated, sameName } from "./entries.ts";
import { inWords } from "./problems.ts";

/** Things may have one name where ids tell them apart: so does an export write them. */
const apart = (one: Entry, other: Entry): boolean =>
  one.id !== undefined && other.id !== undefined && one.id !== other.id;

export function twice(stated: Stated, name: ThingSection): void {
  const { at, problems } = stated;
  const section = sections[name];
  const named = new Map<string, [number, Entry][]>();
  const pinned = new Map<unknown, number>();
  const tell = (path: readonly [number, string], first: number, what: string) =>
    problems.add(
      () => at([name, ...path]),
      () => `${what} appears twice; first in ${inWords(at([name, first, path[1]]))}`,
    );
  for (const [n, entry] of entriesOf(stated, name)) {
    const parts = section.key.map((member) => sameName(section, entry[member]));
    const last = section.key.at(-1)!;
    const key = parts.includes(undefined) ? undefined : parts.join("\0");
    const others = key === undefined ? [] : (named.get(key) ?? []);
    const other = others.find(([, one]) => !apart(one, entry));
    if (other) tell([n, last], other[0], `"${brief(String(entry[last]))}"`);
    if (key !== undefined) named.set(key, [...others.slice(0, 100), [n, entry]]);
    const { id } = entry;
    if (id === undefined) continue;
    const first = pinned.get(id);
    if (first === undefined) pinned.set(id, n);
    else if (first !== other?.[0]) tell([n, "id"], first, `the id ${id}`);
  }
}

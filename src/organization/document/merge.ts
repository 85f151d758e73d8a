/** Several files as one: the lists of their sections one after the other, the keys of their settings side by side. */
import { type Content, isEntry, siteOf } from "../content.ts";
import { thingSections } from "../file.ts";
import { type Part, type Problems, partIn, placeOf, placeText, setParts } from "./places.ts";

/** A list or mapping that is put together, and where each part of it comes from. */
class Merged {
  readonly value: object;
  readonly #parts = new Map<string | number, Part>();

  constructor(value: object) {
    this.value = value;
    setParts(value, (step) => this.#parts.get(step));
  }

  part(step: string | number): Part | undefined {
    return this.#parts.get(step);
  }

  set(step: string | number, value: unknown, part: Part): void {
    Reflect.set(this.value, step, value);
    this.#parts.set(step, part);
  }
}

const lists = new Set<string>(["complete", ...thingSections]);

/** What all files say. A section that is not of its kind is left out: the check has found it. */
export function mergeFiles(files: readonly unknown[], problems: Problems): Content {
  const all = new Merged({});
  const collections = new Map<string, Merged>();

  function add(name: string, value: unknown, part: Part): void {
    if (name === "organization" && typeof value === "string") {
      const first = all.part(name);
      if (!first) all.set(name, value, part);
      else if (siteOf(String(Reflect.get(all.value, name))) !== siteOf(value))
        problems.add(placeOf(part), `different organization than in ${placeText(placeOf(first))}`);
    } else if (lists.has(name) ? Array.isArray(value) : isEntry(value)) {
      const target = collections.get(name) ?? new Merged(Array.isArray(value) ? [] : {});
      if (!collections.has(name)) all.set(name, target.value, part);
      collections.set(name, target);
      for (const [key, member] of Object.entries(Object(value)))
        addTo(target, Array.isArray(target.value) ? target.value.length : key, member, partIn(value, key)!);
    }
  }

  function addTo(target: Merged, key: string | number, value: unknown, part: Part): void {
    const first = target.part(key);
    if (first)
      problems.add(placeOf(part, "key"), `"${key}" appears twice; first in ${placeText(placeOf(first, "key"))}`);
    else target.set(key, value, part);
  }

  for (const file of files)
    if (isEntry(file)) for (const [name, value] of Object.entries(file)) add(name, value, partIn(file, name)!);
  return all.value;
}

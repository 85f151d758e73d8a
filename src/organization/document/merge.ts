/** Merges files: joins the lists of sections, and the keys of settings. */
import { type Content, isEntry, isSites, sitesOf } from "../content.ts";
import { thingSections } from "../file.ts";
import { type Part, type Problems, partIn, placeOf, placeText, setParts } from "./places.ts";

const lists = new Set<string>(["complete", ...thingSections]);

/** Merges values. Sections of the wrong type are skipped: the check has reported them. */
export function mergeFiles(files: readonly unknown[], problems: Problems): Content {
  const all = {};
  const parts = new Map<unknown, Map<string | number, Part>>();

  function set(target: object, key: string | number, value: unknown, part: Part): void {
    const own = parts.get(target) ?? new Map<string | number, Part>();
    if (!parts.has(target)) setParts(target, (step) => own.get(step));
    parts.set(target, own.set(key, part));
    Reflect.set(target, key, value);
  }

  function add(name: string, value: unknown, part: Part): void {
    const there: unknown = Reflect.get(all, name);
    if (name === "organization" && isSites(value)) {
      const first = partIn(all, name);
      if (!first) set(all, name, value, part);
      else if (isSites(there) && sitesOf(there).join() !== sitesOf(value).join())
        problems.add(placeOf(part), `different organization than in ${placeText(placeOf(first))}`);
    } else if (lists.has(name) ? Array.isArray(value) : isEntry(value)) {
      const target = Object(there ?? (Array.isArray(value) ? [] : {}));
      if (!there) set(all, name, target, part);
      for (const [key, member] of Object.entries(Object(value)))
        addTo(target, Array.isArray(target) ? target.length : key, member, partIn(value, key)!);
    }
  }

  function addTo(target: object, key: string | number, value: unknown, part: Part): void {
    const first = partIn(target, key);
    if (first)
      problems.add(placeOf(part, "key"), `"${key}" appears twice; first in ${placeText(placeOf(first, "key"))}`);
    else set(target, key, value, part);
  }

  for (const file of files)
    if (isEntry(file)) for (const [name, value] of Object.entries(file)) add(name, value, partIn(file, name)!);
  return all;
}

/** Where the parts of a value stand in files. */
import { isEntry, type Path, type Place } from "../content.ts";
import type { SourceText } from "./source.ts";

/** Where a value begins, and the key before it. */
export interface Part {
  readonly source: SourceText;
  readonly value: number;
  readonly key: number;
}

type Find = (step: string | number) => Part | undefined;

const finds = new WeakMap<object, Find>();

/** Says where the parts of a list or mapping stand. */
export const setParts = (container: object, find: Find): void => void finds.set(container, find);

export const partIn = (container: unknown, step: string | number): Part | undefined =>
  isEntry(container) || Array.isArray(container) ? finds.get(container)?.(step) : undefined;

export const placeOf = ({ source, ...part }: Part, side: "value" | "key" = "value"): Place => source.place(part[side]);

/** The place of what stands at the end of a path, as far as there is anything. */
export function placeIn(value: unknown, start: Part, path: Path, key?: "key"): Place {
  let [here, part] = [value, start];
  for (const step of path) {
    const next = partIn(here, step);
    if (!next) break;
    part = next;
    here = Reflect.get(Object(here), step);
  }
  return placeOf(part, key);
}

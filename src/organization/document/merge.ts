/** Several files as one: the lists of their sections one after the other, the keys of their settings side by side. */
import { sections } from "../file.ts";
import { type Content, isEntry, type Path, type Place } from "../place.ts";
import { siteOf } from "../site.ts";
import { type SectionName, sectionWords } from "../words.ts";
import { set } from "./compose.ts";
import type { Origins } from "./lists.ts";
import { inWords, type Problems } from "./problems.ts";

/** A part of a list, and the index at which it begins there. */
interface Piece {
  readonly from: number;
  readonly origins: Origins;
}

const isSection = (name: string): name is SectionName => Object.hasOwn(sections, name);

/** Of what files say; a section that is not of its kind is left out, and has been told of. */
export class Merged {
  readonly #settings = new Map<string, { value: Record<string, unknown>; of: Map<string, Origins> }>();
  readonly #lists = new Map<string, { value: unknown[]; pieces: Piece[] }>();
  readonly #first: Origins | undefined;
  #organization: { value: string; origins: Origins } | undefined;

  constructor(files: readonly Origins[], problems: Problems) {
    this.#first = files[0];
    for (const origins of files) this.#take(origins, problems);
  }

  get value(): Content {
    const sections = sectionWords.flatMap((name): [string, unknown][] => {
      const found = this.#settings.get(name) ?? this.#lists.get(name);
      return found ? [[name, found.value]] : [];
    });
    const complete = this.#lists.get("complete")?.value;
    return {
      ...(this.#organization && { organization: this.#organization.value }),
      ...(complete && { complete }),
      ...Object.fromEntries(sections),
    } as Content;
  }

  at(path: Path, key?: "key"): Place {
    const [section, step, ...rest] = path as [string, ...Path];
    const nowhere = () => this.#first?.at([]) ?? { file: "", line: 1, column: 1 };
    if (section === "organization") return this.#organization?.origins.at(path, key) ?? nowhere();
    const list = this.#lists.get(section);
    if (list) {
      const piece = list.pieces.findLast(({ from }) => from <= (typeof step === "number" ? step : 0));
      if (typeof step !== "number" || !piece) return list.pieces[0]?.origins.at([section], key) ?? nowhere();
      return piece.origins.at([section, step - piece.from, ...rest], key);
    }
    const settings = this.#settings.get(section);
    const origins = settings?.of.get(String(step)) ?? [...(settings?.of.values() ?? [])][0];
    return origins?.at(path, key) ?? nowhere();
  }

  #take(origins: Origins, problems: Problems): void {
    if (!isEntry(origins.value)) return;
    for (const [name, value] of Object.entries(origins.value)) {
      if (name === "organization") this.#name(value, origins, problems);
      else if (name === "complete" || (isSection(name) && sections[name].holds === "things"))
        this.#append(name, value, origins);
      else if (isSection(name)) this.#set(name, value, origins, problems);
    }
  }

  #append(name: string, items: unknown, origins: Origins): void {
    if (!Array.isArray(items)) return;
    const list = this.#lists.get(name) ?? { value: [], pieces: [] };
    this.#lists.set(name, list);
    list.pieces.push({ from: list.value.length, origins });
    for (const item of items) list.value.push(item);
  }

  /** Each file may say which organization it is for, as long as that is the same one. */
  #name(value: unknown, origins: Origins, problems: Problems): void {
    if (typeof value !== "string") return;
    const first = this.#organization;
    this.#organization ??= { value, origins };
    if (first && siteOf(first.value) !== siteOf(value))
      problems.add(
        () => origins.at(["organization"]),
        () => `different organization than in ${inWords(first.origins.at(["organization"]))}`,
      );
  }

  #set(name: string, entries: unknown, origins: Origins, problems: Problems): void {
    if (!isEntry(entries)) return;
    const settings = this.#settings.get(name) ?? { value: {}, of: new Map<string, Origins>() };
    this.#settings.set(name, settings);
    for (const [key, value] of Object.entries(entries)) {
      const first = settings.of.get(key);
      if (first) this.#twice([name, key], first, origins, problems);
      else {
        set(settings.value, key, value);
        settings.of.set(key, origins);
      }
    }
  }

  #twice(path: Path, first: Origins, second: Origins, problems: Problems): void {
    problems.add(
      () => second.at(path, "key"),
      () => `"${path.at(-1)}" appears twice; first in ${inWords(first.at(path, "key"))}`,
    );
  }
}

import type { Entry } from "../engine/journal.ts";
import type { KnownNames } from "../resolve/resolver.ts";

/** What names meant to the run's first process: by then the run may have renamed things itself. */
export class NameCache implements KnownNames {
  /** By kind and name. */
  readonly #known: ReadonlyMap<string, number>;
  readonly #learned = new Map<string, { name: string; is: number; kind: string }>();

  constructor(known: ReadonlyMap<string, number> = new Map()) {
    this.#known = known;
  }

  known(kind: string, name: string): number | undefined {
    const key = `${kind} ${name}`;
    return this.#known.get(key) ?? this.#learned.get(key)?.is;
  }

  learned(kind: string, name: string, is: number): void {
    this.#learned.set(`${kind} ${name}`, { name, is, kind });
  }

  /** What the journal does not hold yet. */
  entries(): Entry[] {
    return [...this.#learned.values()];
  }
}

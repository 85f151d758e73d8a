/** What of a value does not fit its shape: everything at once, each with the way to it. */
import { distance } from "fastest-levenshtein";
import type { Path } from "./content.ts";
import type { Members, Shape } from "./shape.ts";

/** What does not fit, by the way to it. */
export interface Misfit {
  readonly path: Path;
  /** Completes a sentence that begins with where it is. */
  readonly says: string;
  /** It says what the value of the attribute must be. */
  readonly wanted?: true;
  /** It is about the last key of the path, and not about what stands behind it. */
  readonly key?: true;
  /** Of an item that stands in a list twice: its place there. */
  readonly first?: number;
}

type Keyed = Readonly<Record<string, unknown>>;

const isObject = (value: unknown): value is Keyed =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** Of two things whose keys stand in another order the same. */
const canonical = (value: unknown): string =>
  JSON.stringify(value, (_, inner) =>
    isObject(inner) ? Object.fromEntries(Object.entries(inner).sort(([a], [b]) => (a < b ? -1 : 1))) : inner,
  );

/** Different for what differs: of texts, which most are, the text itself. */
const identity = (value: unknown): unknown => (typeof value === "object" ? `\0${canonical(value)}` : value);

const inWords = (words: readonly string[]): string =>
  words.length < 2 ? words.join("") : `${words.slice(0, -1).join(", ")} or ${words.at(-1)}`;

function described(shape: Shape): string[] {
  switch (shape.is) {
    case "text":
      return [shape.names ? `the name of a ${shape.names}` : "text"];
    case "boolean":
      return ["true", "false"];
    case "null":
      return ["null"];
    case "integer":
      return [`a whole number${shape.least === undefined ? "" : ` from ${shape.least} on`}`];
    case "choice":
      return shape.of.map((word) => JSON.stringify(word));
    case "either":
      return shape.of.flatMap(described);
    case "list":
      return ["a list"];
    case "map":
      return ["a mapping"];
    case "members":
      return [`a mapping with ${inWords(Object.keys(shape.members).slice(0, 3))}`];
  }
}

/** Characters of what is quoted. */
const longest = 100;

export const brief = (text: string): string => (text.length > longest ? `${text.slice(0, longest)}…` : text);

/** The key that was meant, where one differs by little. */
function meant(key: string, members: Members): string | undefined {
  if (key.length > longest) return undefined;
  const far = Math.max(1, Math.floor(key.length / 4));
  const near = Object.keys(members)
    .map((name) => ({ name, far: distance(key, name) }))
    .sort((a, b) => a.far - b.far)[0];
  return near && near.far <= far ? near.name : undefined;
}

/** The one of several that a value of this kind was to be, so that what is wrong inside of it can be told. */
export const resembling = (of: readonly Shape[], value: unknown): Shape | undefined =>
  Array.isArray(value)
    ? of.find(({ is }) => is === "list")
    : isObject(value)
      ? of.find(({ is }) => is === "members" || is === "map")
      : undefined;

/** A walk through a value along its shape. */
class Walk {
  readonly misfits: Misfit[] = [];
  count = 0;
  readonly #most: number;
  /** Where it is now. */
  readonly #path: (string | number)[];

  constructor(most: number, path: Path) {
    this.#most = most;
    this.#path = [...path];
  }

  /** There are more than are wanted. */
  get #over(): boolean {
    return this.count > this.#most;
  }

  #add(says: () => string, more: Pick<Misfit, "wanted" | "key" | "first"> = {}): void {
    if (this.count++ < this.#most) this.misfits.push({ path: [...this.#path], says: says(), ...more });
  }

  #into(step: string | number, shape: Shape, value: unknown): void {
    this.#path.push(step);
    this.take(shape, value);
    this.#path.pop();
  }

  take(shape: Shape, value: unknown): void {
    const insist = (right: boolean) => {
      if (!right) this.#add(() => `must be ${inWords(described(shape))}`, { wanted: true });
    };
    switch (shape.is) {
      case "text":
        insist(typeof value === "string");
        if (typeof value === "string" && shape.filled && !/\S/.test(value))
          this.#add(() => "must not be empty", { wanted: true });
        break;
      case "boolean":
        insist(typeof value === "boolean");
        break;
      case "null":
        insist(value === null);
        break;
      case "integer":
        insist(Number.isSafeInteger(value) && (value as number) >= (shape.least ?? Number.MIN_SAFE_INTEGER));
        break;
      case "choice":
        insist(shape.of.includes(value as string));
        break;
      case "either": {
        if (shape.of.some((one) => fits(one, value))) break;
        const one = resembling(shape.of, value);
        if (one) this.take(one, value);
        else insist(false);
        break;
      }
      case "list":
        if (Array.isArray(value)) this.#list(shape, value);
        else insist(false);
        break;
      case "map":
        if (!isObject(value)) insist(false);
        else for (const [key, member] of Object.entries(value)) this.#into(key, shape.of, member);
        break;
      case "members":
        if (isObject(value)) this.#members(shape, value);
        else insist(false);
        break;
    }
  }

  #members({ members, some }: Shape & { is: "members" }, value: Keyed): void {
    // What is misspelt is not missing besides.
    const misspelt = new Set<string | undefined>();
    for (const [key, member] of Object.entries(value)) {
      if (this.#over) return;
      if (Object.hasOwn(members, key)) this.#into(key, members[key]!.shape, member);
      else misspelt.add(this.#unknown(key, members));
    }
    const lacks = (name: string) => !Object.hasOwn(value, name) && !misspelt.has(name);
    for (const [name, { needed }] of Object.entries(members))
      if (needed && lacks(name)) this.#add(() => `"${name}" is missing`);
    if (some?.every(lacks)) this.#add(() => `${inWords(some.map((name) => `"${name}"`))} is missing`);
  }

  /** The key that was meant. */
  #unknown(key: string, members: Members): string | undefined {
    const name = meant(key, members);
    const says = () =>
      key === "<<"
        ? 'unknown key "<<": YAML 1.2 has no merge keys'
        : `unknown key "${brief(key)}"${name ? `; did you mean "${name}"?` : ""}`;
    this.#path.push(key);
    this.#add(says, { key: true });
    this.#path.pop();
    return name;
  }

  #list({ of, distinct }: Shape & { is: "list" }, value: readonly unknown[]): void {
    const seen = new Map<unknown, number>();
    for (const [n, item] of value.entries()) {
      if (this.#over) return;
      this.#into(n, of, item);
      if (!distinct) continue;
      const text = identity(item);
      const first = seen.get(text);
      if (first === undefined) seen.set(text, n);
      else {
        this.#path.push(n);
        this.#add(() => `${brief(canonical(item))} appears twice in this list`, { first });
        this.#path.pop();
      }
    }
  }
}

const fits = (shape: Shape, value: unknown): boolean => {
  const walk = new Walk(0, []);
  walk.take(shape, value);
  return walk.count === 0;
};

/** What of a plain value, as JSON has it, does not fit: so many at most, and whether there is more. */
export function misfitsOf(shape: Shape, value: unknown, most: number): { misfits: readonly Misfit[]; more: boolean } {
  const walk = new Walk(most, []);
  walk.take(shape, value);
  return { misfits: walk.misfits, more: walk.count > most };
}

/** The same, all of it. */
export function problemsOf(shape: Shape, value: unknown, path: Path = []): Misfit[] {
  const walk = new Walk(Number.POSITIVE_INFINITY, path);
  walk.take(shape, value);
  return walk.misfits;
}

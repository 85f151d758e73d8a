/** What of a value does not fit its shape: everything at once, each with the way to it. */
import { distance } from "fastest-levenshtein";
import type { Path } from "./place.ts";
import type { Members, Shape } from "./shape.ts";

/** What does not fit, by the way to it. */
export interface Misfit {
  readonly path: Path;
  /** Completes a sentence that begins with where it is. */
  readonly says: string;
  /** It is about the last key of the path, and not about what stands behind it. */
  readonly key?: true;
}

type Keyed = Readonly<Record<string, unknown>>;

const isObject = (value: unknown): value is Keyed =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** Of two things whose keys stand in another order the same. */
const canonical = (value: unknown): string =>
  JSON.stringify(value, (_, inner) =>
    isObject(inner) ? Object.fromEntries(Object.entries(inner).sort(([a], [b]) => (a < b ? -1 : 1))) : inner,
  );

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

/** The key that was meant, where one differs by little. */
function meant(key: string, members: Members): string | undefined {
  const far = Math.max(1, Math.floor(key.length / 4));
  const near = Object.keys(members)
    .map((name) => ({ name, far: distance(key, name) }))
    .sort((a, b) => a.far - b.far)[0];
  return near && near.far <= far ? near.name : undefined;
}

function problemsOfMembers({ members, some }: Shape & { is: "members" }, value: Keyed, path: Path): Misfit[] {
  const all: Misfit[] = [];
  for (const [key, member] of Object.entries(value)) {
    const at = [...path, key];
    if (Object.hasOwn(members, key)) all.push(...problemsOf(members[key]!.shape, member, at));
    else {
      const name = meant(key, members);
      all.push({ path: at, key: true, says: `there is no “${key}” here${name ? `; is “${name}” meant?` : ""}` });
    }
  }
  for (const [name, { needed }] of Object.entries(members))
    if (needed && !Object.hasOwn(value, name)) all.push({ path, says: `“${name}” is missing` });
  if (some && !some.some((name) => Object.hasOwn(value, name)))
    all.push({ path, says: `${inWords(some.map((name) => `“${name}”`))} is missing` });
  return all;
}

function problemsOfList({ of, distinct }: Shape & { is: "list" }, value: readonly unknown[], path: Path): Misfit[] {
  const seen = new Set<string>();
  return value.flatMap((item, n) => {
    const at = [...path, n];
    const found = problemsOf(of, item, at);
    const text = distinct && canonical(item);
    if (text && seen.has(text)) found.push({ path: at, says: `${text} stands in this list twice` });
    if (text) seen.add(text);
    return found;
  });
}

/** The one of several that a value of this kind was to be, so that what is wrong inside of it can be told. */
const resembling = (of: readonly Shape[], value: unknown): Shape | undefined =>
  Array.isArray(value)
    ? of.find(({ is }) => is === "list")
    : isObject(value)
      ? of.find(({ is }) => is === "members" || is === "map")
      : undefined;

const fits = (shape: Shape, value: unknown): boolean => problemsOf(shape, value).length === 0;

/** Of a plain value, as JSON has it. */
export function problemsOf(shape: Shape, value: unknown, path: Path = []): Misfit[] {
  const wrong = [{ path, says: `it must be ${inWords(described(shape))}` }];
  switch (shape.is) {
    case "text":
      if (typeof value !== "string") return wrong;
      return shape.filled && !/\S/.test(value) ? [{ path, says: "it must not be empty" }] : [];
    case "boolean":
      return typeof value === "boolean" ? [] : wrong;
    case "null":
      return value === null ? [] : wrong;
    case "integer":
      return Number.isSafeInteger(value) && (value as number) >= (shape.least ?? Number.MIN_SAFE_INTEGER) ? [] : wrong;
    case "choice":
      return shape.of.includes(value as string) ? [] : wrong;
    case "either": {
      if (shape.of.some((one) => fits(one, value))) return [];
      const one = resembling(shape.of, value);
      return one ? problemsOf(one, value, path) : wrong;
    }
    case "list":
      return Array.isArray(value) ? problemsOfList(shape, value, path) : wrong;
    case "map":
      return isObject(value)
        ? Object.entries(value).flatMap(([key, member]) => problemsOf(shape.of, member, [...path, key]))
        : wrong;
    case "members":
      return isObject(value) ? problemsOfMembers(shape, value, path) : wrong;
  }
}

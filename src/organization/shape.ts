/** What values in a file may be: schemas of valibot, from which the JSON Schema is made too. */
import { distance } from "fastest-levenshtein";
import * as v from "valibot";
import type { Setting } from "../api/settings.ts";
import type { Replacement } from "../wire/params.ts";
import { type Shape as Form, shapeOf } from "../wire/shape.ts";
import { boolean, record, string, integer as wholeNumber } from "../wire/types.ts";
import { isEntry, type Path } from "./content.ts";

/** What a text names: `person` by e-mail, `name:…` or `id:…`, the others by their names. */
export type Names = "person" | "group" | "channel" | "folder" | "field";

export type Shape = v.GenericSchema;

export interface Member {
  readonly shape: Shape;
  readonly doc: string;
  readonly needed?: true;
  /** The first feature level that knows it. */
  readonly since?: number | undefined;
  /** Servers have another in its place from a level on. */
  readonly until?: Replacement;
  /** The first feature level that knows this value of it. */
  readonly valueSince?: ((value: unknown) => number | undefined) | undefined;
  /** Said of something new alone: no server tells what it is afterwards. */
  readonly untold?: true;
  /** Owners alone may change it. */
  readonly owner?: true;
  /** The setting whose words stand for numbers here. */
  readonly choices?: Setting;
  /** What servers make of a text when they store it. */
  readonly stored?: (text: string) => string;
}

export type Members = Readonly<Record<string, Member>>;

/** What a schema says beyond valibot's own: what its text names, the keys of its mapping. */
export interface Facts {
  readonly names?: Names;
  readonly members?: Members;
  /** Of a mapping whose keys are free. */
  readonly values?: Shape;
  /** At least one of these must be there. */
  readonly some?: readonly string[] | undefined;
}

export const factsOf = ({ pipe = [] }: Form): Facts => Object.assign({}, ...pipe.map(({ metadata }) => metadata));

/** What a text of this shape names, or the text that may be null instead. */
export function textIn(shape: Shape): Facts | undefined {
  const form = shapeOf(shape);
  const text = form.type === "union" ? (form.options as Form[])[0]! : form;
  return text.type === "string" ? factsOf(text) : undefined;
}

export const oneLine = (text: string): string => text.replaceAll("\n", " ");

export const inWords = (words: readonly string[]): string =>
  words.length < 2 ? words.join("") : `${words.slice(0, -1).join(", ")} or ${words.at(-1)}`;

export { boolean };
export const text: Shape = string;
const notEmpty = v.regex<string, string>(/\S/, "must not be empty");
/** A text that is not empty. */
export const filled: Shape = v.pipe(string, notEmpty);
export const none: Shape = v.null("must be null");
export const integer = (least?: number): Shape =>
  least === undefined ? wholeNumber : v.pipe(wholeNumber, v.minValue(least, `must be a whole number from ${least} on`));
export const choice = (...of: readonly (string | number)[]): Shape =>
  v.picklist(of, `must be ${inWords(of.map((word) => JSON.stringify(word)))}`);
export const either = (...of: readonly Shape[]): Shape => v.union(of);
export const map = (of: Shape): Shape =>
  v.pipe(v.custom<object>(isEntry, "must be a mapping"), record(of), v.metadata({ values: of }));
export const named = (names: Names): Shape =>
  v.pipe(v.string(`must be the name of a ${names}`), notEmpty, v.metadata({ names }));

/** Characters of what is quoted. */
export const longest = 100;

export const brief = (text: string): string => (text.length > longest ? `${text.slice(0, longest)}…` : text);

/** A list in which no text appears twice. */
export const list = (of: Shape): Shape =>
  v.pipe(
    v.array(of, "must be a list"),
    v.rawCheck(({ dataset, addIssue }) => {
      const input = dataset.value;
      if (!Array.isArray(input)) return;
      const seen = new Set<unknown>();
      for (const [key, value] of input.entries()) {
        if (typeof value === "string" && seen.has(value))
          addIssue({
            message: `${brief(JSON.stringify(value))} appears twice in this list`,
            path: [{ type: "array", origin: "value", input, key, value }],
          });
        seen.add(value);
      }
    }),
  );

const quoted = (names: readonly string[]): string => inWords(names.map((name) => `"${name}"`));

/** The key that was meant, where one differs by little. */
function meant(key: string, known: readonly string[]): string | undefined {
  if (key.length > longest) return undefined;
  const [nearest] = known.map((name) => ({ name, far: distance(key, name) })).sort((a, b) => a.far - b.far);
  return nearest && nearest.far <= Math.max(1, Math.floor(key.length / 4)) ? nearest.name : undefined;
}

function* keyProblems(input: object, { members = {}, some }: Facts): Generator<{ message: string; key?: string }> {
  // What is misspelt is not missing besides.
  const stated = new Set<string | undefined>(Object.keys(input));
  for (const key of Object.keys(input)) {
    if (Object.hasOwn(members, key)) continue;
    const name = meant(key, Object.keys(members));
    stated.add(name);
    const hint = key === "<<" ? ": YAML 1.2 has no merge keys" : name ? `; did you mean "${name}"?` : "";
    yield { key, message: `unknown key "${brief(key)}"${hint}` };
  }
  for (const [name, { needed }] of Object.entries(members))
    if (needed && !stated.has(name)) yield { message: `"${name}" is missing` };
  if (some && !some.some((name) => stated.has(name))) yield { message: `${quoted(some)} is missing` };
}

/** A mapping. `some`: at least one of these must be there. */
export function members(all: Members, some?: readonly string[]): Shape {
  const facts: Facts = { members: all, some };
  const entries: v.ObjectEntries = Object.create(null);
  for (const [name, { shape }] of Object.entries(all)) entries[name] = v.optional(shape);
  return v.pipe(
    v.custom<object>(isEntry, `must be a mapping with ${inWords(Object.keys(all).slice(0, 3))}`),
    v.looseObject(entries),
    v.rawCheck(({ dataset, addIssue }) => {
      const input: unknown = dataset.value;
      if (!isEntry(input)) return;
      for (const { message, key } of keyProblems(input, facts))
        addIssue({
          message,
          ...(key !== undefined && { path: [{ type: "object", origin: "key", input, key, value: key }] }),
        });
    }),
    v.metadata({ ...facts }),
  );
}

const exactOr = (names: Names): Shape => {
  const all = list(named(names));
  const doc = (what: string) => `People or groups that must${what} be in it; others stay.`;
  return either(all, members({ add: { shape: all, doc: doc("") }, remove: { shape: all, doc: doc(" not") } }));
};

/** A list of people: exact, or what must and must not be in it. */
export const people = exactOr("person");
/** A list of groups, likewise. */
export const groups = exactOr("group");

/** The value of a permission: a group's name, `nobody`, or people and groups. */
export const who: Shape = either(
  named("group"),
  members({
    users: { shape: list(named("person")), doc: "People who have it." },
    groups: { shape: list(named("group")), doc: "Groups whose members have it." },
  }),
);

/** What does not fit, by the way to it. */
export interface Misfit {
  readonly path: Path;
  /** Completes a sentence that begins with where it is. */
  readonly says: string;
  /** It says what the value of the attribute must be. */
  readonly wanted?: boolean;
  /** It is about the last key of the path, and not about what stands behind it. */
  readonly key?: "key" | undefined;
}

type Issue = v.BaseIssue<unknown>;

const isInside = ({ path, type }: Issue): boolean => path !== undefined || type === "raw_check";

/** What a value of none of several types must be. */
const alternatives = ({ issues, message }: Issue): string[] =>
  issues ? issues.flatMap(alternatives) : [message.replace(/^must be /, "")];

function misfitsIn(issue: Issue, within: Path): Misfit[] {
  const path = [...within, ...(issue.path ?? []).map(({ key }) => key as string | number)];
  // Of several types the one is meant whose mapping or list the value is.
  const inside = issue.issues?.filter(isInside) ?? [];
  if (inside.length) return inside.flatMap((each) => misfitsIn(each, path));
  const says = issue.issues ? `must be ${inWords([...new Set(alternatives(issue))])}` : issue.message;
  return [
    { path, says, wanted: issue.type !== "raw_check", key: issue.path?.at(-1)?.origin === "key" ? "key" : undefined },
  ];
}

/** What of a plain value, as JSON has it, does not fit. */
export const misfitsOf = (shape: Shape, value: unknown): Misfit[] =>
  (v.safeParse(shape, value).issues ?? []).flatMap((issue) => misfitsIn(issue, []));

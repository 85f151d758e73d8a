/** The types of values in a file: valibot schemas, from which the JSON Schema is also made. */
import * as v from "valibot";
import { nearestNames } from "../common/suggestions.ts";
import { truncate } from "../common/truncate.ts";
import type { Replacement, Setting } from "../model/setting.ts";
import { alternativesOf, type Shape as Form, shapeOf } from "../wire/shape.ts";
import { boolean, record, string, integer as wholeNumber } from "../wire/types.ts";
import { type FileEntry, isEntry } from "./content.ts";

/**
 * The kind of thing that a text names: `person` by e-mail, `name:…` or `id:…`, `member` also by `group:…`, the others by
 * name.
 */
export type ReferenceKind = "person" | "member" | "group" | "channel" | "folder" | "field";

export type AttributeShape = v.GenericSchema;

export interface Member {
  readonly shape: AttributeShape;
  readonly doc: string;
  readonly needed?: true;
  /** The first feature level that has it. */
  readonly since?: number | undefined;
  /** From a feature level on, servers have another setting instead. */
  readonly until?: Replacement;
  /** The first feature level that accepts this value. */
  readonly valueSince?: ((value: unknown) => number | undefined) | undefined;
  /** Only for new things: no server sends its value later. */
  readonly createOnly?: true;
  /** Only owners may change it. */
  readonly owner?: true;
  /** The setting whose words stand for numbers. */
  readonly choices?: Setting;
  /** Reads a text that stands for another value, such as `10m`. Undefined if it stands for none. */
  readonly read?: (text: string) => unknown;
  /** Changes a text as servers do when they store it. */
  readonly stored?: (text: string) => string;
  /** The member of a record with the value, if it has another name. */
  readonly record?: string;
}

export type Members = Readonly<Record<string, Member>>;

/** Additions of ours to a valibot schema. */
export interface Metadata {
  readonly names?: ReferenceKind;
  readonly members?: Members;
  /** Names of permissions that newer servers may have. */
  readonly others?: RegExp | undefined;
  /** The shape of the values, in a mapping with free keys. */
  readonly values?: AttributeShape;
  /** Of texts that stand for other values. Empty if the schema leaves them out. */
  readonly pattern?: string;
  /** At least one of these members is required. */
  readonly some?: readonly string[] | undefined;
  /** Two sets of members that cannot be combined. */
  readonly apart?: readonly [readonly string[], readonly string[]] | undefined;
}

export const metadataOf = ({ pipe = [] }: Form): Metadata => Object.assign({}, ...pipe.map(({ metadata }) => metadata));

/** Returns the facts of a text, also of one that may be null. */
export function textIn(shape: AttributeShape): Metadata | undefined {
  const [text] = alternativesOf(shapeOf(shape));
  return text?.type === "string" ? metadataOf(text) : undefined;
}

export const oneLine = (text: string): string => text.replaceAll("\n", " ");

export const orList = (words: readonly string[]): string =>
  words.length < 2 ? words.join("") : `${words.slice(0, -1).join(", ")} or ${words.at(-1)}`;

export { boolean };

const textShape: AttributeShape = string;
const notEmpty = v.regex<string, string>(/\S/, "must not be empty");
/** A text that is not empty. */
export const nonEmptyShape: AttributeShape = v.pipe(string, notEmpty);
export const nullShape: AttributeShape = v.null("must be null");
export const integerShape = (least?: number): AttributeShape =>
  least === undefined ? wholeNumber : v.pipe(wholeNumber, v.minValue(least, `must be a whole number from ${least} on`));
export const choiceShape = (...of: readonly (string | number)[]): AttributeShape =>
  v.picklist(of, `must be ${orList(of.map((word) => JSON.stringify(word)))}`);
export const eitherShape = (...of: readonly AttributeShape[]): AttributeShape => v.union(of);
/** A shape, or a text that `read` reads. `what` the texts are, for messages; `pattern` describes them in the schema. */
export const orText = (
  of: AttributeShape,
  read: (text: string) => unknown,
  { what = "", pattern = "" } = {},
): AttributeShape =>
  v.union([
    of,
    v.pipe(
      v.custom<string>((text) => typeof text === "string" && read(text) !== undefined, what),
      v.metadata({ pattern }),
    ),
  ]);
export const mapShape = (of: AttributeShape): AttributeShape =>
  v.pipe(v.custom<object>(isEntry, "must be a mapping"), record(of), v.metadata({ values: of }));
/** Returns whether texts of this kind name people. */
export const namesPeople = (kind: ReferenceKind | undefined): boolean => kind === "person" || kind === "member";

export const noReference = (names: ReferenceKind): string =>
  namesPeople(names) ? "must be a person: use an e-mail address, name:… or id:…" : `must be the name of a ${names}`;

export const referenceShape = (names: ReferenceKind): AttributeShape =>
  v.pipe(v.string(noReference(names)), notEmpty, v.metadata({ names }));

/** The largest number of characters that a message quotes. */
const maxQuoted = 100;

export const brief = (text: string): string => truncate(text, maxQuoted);

/** A list of texts without duplicates. */
export const listShape = (of: AttributeShape): AttributeShape =>
  v.pipe(
    v.array(of, "must be a list"),
    v.rawCheck(({ dataset, addIssue }) => {
      const input = dataset.value;
      if (!Array.isArray(input)) return;
      const earlier = new Set<unknown>();
      for (const [key, value] of input.entries()) {
        if (typeof value === "string" && earlier.has(value))
          addIssue({
            message: `${brief(JSON.stringify(value))} appears twice in this list`,
            path: [{ type: "array", origin: "value", input, key, value }],
          });
        earlier.add(value);
      }
    }),
  );

const quoted = (names: readonly string[]): string => orList(names.map((name) => `"${name}"`));

/** Parameters of servers, and words of other programs, with the keys that they mean. */
const otherWords = new Map([
  ["url_format_string", ["url_template"]],
  ["url_format", ["url_template"]],
  ["url", ["url_template"]],
  ["regex", ["pattern"]],
  ["private", ["is_private"]],
  ["retention", ["message_retention_days"]],
  ["archive", ["archived"]],
  ["is_archived", ["archived"]],
  ["is_active", ["active"]],
  ["folder_id", ["folder"]],
  ["users", ["members", "people"]],
  ["name", ["full_name"]],
  ["streams", ["channels"]],
]);

/** Returns the known key that is most similar to a misspelled one. */
function closestKey(key: string, known: readonly string[], most = Math.max(1, Math.floor(key.length / 4))) {
  const meant = known.find((name) => otherWords.get(key)?.includes(name));
  if (meant !== undefined) return meant;
  if (key.length > maxQuoted) return undefined;
  return nearestNames(key, known, most)[0];
}

function* keyProblems(
  input: FileEntry,
  { members = {}, some, others, apart }: Metadata,
): Generator<{ message: string; key?: string }> {
  // A misspelled key counts as present.
  const stated = new Set<string | undefined>(Object.keys(input));
  for (const key of Object.keys(input)) {
    if (Object.hasOwn(members, key)) continue;
    // A newer server may have a permission with a similar name.
    const isOther = others?.test(key) && v.is(whoShape, input[key]);
    const name = closestKey(key, Object.keys(members), isOther ? 2 : undefined);
    if (!name && isOther) continue;
    stated.add(name);
    const hint = key === "<<" ? ": YAML 1.2 has no merge keys" : name ? `; did you mean "${name}"?` : "";
    yield { key, message: `unknown key "${brief(key)}"${hint}` };
  }
  for (const [name, { needed }] of Object.entries(members))
    if (needed && !stated.has(name)) yield { message: `"${name}" is missing` };
  const both = apart?.map((names) => names.find((name) => stated.has(name))) ?? [];
  if (both.length && both.every(Boolean)) yield { message: `"${both[0]}" cannot be combined with "${both[1]}"` };
  if (some && !some.some((name) => stated.has(name))) yield { message: `${quoted(some)} is missing` };
}

/** A mapping with known keys. `some`: at least one of these is required. `others`: names of further permissions. */
export function membersShape(
  all: Members,
  some?: readonly string[],
  others?: RegExp,
  apart?: Metadata["apart"],
): AttributeShape {
  const facts: Metadata = { members: all, some, others, apart };
  const entries: v.ObjectEntries = Object.create(null);
  for (const [name, { shape }] of Object.entries(all)) entries[name] = v.optional(shape);
  return v.pipe(
    v.custom<object>(isEntry, `must be a mapping with ${orList(Object.keys(all).slice(0, 3))}`),
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

const partial = (all: AttributeShape): Members => {
  const doc = (what: string) => `People or groups that must${what} be in it; others stay.`;
  return { add: { shape: all, doc: doc("") }, remove: { shape: all, doc: doc(" not") } };
};

const listedPeople = listShape(referenceShape("member"));
const listedGroups = listShape(referenceShape("group"));
const drawing: Members = {
  users: { shape: listedPeople, doc: "People." },
  groups: {
    shape: listedGroups,
    doc: "Groups: everybody who is in them as the file leaves them, through subgroups too.",
  },
};

/** A list of people: complete, or with `add` and `remove`. It may draw on groups. */
export const peopleShape = eitherShape(
  listedPeople,
  membersShape({ ...partial(eitherShape(listedPeople, membersShape(drawing))), ...drawing }, undefined, undefined, [
    ["add", "remove"],
    ["users", "groups"],
  ]),
);
/** A list of groups: complete, or with `add` and `remove`. */
export const groupsShape = eitherShape(listedGroups, membersShape(partial(listedGroups)));

/** The value of a permission: a group's name, `nobody`, or people and groups. An empty mapping is not `nobody`. */
export const whoShape: AttributeShape = eitherShape(
  referenceShape("group"),
  membersShape(
    {
      users: { shape: listShape(referenceShape("person")), doc: "People who have it." },
      groups: { shape: listShape(referenceShape("group")), doc: "Groups whose members have it." },
    },
    ["users", "groups"],
  ),
);

const otherPermission: Member = { shape: whoShape, doc: "" };

/** Returns a member by its name, also a permission that only newer servers have. */
export const memberNamed = (
  { members: all, others }: Pick<Metadata, "members" | "others">,
  name: string,
): Member | undefined =>
  all && Object.hasOwn(all, name) ? all[name] : others?.test(name) ? otherPermission : undefined;

/** The options of a profile field: names, or names with old names. */
export const optionsShape: AttributeShape = listShape(
  eitherShape(
    nonEmptyShape,
    membersShape({
      name: { shape: nonEmptyShape, doc: "The option.", needed: true },
      was: { shape: nonEmptyShape, doc: "The old name. People who chose it keep it." },
    }),
  ),
);

/** The values of profile fields, by the names of the fields. */
export const profileShape: AttributeShape = mapShape(
  eitherShape(textShape, listShape(referenceShape("person")), nullShape),
);

export type AttributeKind = "people" | "groups" | "who" | "options" | "profile" | ReferenceKind | "text" | "plain";

const kinds = new Map<AttributeShape, AttributeKind>([
  [peopleShape, "people"],
  [groupsShape, "groups"],
  [whoShape, "who"],
  [optionsShape, "options"],
  [profileShape, "profile"],
]);

/** Returns the kind of an attribute's value with ids. */
export const attributeKind = ({ shape }: Pick<Member, "shape">): AttributeKind => {
  const text = textIn(shape);
  return kinds.get(shape) ?? (text ? (text.names ?? "text") : "plain");
};

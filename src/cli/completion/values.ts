/** Values that words may have, by what is offered for them. */
import { channelPermissions, groupPermissions } from "../../api/permission-settings.ts";
import type { Kind, Offer } from "../../argv/options.ts";
import { namesOf, scopes } from "../../permissions/rules.ts";
import type { Vocabulary } from "./vocabulary.ts";

/** What this machine knows of things of a kind, as far as they begin with a text: each with what it is, after a tab. */
export type Names = (kind: string, prefix: string) => readonly string[];

/** What is known where a value stands. */
export interface Knowing {
  names: Names;
  vocabulary: () => Pick<Vocabulary, "settings" | "newUsers">;
  /** The command, by its words: `channel list`. */
  fields: () => readonly string[];
  /** Whether a flag stands before. */
  given: (wish: string) => boolean;
}

/**
 * Asks the shell for names of files: a tab, what stands before the path in the word, a tab, the path as far as it is
 * typed. No value begins with a tab.
 */
export const everyFile = "\tfiles";

/** What stands before the path, and the path; undefined for a value. */
export const afterDirective = (line: string): string[] | undefined =>
  line.startsWith(`${everyFile}\t`) ? line.slice(everyFile.length + 1).split("\t") : undefined;

const files = (before: string, path: string): readonly string[] => [`${everyFile}\t${before}\t${path}`];

const groups = ["owners", "administrators", "moderators", "fullmembers", "members", "everyone", "internet", "nobody"];
const systemGroups = groups.map((name) => `role:${name}`);

/** Values with what stands before them in the word. */
const behind = (before: string, values: readonly string[]): readonly string[] =>
  values.map((value) => {
    const [inner = "", path = ""] = afterDirective(value) ?? [];
    return afterDirective(value) ? files(before + inner, path)[0]! : before + value;
  });

/** Whole values, those of a list with what stands before the last comma. A comma cannot stand in an item. */
function inList(typed: string, items: (item: string, later: boolean) => readonly string[]): readonly string[] {
  const [before = ""] = /^.*,\s*/s.exec(typed) ?? [];
  const there = new Set(before.split(",").map((item) => item.trim()));
  return items(typed.slice(before.length), before !== "")
    .filter((line) => {
      const [value = ""] = line.split("\t");
      return !value.includes(",") && !there.has(value);
    })
    .map((value) => before + value);
}

/** What may stand in the place of `item`, where an item of a list of `who` is also one of these. */
function whoItems(item: string, inList: boolean, names: Names): readonly string[] {
  const of = /^(user|group):/.exec(item);
  if (!of)
    return inList ? ["user:", "group:"] : [...systemGroups, "nobody", "user:", "group:", ...names("group", item)];
  const [prefix, kind] = of;
  return kind === "user"
    ? behind(prefix, people(item.slice(prefix.length), names))
    : behind(prefix, [...systemGroups, ...names("group", item.slice(prefix.length))]);
}

const people = (item: string, names: Names): readonly string[] => [
  "me",
  "name:",
  ...names(item.startsWith("name:") ? "person" : "user", item),
];

function who(typed: string, names: Names): readonly string[] {
  const several = /^(user|group):/.test(typed);
  return several ? inList(typed, (item, later) => whoItems(item, later, names)) : whoItems(typed, false, names);
}

/** `<name>=<value>`: the names, each with its `=`, and behind that the values. */
function assigned(
  typed: string,
  names: () => readonly string[],
  values: (name: string, value: string) => readonly string[],
): readonly string[] {
  const at = typed.indexOf("=");
  if (at < 0)
    return names().map((line) => {
      const [name, doc] = line.split("\t");
      return doc === undefined ? `${name}=` : `${name}=\t${doc}`;
    });
  return behind(typed.slice(0, at + 1), values(typed.slice(0, at), typed.slice(at + 1)));
}

const expected = (typed: string, settings: readonly string[], names: Names): readonly string[] => [
  ...(typed.includes("=") ? [] : ["current"]),
  ...assigned(
    typed,
    () => settings,
    (_, value) => who(value, names),
  ),
];

function ofKind(kind: Kind, typed: string, knowing: Knowing): readonly string[] {
  const { names, vocabulary, fields, given } = knowing;
  const settings = () => vocabulary()[given("newUsers") ? "newUsers" : "settings"];
  switch (kind) {
    case "free":
      return [];
    case "file":
      return files("", typed);
    case "user":
      return people(typed, names);
    case "group":
      return [...systemGroups, ...names(kind, typed)];
    case "who":
      return who(typed, names);
    case "run": {
      const runs = ["last", ...names(kind, typed)];
      return runs.some((run) => run.startsWith(typed)) ? runs : files("", typed);
    }
    case "field":
      return fields();
    case "permission":
      return [...new Set(scopes.flatMap(namesOf))];
    case "setting":
      return Object.keys(settings());
    case "setting=value":
      return assigned(
        typed,
        () => Object.keys(settings()),
        (name, value) => {
          const offer = Object.hasOwn(settings(), name) ? settings()[name]! : "free";
          if (typeof offer !== "string") return offer;
          return [...(offer === "channel" ? ["none"] : []), ...ofKind(offer, value, knowing)];
        },
      );
    case "setting=who": {
      const all = Object.entries(settings());
      return expected(
        typed,
        all.flatMap(([name, offer]) => (offer === "who" ? [name] : [])),
        names,
      );
    }
    case "channel-setting=who":
      return expected(typed, channelPermissions, names);
    case "group-setting=who":
      return expected(typed, groupPermissions, names);
    case "profile-field=value":
      return assigned(
        typed,
        () => names("profile-field", typed),
        () => [],
      );
    case "parameter=value":
      return [];
    default:
      return names(kind, typed);
  }
}

/** Where the path of a file begins, whose name `@` begins. */
function pathAt(typed: string, { of, at }: Offer): number | undefined {
  if (!at) return undefined;
  const from = of === "parameter=value" ? typed.indexOf("=") + 1 : 0;
  if (of === "parameter=value" && from === 0) return undefined;
  return typed[from] === "@" && typed[from + 1] !== "@" ? from + 1 : undefined;
}

/** What may be meant by `typed`; some with what they are after a tab. */
export function valuesOf(typed: string, offer: Offer, knowing: Knowing): readonly string[] {
  const path = pathAt(typed, offer);
  if (path !== undefined) return files(typed.slice(0, path), typed.slice(path));
  const { of, list } = offer;
  const items = (item: string) => (typeof of === "string" ? ofKind(of, item, knowing) : of);
  return list ? inList(typed, items) : items(typed);
}

/** The same in a word that begins with something else. */
export const valuesBehind = (before: string, typed: string, offer: Offer, knowing: Knowing): readonly string[] =>
  behind(before, valuesOf(typed, offer, knowing));

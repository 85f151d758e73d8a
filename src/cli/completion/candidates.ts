/** Completes values by kind. */

import type { CompletionKind, Offer } from "../../argv/commander-options.ts";
import { systemGroups } from "../../model/permission.ts";
import { groupPrefix } from "../../notation/id.ts";
import type { Vocabulary } from "./vocabulary.ts";

export interface Candidate {
  value: string;
  doc?: string;
  /** The typed part of a file path after the value. The shell can complete it. */
  path?: string;
}

/** The context of a value. */
export interface CompletionSources {
  /** Returns known things of a kind that begin with a text, each with its description after a tab. */
  names: (kind: string, prefix: string) => readonly string[];
  vocabulary: () => Vocabulary;
  /** The permissions of the command. */
  fields: () => readonly string[];
  /** Whether a flag comes before. */
  hasFlag: (key: string) => boolean;
}

type NamesOfKind = (kind: string, prefix: string) => Candidate[];

const plain = (values: readonly string[]): Candidate[] => values.map((value) => ({ value }));

const systemGroupNames = plain(systemGroups.map((name) => `role:${name}`));

/** Puts a text before the values. */
export const withPrefix = (before: string, values: readonly Candidate[]): Candidate[] =>
  values.map((each) => ({ ...each, value: before + each.value }));

/** Completes the last item of a list. Items contain no commas. */
function inList(typed: string, items: (item: string, later: boolean) => Candidate[]): Candidate[] {
  const [before = ""] = /^.*,\s*/s.exec(typed) ?? [];
  const there = new Set(before.split(",").map((item) => item.trim()));
  const fit = ({ value }: Candidate) => !value.includes(",") && !there.has(value);
  return withPrefix(before, items(typed.slice(before.length), before !== "").filter(fit));
}

const people = (item: string, names: NamesOfKind): Candidate[] => [
  ...plain(["me", "name:"]),
  ...names(item.startsWith("name:") ? "person" : "user", item),
];

const groupsOf = (prefix: string, typed: string, names: NamesOfKind): Candidate[] =>
  withPrefix(prefix, [...systemGroupNames, ...names("group", typed.slice(prefix.length))]);

/** People, and the people of groups. */
const peopleOrGroup = (item: string, names: NamesOfKind): Candidate[] =>
  item.startsWith(groupPrefix) ? groupsOf(groupPrefix, item, names) : [...people(item, names), ...plain([groupPrefix])];

/** `later`: an item comes before it, so it must be a user or group. */
function whoItems(item: string, later: boolean, names: NamesOfKind): Candidate[] {
  const [prefix, kind] = /^(user|group):/.exec(item) ?? [];
  if (prefix === undefined)
    return [
      ...(later ? [] : systemGroupNames),
      ...plain(later ? ["user:", "group:"] : ["nobody", "user:", "group:"]),
      ...(later ? [] : names("group", item)),
    ];
  return kind === "user" ? withPrefix(prefix, people(item.slice(prefix.length), names)) : groupsOf(prefix, item, names);
}

const who = (typed: string, names: NamesOfKind): Candidate[] =>
  /^(user|group):/.test(typed)
    ? inList(typed, (item, later) => whoItems(item, later, names))
    : whoItems(typed, false, names);

/** Completes `<name>=<value>`: names with `=`, then values. */
function assignments(
  typed: string,
  names: () => Candidate[],
  values: (name: string, value: string) => Candidate[],
): Candidate[] {
  const at = typed.indexOf("=");
  if (at < 0) return names().map((each) => ({ ...each, value: `${each.value}=` }));
  return withPrefix(typed.slice(0, at + 1), values(typed.slice(0, at), typed.slice(at + 1)));
}

const expectedValues = (typed: string, settings: readonly string[], names: NamesOfKind): Candidate[] => [
  ...plain(typed.includes("=") ? [] : ["current"]),
  ...assignments(
    typed,
    () => plain(settings),
    (_, value) => who(value, names),
  ),
];

function ofKind(kind: CompletionKind, typed: string, knowing: CompletionSources): Candidate[] {
  const { vocabulary, fields, hasFlag } = knowing;
  const names: NamesOfKind = (of, prefix) =>
    knowing.names(of, prefix).map((line) => {
      const [value = "", doc] = line.split("\t");
      return { value, doc };
    });
  const settings = () => vocabulary()[hasFlag("newUsers") ? "newUsers" : "settings"];
  switch (kind) {
    case "free":
    case "parameter=value":
      return [];
    case "file":
      return [{ value: "", path: typed }];
    case "user":
      return people(typed, names);
    case "people":
      return peopleOrGroup(typed, names);
    case "group":
      return groupsOf("", typed, names);
    case "who":
      return who(typed, names);
    case "logged-run":
      return [...plain(["last"]), ...names(kind, typed)];
    case "run": {
      const runs = [...plain(["last"]), ...names(kind, typed)];
      return runs.some(({ value }) => value.startsWith(typed)) ? runs : [{ value: "", path: typed }];
    }
    case "field":
      return plain(fields());
    case "permission":
      return plain(vocabulary().permissions);
    case "setting":
      return plain(Object.keys(settings()));
    case "setting=value":
      return assignments(
        typed,
        () => plain(Object.keys(settings())),
        (name, value) => {
          const offer = (Object.hasOwn(settings(), name) && settings()[name]) || "free";
          if (typeof offer !== "string") return plain(offer);
          return [...plain(offer === "channel" ? ["none"] : []), ...ofKind(offer, value, knowing)];
        },
      );
    case "setting=who":
      return expectedValues(
        typed,
        Object.keys(settings()).filter((name) => settings()[name] === "who"),
        names,
      );
    case "channel-setting=who":
      return expectedValues(typed, vocabulary().channelPermissions, names);
    case "group-setting=who":
      return expectedValues(typed, vocabulary().groupPermissions, names);
    case "profile-field=value":
      return assignments(
        typed,
        () => names("profile-field", typed),
        () => [],
      );
    default:
      return names(kind, typed);
  }
}

/** Returns where a file path begins, after `@`. */
function pathAt(typed: string, { of, at }: Offer): number | undefined {
  const from = of === "parameter=value" ? typed.indexOf("=") + 1 : 0;
  if (!at || (of === "parameter=value" && from === 0)) return undefined;
  return typed[from] === "@" && typed[from + 1] !== "@" ? from + 1 : undefined;
}

/** Returns the candidates for `typed`. */
export function candidatesFor(typed: string, offer: Offer, knowing: CompletionSources): Candidate[] {
  const path = pathAt(typed, offer);
  if (path !== undefined) return [{ value: typed.slice(0, path), path: typed.slice(path) }];
  const { of, list } = offer;
  const items = (item: string) => (typeof of === "string" ? ofKind(of, item, knowing) : plain(of));
  return list ? inList(typed, items) : items(typed);
}

/** Completes a command line from the command tree and known names. It never asks a server. */

import type { Offer } from "../../argv/commander-options.ts";
import { type Candidate, type CompletionSources, candidatesFor, withPrefix } from "./candidates.ts";
import type { TreeEntry, TreeFlag } from "./tree.ts";
import type { Vocabulary } from "./vocabulary.ts";

/** The flags that choose one organization. `each` has `--profiles` instead. */
export const choosingFlags: readonly string[] = ["--profile", "--site", "--zuliprc"];

/** The typed flags with their values. Switches have none. */
export type TypedFlagValues = ReadonlyMap<string, string>;

/** The position of the cursor. */
interface CursorPosition {
  command: TreeEntry;
  /** The words of the command: `channel`, `list`. */
  path: readonly string[];
  /** The available flags. */
  flags: TreeFlag[];
  /** The flag whose value is completed. */
  flag?: TreeFlag;
  values: Map<string, string>;
  /** The number of operands before. */
  operands: number;
  /** After `help`: only commands. */
  afterHelp?: boolean;
  /** After `--`: no flags. */
  afterDashes: boolean;
}

/** Reads `--output`, `--output=json`, `-o` or `-ojson`: the flag, a value in the same word, and the text before it. */
function readFlag(flags: readonly TreeFlag[], word: string) {
  const before = word.startsWith("--") ? (/^[^=]*=?/.exec(word)?.[0] ?? "") : word.slice(0, 2);
  const name = before.replace(/=$/, "");
  const flag = flags.find(({ long, short }) => long === name || short === name);
  return flag && { flag, before, value: word.length > name.length ? word.slice(before.length) : undefined };
}

const isNoun = ({ verbs, operands }: TreeEntry): boolean => verbs.length > 0 && operands.length === 0;

/** Returns the tree with only the marked commands. */
const onlyMarked = (root: TreeEntry, mark: "inRows" | "inEach", flags: TreeFlag[]): TreeEntry => ({
  ...root,
  flags,
  verbs: root.verbs
    .filter((noun) => noun[mark])
    .map((noun) => ({ ...noun, verbs: noun.verbs.filter((verb) => verb[mark]) })),
});

/** Undefined if the words before are invalid. */
function positionAfter(
  root: TreeEntry,
  words: readonly string[],
  values: TypedFlagValues = new Map(),
): CursorPosition | undefined {
  let place: CursorPosition = {
    command: root,
    path: [],
    flags: root.flags,
    values: new Map(values),
    operands: 0,
    afterDashes: false,
  };
  for (let at = 0; at < words.length; at++) {
    const word = words[at]!;
    const { command, path } = place;
    if (place.afterDashes || !word.startsWith("-") || word === "-") {
      const verb = place.operands ? undefined : command.verbs.find(({ name }) => name === word);
      if (isNoun(command) && word === "help") {
        place.afterHelp = true;
        continue;
      }
      if (isNoun(command) && !verb) return undefined;
      if (verb) place = { ...place, command: verb, path: [...path, verb.name], flags: [...verb.flags, ...root.flags] };
      else place.operands++;
      continue;
    }
    if (word === "--") {
      const rest = words.slice(at + 1);
      // The words after it are another command line, without flags for the whole run.
      if (command.name === "batch") return positionAfter(onlyMarked(root, "inRows", []), rest, place.values);
      const flags = root.flags.filter(({ long = "" }) => !choosingFlags.includes(long));
      if (command.name === "each") return positionAfter(onlyMarked(root, "inEach", flags), rest, place.values);
      place.afterDashes = true;
      continue;
    }
    const found = readFlag(place.flags, word);
    if (!found) return undefined;
    const { flag, value } = found;
    place.values.set(flag.key, value ?? "");
    if (!flag.value || value !== undefined) continue;
    if (at === words.length - 1) return { ...place, flag };
    place.values.set(flag.key, words[++at]!);
  }
  return place;
}

const flagsAt = ({ flags, values }: CursorPosition, partial: string): Candidate[] =>
  flags
    .filter(({ key, repeats }) => repeats || !values.has(key))
    .map(({ long, short, doc }) => ({ value: long === undefined || short === partial ? short! : long, doc }));

function allCandidates(place: CursorPosition, partial: string, knowing: CompletionSources): readonly Candidate[] {
  const { command, flags, flag, operands, afterDashes, afterHelp } = place;
  const some = ({ offers }: { offers?: Offer }, before = "") =>
    offers ? withPrefix(before, candidatesFor(partial.slice(before.length), offers, knowing)) : [];
  if (flag) return some(flag);
  if (partial.startsWith("-") && !afterDashes) {
    const found = readFlag(flags, partial);
    const beside = !found?.flag.value || found.value === undefined;
    if (beside && (partial.startsWith("--") || partial.length < 3)) return flagsAt(place, partial);
    return !found?.flag.value ? [] : some(found.flag, found.before);
  }
  const verbs = operands
    ? []
    : command.verbs.filter(({ name }) => name !== "help" || !afterHelp).map(({ name, doc }) => ({ value: name, doc }));
  if (afterHelp || isNoun(command)) return verbs;
  const last = command.operands.at(-1);
  const operand = command.operands[operands] ?? (last?.variadic ? last : undefined);
  return [...verbs, ...(operand ? some(operand) : [])];
}

/** The names on this machine. */
interface Known {
  /** Returns names that begin with a text, for the account that the flags choose. */
  names?: (kind: string, prefix: string, values: TypedFlagValues) => readonly string[];
  vocabulary: () => Vocabulary;
}

/** Completes the last word, which may be empty. */
export function candidates(root: TreeEntry, words: readonly string[], known: Known): readonly Candidate[] {
  const partial = words.at(-1) ?? "";
  const place = positionAfter(root, words.slice(0, -1));
  if (!place) return [];
  const { path, values } = place;
  const all = allCandidates(place, partial, {
    names: (kind, prefix) => known.names?.(kind, prefix, values) ?? [],
    vocabulary: known.vocabulary,
    fields: () => known.vocabulary().fields[path.join(" ")]?.split(",") ?? [],
    hasFlag: (key) => values.has(key),
  });
  return all.filter(({ value, path }) => path !== undefined || value.startsWith(partial));
}

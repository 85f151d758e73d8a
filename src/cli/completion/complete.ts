/** What may stand where the cursor is, read off the command tree and what is known of names. Nothing here asks a server. */

import type { Offer } from "../../argv/options.ts";
import { choosingFlags } from "../choosing.ts";
import type { Entry, Flag } from "./tree.ts";
import { type Candidate, type Knowing, valuesBehind } from "./values.ts";
import type { Vocabulary } from "./vocabulary.ts";

/** What flags were given, by what they wish: the value, or nothing for a switch. */
export type Given = ReadonlyMap<string, string>;

/** Where on the command line the cursor is. */
interface Place {
  command: Entry;
  /** The command by its words: `channel`, `list`. */
  path: readonly string[];
  /** The flags there are. */
  flags: Flag[];
  /** The flag whose value is wanted. */
  flag?: Flag;
  given: Map<string, string>;
  /** How many operands stand before. */
  operands: number;
  /** After `help`: commands alone. */
  helping?: boolean;
  /** After `--`: no flags any more. */
  closed: boolean;
}

/** The flag of `--output`, `--output=json`, `-o` or `-ojson`, a value in the same word, and what stands before that. */
function find(flags: readonly Flag[], word: string) {
  const before = word.startsWith("--") ? (/^[^=]*=?/.exec(word)?.[0] ?? "") : word.slice(0, 2);
  const name = before.replace(/=$/, "");
  const flag = flags.find(({ long, short }) => long === name || short === name);
  return flag && { flag, before, value: word.length > name.length ? word.slice(before.length) : undefined };
}

const isNoun = ({ verbs, operands }: Entry): boolean => verbs.length > 0 && operands.length === 0;

/** The commands that can stand in a row of a batch. */
const ofRows = (root: Entry): Entry => ({
  ...root,
  flags: [],
  verbs: root.verbs.flatMap((noun) =>
    noun.inRows ? { ...noun, verbs: noun.verbs.filter(({ inRows }) => inRows) } : [],
  ),
});

/** The commands that `each` can run. */
const ofEach = (root: Entry): Entry => ({
  ...root,
  flags: root.flags.filter(({ long }) => !choosingFlags.includes(long ?? "")),
  verbs: root.verbs.flatMap((noun) =>
    noun.inEach ? { ...noun, verbs: noun.verbs.filter(({ inEach }) => inEach) } : [],
  ),
});

/** Undefined where the words before make no sense: then nothing fits. */
function placeOf(root: Entry, words: readonly string[], given: Given = new Map()): Place | undefined {
  let place: Place = { command: root, path: [], flags: root.flags, given: new Map(given), operands: 0, closed: false };
  for (let at = 0; at < words.length; at++) {
    const word = words[at]!;
    const { command, path } = place;
    if (place.closed || !word.startsWith("-") || word === "-") {
      const verb = place.operands ? undefined : command.verbs.find(({ name }) => name === word);
      if (isNoun(command) && word === "help") {
        place.helping = true;
        continue;
      }
      if (isNoun(command) && !verb) return undefined;
      if (verb) place = { ...place, command: verb, path: [...path, verb.name], flags: [...verb.flags, ...root.flags] };
      else place.operands++;
      continue;
    }
    if (word === "--") {
      const rest = words.slice(at + 1);
      // The words after it are a command line of their own, without the flags that are for the whole run.
      if (command.name === "batch") return placeOf(ofRows(root), rest, place.given);
      if (command.name === "each") return placeOf(ofEach(root), rest, place.given);
      place.closed = true;
      continue;
    }
    const found = find(place.flags, word);
    if (!found) return undefined;
    const { flag, value } = found;
    place.given.set(flag.wish, value ?? "");
    if (flag.value === undefined || value !== undefined) continue;
    if (at === words.length - 1) return { ...place, flag };
    place.given.set(flag.wish, words[++at]!);
  }
  return place;
}

const flagsAt = ({ flags, given }: Place, partial: string): Candidate[] =>
  flags
    .filter(({ wish, repeats }) => repeats || !given.has(wish))
    .map(({ long, short, doc }) => ({ value: long === undefined || short === partial ? short! : long, doc }));

function every(place: Place, partial: string, knowing: Knowing): readonly Candidate[] {
  const { command, flags, flag, operands, closed, helping } = place;
  const some = ({ offers }: { offers?: Offer }, before = "") =>
    offers ? valuesBehind(before, partial.slice(before.length), offers, knowing) : [];
  if (flag) return some(flag);
  if (partial.startsWith("-") && !closed) {
    const found = find(flags, partial);
    const beside = found?.flag.value === undefined || found.value === undefined;
    if (beside && (partial.startsWith("--") || partial.length < 3)) return flagsAt(place, partial);
    return found?.flag.value === undefined ? [] : some(found.flag, found.before);
  }
  const verbs = operands
    ? []
    : command.verbs.filter(({ name }) => name !== "help" || !helping).map(({ name, doc }) => ({ value: name, doc }));
  if (helping || isNoun(command)) return verbs;
  const last = command.operands.at(-1);
  const operand = command.operands[operands] ?? (last?.variadic ? last : undefined);
  return [...verbs, ...(operand ? some(operand) : [])];
}

/** What this machine knows. */
export interface Known {
  /** Names of a kind that begin with a text, for the account that the flags choose. */
  names?: (kind: string, prefix: string, given: Given) => readonly string[];
  vocabulary: () => Vocabulary;
}

/** The last word is the one that the cursor is in, perhaps empty. */
export function candidates(root: Entry, words: readonly string[], known: Known): readonly Candidate[] {
  const partial = words.at(-1) ?? "";
  const place = placeOf(root, words.slice(0, -1));
  if (!place) return [];
  const { path, given } = place;
  const all = every(place, partial, {
    names: (kind, prefix) => known.names?.(kind, prefix, given) ?? [],
    vocabulary: known.vocabulary,
    fields: () => known.vocabulary().fields[path.join(" ")]?.split(",") ?? [],
    given: (wish) => given.has(wish),
  });
  return all.filter(({ value, path }) => path !== undefined || value.startsWith(partial));
}

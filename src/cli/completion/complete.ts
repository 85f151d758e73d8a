/** What may stand where the cursor is, read off the command tree and what is known of names. Nothing here asks a server. */
import type { Entry, Flag, Operand } from "./tree.ts";
import { everyFile, type Names, valuesOf } from "./values.ts";

interface Candidate {
  value: string;
  doc: string;
}

/** Where on the command line the cursor is. */
interface Place {
  noun?: Entry;
  command: Entry;
  /** The flags there are. */
  flags: Flag[];
  /** The flag whose value is wanted. */
  flag?: Flag;
  given: Set<string>;
  /** How many operands stand before. */
  operands: number;
  /** After `help`: commands alone. */
  helping?: boolean;
  /** After `--`: no flags any more. */
  closed: boolean;
}

/** The flag of `--output`, `--output=json`, `-o` or `-ojson`. */
function find(flags: readonly Flag[], word: string): Flag | undefined {
  const name = word.startsWith("--") ? word.split("=", 1)[0] : word.slice(0, 2);
  return flags.find(({ long, short }) => long === name || short === name);
}

/** Whether the value stands in the same word. */
const attached = (word: string): boolean => (word.startsWith("--") ? word.includes("=") : word.length > 2);

const isNoun = ({ verbs, operands }: Entry): boolean => verbs.length > 0 && operands.length === 0;

/** The commands that can stand in a row of a batch. */
const ofRows = (root: Entry): Entry => ({
  ...root,
  flags: [],
  verbs: root.verbs.flatMap((noun) =>
    noun.inRows ? { ...noun, verbs: noun.verbs.filter(({ inRows }) => inRows) } : [],
  ),
});

/** Undefined where the words before make no sense: then nothing fits. */
function placeOf(root: Entry, words: readonly string[]): Place | undefined {
  let place: Place = { command: root, flags: root.flags, given: new Set(), operands: 0, closed: false };
  for (let at = 0; at < words.length; at++) {
    const word = words[at]!;
    const { command } = place;
    if (place.closed || !word.startsWith("-") || word === "-") {
      const verb = place.operands ? undefined : command.verbs.find(({ name }) => name === word);
      if (isNoun(command) && word === "help") {
        place.helping = true;
        continue;
      }
      if (isNoun(command) && !verb) return undefined;
      if (verb) place = { ...place, noun: command, command: verb, flags: [...verb.flags, ...root.flags] };
      else place.operands++;
      continue;
    }
    if (word === "--") {
      // The words after it are a command line of their own, without the flags that are for the whole run.
      if (command.name === "batch") return placeOf(ofRows(root), words.slice(at + 1));
      place.closed = true;
      continue;
    }
    const flag = find(place.flags, word);
    if (!flag) return undefined;
    place.given.add(flag.wish);
    if (flag.value === undefined || attached(word)) continue;
    if (at === words.length - 1) return { ...place, flag };
    at++;
  }
  return place;
}

/** Undefined where names of profiles are wanted. */
function values({ noun }: Place, source: Flag | Operand, typed: string, names: Names): readonly string[] | undefined {
  const flag = "wish" in source;
  if (flag ? source.long === "--profile" : noun?.name === "profile") return undefined;
  const list = "list" in source;
  return source.choices ?? valuesOf((flag ? source.value : source.name) ?? "", { typed, list, names });
}

const flagsAt = ({ flags, given }: Place): Candidate[] =>
  flags
    .filter(({ wish, repeats }) => repeats || !given.has(wish))
    .map(({ long, short, doc }) => ({ value: long ?? short!, doc }));

const plain = (all: readonly string[], before = ""): Candidate[] =>
  all.map((line) => {
    const [value = "", doc = ""] = line.split("\t");
    return { value: value === everyFile ? value : before + value, doc };
  });

function every(place: Place, partial: string, { profiles, names = () => [] }: Known): Candidate[] | undefined {
  const { command, flags, flag, operands, closed, helping } = place;
  const some = (source: Flag | Operand, before = "") => {
    const known = values(place, source, partial.slice(before.length), names) ?? profiles;
    return known && plain(known, before);
  };
  if (flag) return some(flag);
  if (partial.startsWith("-") && !closed) {
    const equals = partial.indexOf("=");
    if (equals < 0) return flagsAt(place);
    const found = find(flags, partial);
    return found?.value === undefined ? [] : some(found, partial.slice(0, equals + 1));
  }
  const verbs = operands
    ? []
    : command.verbs.filter(({ name }) => name !== "help" || !helping).map(({ name, doc }) => ({ value: name, doc }));
  if (helping || isNoun(command)) return verbs;
  const last = command.operands.at(-1);
  const operand = command.operands[operands] ?? (last?.variadic ? last : undefined);
  const wanted = operand ? some(operand) : [];
  return wanted && [...verbs, ...wanted];
}

/** What this machine knows. */
export interface Known {
  profiles?: readonly string[];
  names?: Names;
}

/**
 * One line a candidate, its description after a tab. The last word is the one that the cursor is in, perhaps empty.
 * A line `:files` asks the shell for names of files. Undefined where `profiles` lacks and is wanted.
 */
export function candidates(root: Entry, words: readonly string[], known: Known = {}): readonly string[] | undefined {
  const partial = words.at(-1) ?? "";
  const place = placeOf(root, words.slice(0, -1));
  if (!place) return [];
  return every(place, partial, known)
    ?.filter(({ value }) => value === everyFile || value.startsWith(partial))
    .map(({ value, doc }) => (doc ? `${value}\t${doc}` : value));
}

/** Finds a text in another that quotes it as HTML, URLs, JSON or source code do, each character in a way of its own. */

/** HTML's names. */
const names: Readonly<Record<string, string>> = { quot: '"', amp: "&", apos: "'", lt: "<", gt: ">", nbsp: " " };
/** JSON's, JavaScript's and Python's letters after a backslash. */
const letters: Readonly<Record<string, string>> = { n: "\n", r: "\r", t: "\t", b: "\b", f: "\f" };

// Every repetition has an end, so that no text makes the search long.
const most = 8;
/** How often a page may have quoted what was quoted already: `%2541` is `A` twice quoted, or `%41` once. */
const depths = [0, 1, 2, 3, 4];
/** Made when a text is first searched: V8 takes a millisecond to read them all, and most commands search none. */
const once = <T>(make: () => T): (() => T) => {
  let made: T | undefined;
  return () => (made ??= make());
};
const references = once(() =>
  depths.map(
    (depth) =>
      new RegExp(
        `&(?:amp;){${depth}}(?:#0{0,8}(\\d{1,7})|#[xX]0{0,8}([\\da-fA-F]{1,6})|(quot|amp|apos|[lg]t|nbsp));?`,
        "y",
      ),
  ),
);
const percents = once(() => depths.map((depth) => new RegExp(`%(?:25){${depth}}([\\da-fA-F]{2})`, "y")));
const escapedByte = /\\{1,8}x([\da-fA-F]{2})/y;
const escapedUnit = /\\{1,8}u([\da-fA-F]{4})/y;
const escapedPoint = /\\{1,8}(?:u\{0{0,8}([\da-fA-F]{1,6})\}|U([\da-fA-F]{8}))/y;

/** What shows nothing: a page sets it, also as HTML, where a long word may break. */
const unseen = once(
  () =>
    /(?:[\p{Cf}\p{Default_Ignorable_Code_Point}]|<wbr\s{0,2}\/?>|&(?:amp;){0,4}(?:shy|zwn?j|zerowidthspace|nobreak|#0{0,8}(?:173|820[3-7]|8288|65279)|#x0{0,8}(?:ad|200[b-f]|2060|feff));?)/iuy,
);
const white = /\s/y;
/** What no such thing begins with. */
const visible = /[!-%'-;=-~]/;
/** What stands for itself alone. */
const bare = /[!-$'-*,-;=-[\]-~]/;

const match = (form: RegExp, said: string, at: number): RegExpExecArray | undefined => {
  form.lastIndex = at;
  return form.exec(said) ?? undefined;
};

const point = (code: number): string => (code <= 0x10ffff ? String.fromCodePoint(code) : "");

/** A character, and where the text goes on behind it. */
type Reading = readonly [character: string, end: number];

/** The bytes of one character in UTF-8, each written in the same form. */
function inBytes(form: RegExp, said: string, at: number): Reading | undefined {
  const bytes: number[] = [];
  let length = 1;
  for (let end = at; bytes.length < length; ) {
    const found = match(form, said, end);
    if (!found) return undefined;
    bytes.push(Number.parseInt(found[1]!, 16));
    end += found[0].length;
    const [first] = bytes as [number];
    length = first < 0xc0 ? 1 : first < 0xe0 ? 2 : first < 0xf0 ? 3 : 4;
    if (bytes.length === length) return [Buffer.from(bytes).toString("utf8"), end];
  }
  return undefined;
}

function inUnits(said: string, at: number): Reading | undefined {
  const one = match(escapedUnit, said, at);
  if (!one) return undefined;
  const high = Number.parseInt(one[1]!, 16);
  const end = at + one[0].length;
  const two = high >= 0xd800 && high < 0xdc00 ? match(escapedUnit, said, end) : undefined;
  if (!two) return [String.fromCharCode(high), end];
  return [String.fromCharCode(high, Number.parseInt(two[1]!, 16)), end + two[0].length];
}

/** What a backslash may begin. */
function escaped(said: string, at: number): (Reading | undefined)[] {
  let end = at;
  while (said[end] === "\\" && end - at < most) end++;
  const next = said.codePointAt(end);
  const character = next === undefined ? "" : String.fromCodePoint(next);
  const code = match(escapedPoint, said, at);
  return [
    // Each may be there twice, and twice again.
    ...[2, 4].filter((count) => at + count <= end).map((count): Reading => ["\\", at + count]),
    character && !/\w/.test(character) ? [character, end + character.length] : undefined,
    letters[character] ? [letters[character], end + 1] : undefined,
    code && [point(Number.parseInt(code[1] ?? code[2]!, 16)), at + code[0].length],
    inBytes(escapedByte, said, at),
    inUnits(said, at),
  ];
}

function referred(reference: RegExp, said: string, at: number): Reading | undefined {
  const [all = "", decimal, hexadecimal, name = ""] = match(reference, said, at) ?? [];
  const code = decimal ? Number(decimal) : hexadecimal ? Number.parseInt(hexadecimal, 16) : undefined;
  const character = code === undefined ? names[name] : point(code);
  return character ? [character, at + all.length] : undefined;
}

/** What may stand there, whatever was meant. */
function readings(said: string, at: number): Reading[] {
  const code = said.codePointAt(at);
  if (code === undefined) return [];
  const raw = String.fromCodePoint(code);
  const itself: Reading = [raw, at + raw.length];
  const quoted = (read: (form: RegExp, said: string, at: number) => Reading | undefined, forms: readonly RegExp[]) =>
    [itself, ...forms.map((form) => read(form, said, at))].filter((each) => each !== undefined);
  if (raw === "&") return quoted(referred, references());
  if (raw === "%") return quoted(inBytes, percents());
  if (raw === "\\") return [itself, ...escaped(said, at)].filter((each) => each !== undefined);
  return raw === "+" || raw === "\u00a0" ? [itself, [" ", at + 1]] : [itself];
}

/** That place, and those behind what shows nothing. */
function behindGaps(said: string, at: number, wrapped: boolean): number[] {
  if (visible.test(said.charAt(at))) return [at];
  const places = [at];
  for (let end = at; places.length <= most; places.push(end)) {
    const found = match(unseen(), said, end) ?? (wrapped ? match(white, said, end) : undefined);
    if (!found) break;
    end += found[0].length;
  }
  return places;
}

/** For each place of a text what may stand there: one character, or one of several. */
export type Wanted = readonly string[][];

/** Where it ends that begins there; undefined where it does not stand there. `wrapped`: lines may be broken in it. */
function ending(said: string, from: number, wanted: Wanted, wrapped: boolean): number | undefined {
  let places = [from];
  for (let n = 0; n < wanted.length; n++) {
    const [only] = places as [number];
    if (places.length === 1 && bare.test(said.charAt(only))) {
      if (!wanted[n]!.includes(said.charAt(only))) return undefined;
      places = [only + 1];
      continue;
    }
    const next = new Set<number>();
    for (const place of places)
      for (const at of n ? behindGaps(said, place, wrapped) : [place])
        for (const [character, end] of readings(said, at)) if (wanted[n]!.includes(character)) next.add(end);
    if (!next.size) return undefined;
    places = [...next];
  }
  return Math.max(...places);
}

/** Where the text stands, in order, one after the other. */
export function* found(said: string, wanted: Wanted, { wrapped = false } = {}): Generator<[from: number, to: number]> {
  const first = wanted[0]?.map((character) => `\\u{${character.codePointAt(0)!.toString(16)}}`).join("");
  if (!first) return;
  const beginning = new RegExp(`[${first}&%\\\\+\\u00a0]`, "gu");
  for (let at = beginning.exec(said)?.index; at !== undefined; at = beginning.exec(said)?.index) {
    const end = ending(said, at, wanted, wrapped);
    if (end === undefined) continue;
    yield [at, end];
    beginning.lastIndex = end;
  }
}

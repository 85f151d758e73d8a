/** Looks up the items of a list. A name can contain commas, which also divide lists. */
import { Usage } from "../errors.ts";
import { partsOfAddress, withoutName } from "../notation/address.ts";
import { trimmed } from "../notation/blanks.ts";
import { type Naming, readId } from "../notation/id.ts";
import { activePeopleOf, groupNaming, namesGroup } from "./group-people.ts";
import type { NameKind } from "./look-ups.ts";
import type { NameResolver } from "./resolver.ts";

interface Found {
  id: number;
  /** Without blanks around it. */
  typed: string;
  /** Found as a member of a group, so nobody typed this person. */
  member?: true;
}

/** The largest number of commas in a name that is recognized. */
const mostCommas = 5;

const inQuotes = ({ text }: Naming): string => `"${trimmed(text)}"`;

const isGroupOfPeople = (kind: NameKind, part: Naming): boolean => kind === "user" && namesGroup(part);

/** Returns whether several parts may be one name: a full name has the prefix `name:`. */
const mayBegin = (kind: NameKind, { text }: Naming): boolean =>
  kind === "user" ? trimmed(text).startsWith("name:") : readId(trimmed(text)) === undefined;

/** Returns the longest existing name that begins with this part and contains a comma. */
async function nameFrom(names: NameResolver, kind: NameKind, parts: readonly Naming[]): Promise<Naming[] | undefined> {
  const [first, ...others] = parts;
  if (!first || !others.length) return undefined;
  if (isGroupOfPeople(kind, first)) {
    const some = await nameFrom(names, "group", [groupNaming(first), ...others]);
    return some && parts.slice(0, some.length);
  }
  if (!mayBegin(kind, first)) return undefined;
  for (let end = Math.min(parts.length, mostCommas + 1); end > 1; end--) {
    const some = parts.slice(0, end);
    const name = trimmed(textOf(some)).replace(/^(name:|[#@])/, "");
    if (await names.has(kind, trimmed(name))) return some;
  }
  return undefined;
}

const textOf = (parts: readonly Naming[]): string => parts.map(({ text }) => text).join(",");

/** Names a way to write a suggested name that contains a comma. */
function withWayForCommas(error: Usage): Usage {
  const { hint, more } = error.details;
  const candidates = Array.isArray(more?.candidates) ? more.candidates : [];
  const one = candidates.find(({ name }) => String(name).includes(","));
  if (one && hint?.startsWith("Did you mean"))
    error.details.hint = `${hint} A name with a comma: write ${one.id}, or put one a line in a file.`;
  return error;
}

/** Names the flag that divides a cell at a sign in an item that was not found. */
function withWayForCells(error: Usage, { text, origin, place }: Naming): Usage {
  const [sign] = origin === "typed" || place ? [] : (/[;|]/.exec(text) ?? []);
  if (sign && !error.message.includes("--list-separator"))
    error.message += `. Is it a list? Pass --list-separator "${sign}" before --`;
  return error;
}

/** Ids or addresses with separators, where one is expected. */
const isSeveral = /^\s*(\d+|[^\s,;|@]+@[^\s,;|@]+)([,;|\s]+(\d+|[^\s,;|@]+@[^\s,;|@]+))+\s*$/;

/** Throws `Usage` for several ids or addresses in one item. */
export function checkOnePerson(item: Naming, flag: string): void {
  if (!isSeveral.test(withoutName(item.text))) return;
  const typed = flag.startsWith("--") ? "Write commas between them." : "Write blanks between them, outside quotes.";
  const error = new Usage(`${item.place ?? flag}: ${inQuotes(item)} is more than one person`, {
    hint: item.place ? "Write one a line." : item.origin === "typed" ? typed : "Give each a row.",
  });
  throw withWayForCells(error, item);
}

/** Looks up one item. In a list of people, `group:<name>` is the people in the group. `restores`: for archived things. */
async function findItem(
  names: NameResolver,
  kind: NameKind,
  item: Naming,
  flag: string,
  restores?: boolean,
): Promise<Found[]> {
  const at = item.place ?? flag;
  if (kind === "user") checkOnePerson(item, flag);
  if (!isGroupOfPeople(kind, item)) return [{ id: await names[kind](item, at, restores), typed: trimmed(item.text) }];
  if (restores) throw new Usage(`${at}: ${inQuotes(item)} leaves deactivated people out`);
  const people = await activePeopleOf(names, item, at);
  return people.map(({ user_id, full_name }) => ({ id: user_id, typed: full_name, member: true }));
}

/**
 * Looks up the parts between the commas of a list. Parts that are one existing name together count as one. `restores`:
 * for archived things.
 */
export async function findListed(
  names: NameResolver,
  kind: NameKind,
  parts: readonly Naming[],
  flag: string,
  restores?: boolean,
): Promise<Found[]> {
  const found: Found[] = [];
  const isList = parts.length > 1;
  const add = async (each: Naming) => {
    const items = await findItem(names, kind, each, flag, restores).catch((error: unknown) => {
      if (!(error instanceof Usage)) throw error;
      throw withWayForCells(isList ? withWayForCommas(error) : error, each);
    });
    for (const item of items) found.push(item);
  };
  for (let at = 0; at < parts.length; ) {
    const rest = parts.slice(at);
    const ofAddress = kind === "user" ? partsOfAddress(rest.map(({ text }) => text)) : 1;
    if (ofAddress > 1) {
      await add({ ...rest[0]!, text: textOf(rest.slice(0, ofAddress)) });
      at += ofAddress;
      continue;
    }
    const several = await nameFrom(names, kind, rest);
    if (!several) {
      await add(rest[0]!);
      at++;
      continue;
    }
    const whole = { text: textOf(several), origin: several[0]!.origin };
    const isFound = await Promise.all(several.map((each) => exists(names, kind, each, flag)));
    if (isFound.every(Boolean)) {
      const [one, id] = isGroupOfPeople(kind, whole)
        ? (["group", await names.group(groupNaming(whole), flag)] as const)
        : ([kind, await names[kind](whole, flag)] as const);
      throw new Usage(
        `${flag}: ${inQuotes(whole)} is one ${one}, and ${several.map(inQuotes).join(" and ")} are ${kind}s too`,
        { hint: `Write ids, or put one a line in a file. The one ${one} is ${id}.` },
      );
    }
    await add(whole);
    at += several.length;
  }
  return found;
}

const exists = (names: NameResolver, kind: NameKind, part: Naming, flag: string): Promise<boolean> =>
  findItem(names, kind, part, flag).then(
    () => true,
    (error: unknown) => {
      if (error instanceof Usage) return false;
      throw error;
    },
  );

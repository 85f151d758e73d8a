/** Things that are said to be others' old names. */
import { brief } from "../check.ts";
import { type Entry, isEntry, type Path } from "../content.ts";
import { sections } from "../file.ts";
import type { ThingSection } from "../words.ts";
import { entriesOf, type Stated, sameName } from "./entries.ts";
import { inWords } from "./problems.ts";

interface Renamed {
  readonly path: Path;
  /** As the section compares names. */
  readonly name: string;
  readonly was: string;
  /** The two as the file has them. */
  readonly said: { readonly name: unknown; readonly was: unknown };
}

/** Each of them once: from a name to the one before, and on, until the first comes again. */
function circles(all: readonly Renamed[]): Renamed[][] {
  const from = new Map(all.map((one) => [one.name, one]));
  const seen = new Set<Renamed>();
  return all.flatMap((one) => {
    const way: Renamed[] = [];
    for (let next: Renamed | undefined = one; next && !seen.has(next); next = from.get(next.was)) {
      seen.add(next);
      way.push(next);
    }
    const end = way.at(-1);
    const start = end ? way.findIndex(({ name }) => name === end.was) : -1;
    return start < 0 ? [] : [way.slice(start)];
  });
}

function judge({ at, problems }: Stated, all: readonly Renamed[], instead: string): void {
  const old = new Map<string, Renamed>();
  const moved = all.filter((one) => {
    const { path, name, was, said } = one;
    const first = old.get(was);
    if (name === was) problems.add(() => at(path), '"was" is the current name: remove it');
    else if (first)
      problems.add(
        () => at(path),
        () => `"${brief(String(said.was))}" is already renamed, in ${inWords(at(first.path))}`,
      );
    else old.set(was, one);
    return name !== was;
  });
  for (const circle of circles(moved))
    problems.add(
      () => at(circle[0]!.path),
      () => `circular names (${brief(circle.map(({ said }) => `${said.was} → ${said.name}`).join(", "))}) ${instead}`,
    );
}

/** An option by its name alone, or with the name that it had. */
const named = (option: unknown): Entry => (isEntry(option) ? option : { name: option });

export function renames(stated: Stated, section: ThingSection): void {
  const things = sections[section];
  const [key] = things.key;
  const renamed = entriesOf(stated, section).flatMap(([n, { [key!]: name, was, id }]): Renamed[] => {
    const [now, before] = [sameName(things, name), sameName(things, was)];
    // With an id, the old name says nothing.
    return now === undefined || before === undefined || id !== undefined
      ? []
      : [{ path: [section, n, "was"], name: now, was: before, said: { name, was } }];
  });
  judge(stated, renamed, 'require an "id" each');
  if (section !== "profile_fields") return;
  for (const [n, { options }] of entriesOf(stated, section))
    if (Array.isArray(options)) optionsOf(stated, [section, n, "options"], options);
}

function optionsOf(stated: Stated, path: Path, options: readonly unknown[]): void {
  const seen = new Map<string, number>();
  const renamed: Renamed[] = [];
  for (const [n, option] of options.entries()) {
    const { name, was } = named(option);
    if (typeof name !== "string") continue;
    const first = seen.get(name);
    // What is written alike the check has told of.
    if (first !== undefined && (isEntry(option) || isEntry(options[first])) && !alike(option, options[first]))
      stated.problems.add(
        () => stated.at([...path, n]),
        () => `"${brief(name)}" appears twice; first in ${inWords(stated.at([...path, first]))}`,
      );
    if (first === undefined) seen.set(name, n);
    if (typeof was === "string") renamed.push({ path: [...path, n, "was"], name, was, said: { name, was } });
  }
  judge(stated, renamed, "cannot be told from names that stay");
}

const alike = (one: unknown, other: unknown): boolean =>
  named(one).was === named(other).was && isEntry(one) === isEntry(other);

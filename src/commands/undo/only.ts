/** Chooses things of a plan by their exact names or ids: `--only`. */
import { didYouMean } from "../../common/suggestions.ts";
import { Usage } from "../../errors.ts";
import type { NameResolver } from "../../resolve/resolver.ts";
import { type Thing, thingKey, titleOf } from "../../undo/thing.ts";
import { withNames } from "./named-values.ts";

/** What people can type for a thing: its name as typed and as shown, its id, and both with its kind. */
const wordsFor = ({ kind, name, id }: Thing): string[] => {
  const all = [name, ...(id === undefined ? [] : [String(id)])];
  return kind === undefined ? all : [...all, ...all.map((each) => `${kind} ${each}`)];
};

/** Returns the keys of the chosen things. Throws `Usage` for a word that no thing has, or that two kinds have. */
export async function chosenThings(
  names: NameResolver,
  things: readonly Thing[],
  only: readonly string[],
  title: string,
): Promise<ReadonlySet<string>> {
  const bare = things.map((thing) => ({ ...thing, sign: "~" as const, changes: [] }));
  const named = await withNames(names, bare);
  const words = things.map((thing, n) => [...wordsFor(thing), ...wordsFor(named[n] ?? thing)]);
  const matching = (typed: string) => {
    const forms = [typed.normalize(), typed.normalize().replace(/^#(?=.)/, "")];
    return things.filter((_, n) => words[n]?.some((each) => forms.includes(each.normalize())));
  };
  // A name can have a comma.
  const all = only.flatMap((typed) => (matching(typed).length ? [typed] : typed.split(",").map((one) => one.trim())));
  const chosen = new Set<string>();
  for (const typed of all) {
    const found = matching(typed);
    if (!found.length)
      throw new Usage(`--only: ${title} changed nothing with the name or id "${typed}"`, {
        outcome: "not_sent",
        hint:
          partOf(typed, named) ??
          didYouMean(
            typed,
            named.map(({ name }) => name),
          ) ??
          seeAll(title),
      });
    const kinds = new Set(found.map(({ kind }) => kind));
    if (kinds.size > 1)
      throw new Usage(`--only: "${typed}" is several things of ${title}`, {
        outcome: "not_sent",
        hint: `Pass one of: ${[...new Set(found.map(titleOf))].map((each) => `--only "${each}"`).join(", ")}`,
      });
    for (const thing of found) chosen.add(thingKey(thing));
  }
  return chosen;
}

/** A part of a name is often meant as the name. */
function partOf(word: string, things: readonly Thing[]): string | undefined {
  const names = things.map(({ name }) => name).filter((name) => name.toLowerCase().includes(word.toLowerCase()));
  return names.length ? `Did you mean: ${[...new Set(names)].slice(0, 5).join(", ")}?` : undefined;
}

const seeAll = (title: string): string | undefined =>
  title.startsWith("run ") ? `List its changes with: zulipctl log show ${title.slice(4)}` : undefined;

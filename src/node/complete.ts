/** Completes command lines without loading the program. The build adds the tree of commands. */
import { readdirSync, statSync, writeSync } from "node:fs";
import { homedir } from "node:os";
import { candidates, type FlagValues } from "../cli/completion/complete.ts";
import { asTyped } from "../cli/completion/shells.ts";
import type { Entry } from "../cli/completion/tree.ts";
import { namesPlace } from "../resolve/names-place.ts";
import { accountOf, type Configuration, linesFrom, readConfiguration } from "./completion-files.ts";
import { places } from "./places.ts";

/** JSON that the build inserts. */
declare const ZULIPCTL_TREE: string;
declare const ZULIPCTL_VOCABULARY: string;

/** The largest number of candidates. */
const most = 200;

/** Profiles, runs and names on this machine. Each is read on demand. */
class Kept {
  #places: ReturnType<typeof places> | undefined;
  #configuration: Configuration | undefined;
  #names: string | undefined;

  get #where() {
    this.#places ??= places(process.env);
    return this.#places;
  }

  readonly configuration = (): Configuration => {
    this.#configuration ??= readConfiguration(this.#where.settings);
    return this.#configuration;
  };

  readonly names = (kind: string, prefix: string, given: FlagValues): readonly string[] => {
    switch (kind) {
      case "profile":
        return this.#profiles().map(([name, { site, email }]) => `${name}\t${email} on ${site}`);
      case "site":
        return [...new Set(this.#profiles().flatMap(([, { site }]) => (typeof site === "string" ? [site] : [])))];
      case "run":
        return this.#runs();
    }
    if (this.#names === undefined) {
      const { cache, home } = this.#where;
      const seer = accountOf(given, { env: process.env, home, configuration: this.configuration });
      this.#names = seer ? namesPlace(cache, seer) : "";
    }
    return this.#names ? linesFrom(`${this.#names}/${kind}`, prefix, most) : [];
  };

  #profiles() {
    try {
      return Object.entries(this.configuration().profiles ?? {});
    } catch {
      // Commands report what is wrong with it.
      return [];
    }
  }

  /** The latest first. */
  #runs(): string[] {
    try {
      const names = readdirSync(`${this.#where.state}/batch`);
      return names
        .flatMap((name) => /^(.*)\.jsonl$/.exec(name)?.[1] ?? [])
        .sort()
        .reverse()
        .slice(0, most);
    } catch {
      return [];
    }
  }
}

/** Returns the paths that begin with the typed text. Directories end with a slash. `tilde`: `~` means the home directory. */
function pathsFrom(typed: string, tilde: boolean): string[] {
  const directory = typed.slice(0, typed.lastIndexOf("/") + 1);
  const begun = typed.slice(directory.length);
  const place = tilde && directory.startsWith("~/") ? homedir() + directory.slice(1) : directory;
  try {
    return (
      readdirSync(place || ".")
        .filter((name) => name.startsWith(begun) && (begun.startsWith(".") || !name.startsWith(".")))
        // The shell reads lines.
        .filter((name) => !/[\n\t]/.test(name))
        .sort()
        .slice(0, most)
        .map((name) => {
          const isDirectory = statSync(place + name, { throwIfNoEntry: false })?.isDirectory();
          return isDirectory ? `${directory}${name}/` : directory + name;
        })
    );
  } catch {
    return [];
  }
}

/** `asked`: the words after `__complete`. Returns false if only the program can answer. */
export function complete(asked: readonly string[]): boolean {
  if (asked[0] !== "--") return false;
  const { words, answer } = asTyped(asked.slice(1), process.env, pathsFrom);
  const { names } = new Kept();
  const vocabulary = () => JSON.parse(ZULIPCTL_VOCABULARY);
  const tree: Entry = JSON.parse(ZULIPCTL_TREE);
  const found = candidates(tree, words, { names, vocabulary });
  try {
    const text = answer(found);
    if (text) writeSync(1, text);
    return true;
  } catch {
    // The program reports why stdout cannot be written.
    return false;
  }
}

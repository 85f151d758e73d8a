/** Completes command lines without loading the program. The build adds the tree of commands. */
import { readdirSync, statSync, writeSync } from "node:fs";
import { homedir } from "node:os";
import { candidates, type TypedFlagValues } from "../cli/completion/complete.ts";
import { shellRequest } from "../cli/completion/shells.ts";
import type { TreeEntry } from "../cli/completion/tree.ts";
import { namesDirectory } from "../resolve/names-directory.ts";
import {
  accountIdOf,
  type CompletionConfiguration,
  linesFrom,
  loggedRuns,
  readConfiguration,
} from "./completion-files.ts";
import { directoriesOf } from "./directories.ts";

/** JSON that the build inserts. */
declare const ZULIPCTL_TREE: string;
declare const ZULIPCTL_VOCABULARY: string;

/** The largest number of candidates. */
const most = 200;

function profilesIn(configuration: () => CompletionConfiguration) {
  try {
    return Object.entries(configuration().profiles ?? {});
  } catch {
    // Commands report what is wrong with it.
    return [];
  }
}

/** Returns the runs of batches, the latest first. */
function runsIn(state: string): string[] {
  try {
    return readdirSync(`${state}/batch`)
      .flatMap((name) => /^(.*)\.jsonl$/.exec(name)?.[1] ?? [])
      .sort()
      .reverse()
      .slice(0, most);
  } catch {
    return [];
  }
}

/** Returns profiles, sites, runs or names on this machine. */
function names(kind: string, prefix: string, flags: TypedFlagValues): readonly string[] {
  const { cache, home, settings, state } = directoriesOf(process.env);
  const configuration = () => readConfiguration(settings);
  if (kind === "run") return runsIn(state);
  if (kind === "logged-run") return loggedRuns(`${state}/log.ndjson`, most);
  if (kind === "profile")
    return profilesIn(configuration).map(([name, { site, email }]) => `${name}\t${email} on ${site}`);
  if (kind === "site")
    return [...new Set(profilesIn(configuration).flatMap(([, { site }]) => (typeof site === "string" ? [site] : [])))];
  const account = accountIdOf(flags, { env: process.env, home, configuration });
  return account ? linesFrom(`${namesDirectory(cache, account)}/${kind}`, prefix, most) : [];
}

/** Returns the paths that begin with the typed text. Directories end with a slash. `tilde`: `~` means the home directory. */
function pathsFrom(text: string, tilde: boolean): string[] {
  const directory = text.slice(0, text.lastIndexOf("/") + 1);
  const prefix = text.slice(directory.length);
  const actual = tilde && directory.startsWith("~/") ? homedir() + directory.slice(1) : directory;
  try {
    return (
      readdirSync(actual || ".")
        .filter((name) => name.startsWith(prefix) && (prefix.startsWith(".") || !name.startsWith(".")))
        // The shell reads lines.
        .filter((name) => !/[\n\t]/.test(name))
        .sort()
        .slice(0, most)
        .map((name) => {
          const isDirectory = statSync(actual + name, { throwIfNoEntry: false })?.isDirectory();
          return isDirectory ? `${directory}${name}/` : directory + name;
        })
    );
  } catch {
    return [];
  }
}

/** `args`: the words after `__complete`. Returns false if only the program can answer. */
export function complete(args: readonly string[]): boolean {
  if (args[0] !== "--") return false;
  const { words, answer } = shellRequest(args.slice(1), process.env, pathsFrom);
  const vocabulary = () => JSON.parse(ZULIPCTL_VOCABULARY);
  const tree: TreeEntry = JSON.parse(ZULIPCTL_TREE);
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

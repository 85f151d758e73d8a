/** Completion without the program: it runs at every press of a key, and the tree is known when the program is built. */
import { writeSync } from "node:fs";
import { candidates } from "../cli/completion/complete.ts";
import { asTyped } from "../cli/completion/shells.ts";
import type { Entry } from "../cli/completion/tree.ts";
import type { Names } from "../cli/completion/values.ts";
import { namesPlace } from "../resolve/names-place.ts";
import { places } from "./places.ts";
import { linesFrom } from "./sorted-lines.ts";
import { whose } from "./whose.ts";

/** JSON, put in by the build. */
declare const ZULIPCTL_TREE: string;

/** Candidates that a person can still look through. */
const most = 500;

/** The names that were kept for the account that the words choose. */
function namesFor(words: readonly string[]): Names {
  let place: string | undefined;
  return (kind, prefix) => {
    if (place === undefined) {
      const { cache, ...others } = places(process.env);
      const seer = whose(words, { env: process.env, ...others });
      place = seer ? namesPlace(cache, seer) : "";
    }
    return place ? linesFrom(`${place}/${kind}`, prefix, most) : [];
  };
}

/** Takes the words after `__complete`; false where it takes the program to answer. */
export function complete(asked: readonly string[]): boolean {
  if (asked[0] !== "--") return false;
  const { words, answer } = asTyped(asked.slice(1), process.env);
  const found = candidates(JSON.parse(ZULIPCTL_TREE) as Entry, words, { names: namesFor(words) });
  if (!found) return false;
  try {
    if (found.length) writeSync(1, answer(found));
    return true;
  } catch {
    // The program knows what to say of a stdout that cannot be written.
    return false;
  }
}

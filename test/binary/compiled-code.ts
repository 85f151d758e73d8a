/** Compiled code that the processes of all tests share: an empty home would let each start compile the program again. */
import { existsSync, mkdirSync, statSync, symlinkSync } from "node:fs";
import { join } from "node:path";

/** `test/build.ts` empties it before each run. */
export const compiledCode = join(import.meta.dirname, "../../node_modules/.cache/zulipctl-compiled");

/** Puts the shared code into the cache of a home, unless the test has made one. */
export function shareCompiledCode(home: string): void {
  const cache = join(home, ".cache");
  if (!statSync(home, { throwIfNoEntry: false })?.isDirectory() || existsSync(cache)) return;
  const directory = join(cache, "zulipctl");
  for (const each of [compiledCode, directory]) mkdirSync(each, { recursive: true, mode: 0o700 });
  symlinkSync(compiledCode, join(directory, "compiled"));
}

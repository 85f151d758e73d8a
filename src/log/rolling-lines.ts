/** Reads the files of a rolling log back, the newest line first. */
import { linesFromEnd } from "../common/byte-lines.ts";
import type { World } from "../world/world.ts";
import { rollingLogNames } from "../world/writing.ts";

/** Yields the bytes of each line. Undefined for a longer line than `maxLineBytes`. Throws if a file cannot be read. */
export async function* rollingLines(
  { files }: Pick<World, "files">,
  path: string,
  { olderFiles }: { readonly olderFiles: number },
  maxLineBytes: number,
): AsyncGenerator<Buffer | undefined> {
  for (const name of rollingLogNames(path, olderFiles))
    if ((await files.kind(name)) !== undefined) yield* linesFromEnd(files.streamFromEnd(name), maxLineBytes);
}

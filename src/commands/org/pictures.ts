/** Checks the pictures that a file names. They must be in its folder. */
import { dirname, isAbsolute, join } from "node:path";
import { readPicture } from "../../argv/upload.ts";
import { Usage } from "../../errors.ts";
import type { Document, Problem } from "../../organization/content.ts";
import type { Context } from "../../run/context.ts";

/** Returns the document with paths relative to the current folder. */
export async function withPictures(
  { world }: Context,
  document: Document,
  isWithin: (folder: string, path: string) => Promise<boolean>,
): Promise<{ document: Document; problems: Problem[] }> {
  const problems: Problem[] = [];
  const emoji = [];
  for (const [n, entry] of (document.value.emoji ?? []).entries()) {
    const { file } = entry;
    if (typeof file !== "string") {
      emoji.push(entry);
      continue;
    }
    const place = document.at(["emoji", n, "file"]);
    const folder = dirname(place.file);
    const path = join(folder, file);
    const report = (message: string) => problems.push({ location: place, message });
    if (isAbsolute(file) || !(await isWithin(folder, path))) report("file: must be in the folder of this file");
    else
      await readPicture(world, "file", path).catch((error) => {
        if (!(error instanceof Usage)) throw error;
        report(error.message);
      });
    emoji.push({ ...entry, file: path });
  }
  return { document: { ...document, value: { ...document.value, ...(emoji.length && { emoji }) } }, problems };
}

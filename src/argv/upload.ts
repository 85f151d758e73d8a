/** Checks files to upload. They are read when they are sent. */
import { MiB } from "../common/unit-sizes.ts";
import { Failure, Usage } from "../errors.ts";
import type { FileToSend } from "../wire/params.ts";
import type { World } from "../world/world.ts";
import { unreadableMessage } from "./read-text.ts";

/** Returns the size of a regular file and its first bytes. Throws `Usage` with flag and file. */
async function inspectFile(
  { files }: Pick<World, "files">,
  flag: string,
  path: string,
): Promise<{ size: number; head: Uint8Array }> {
  try {
    const file = await files.open(path);
    try {
      for await (const head of file.bytes()) return { size: file.size, head };
      return { size: 0, head: new Uint8Array() };
    } finally {
      await file.close();
    }
  } catch (error) {
    if (error instanceof Failure) throw error;
    throw new Usage(`${flag}: ${unreadableMessage(path, error)}`);
  }
}

const kinds: readonly [type: string, begins: RegExp][] = [
  ["image/png", /^\x89PNG\r\n\x1a\n/],
  ["image/jpeg", /^\xff\xd8\xff/],
  ["image/gif", /^GIF8[79]a/],
  ["image/webp", /^RIFF.{4}WEBP/s],
  ["image/avif", /^.{4}ftypavi[fs]/s],
];

/** Returns whether servers accept the picture for emoji, by its content. */
const pictureType = (head: Uint8Array): string | undefined => {
  const text = Buffer.from(head.subarray(0, 16)).toString("latin1");
  return kinds.find(([, begins]) => begins.test(text))?.[0];
};

const typesByEnding: Readonly<Record<string, string>> = {
  csv: "text/csv",
  jpg: "image/jpeg",
  json: "application/json",
  pdf: "application/pdf",
  svg: "image/svg+xml",
  txt: "text/plain",
  zip: "application/zip",
};

/** Returns a file with its type, by content or name. Throws `Usage`. */
export async function readUpload(world: Pick<World, "files">, flag: string, path: string): Promise<FileToSend> {
  const { size, head } = await inspectFile(world, flag, path);
  const ending = /\.([^./\\]+)$/.exec(path)?.[1]?.toLowerCase() ?? "";
  return { path, size, type: pictureType(head) ?? typesByEnding[ending] ?? "application/octet-stream" };
}

const largestMiB = 5;

/** Returns a picture of a type that servers accept for emoji. Throws `Usage`. */
export async function readPicture(world: Pick<World, "files">, flag: string, path: string): Promise<FileToSend> {
  const { size, head } = await inspectFile(world, flag, path);
  const type = pictureType(head);
  if (type === undefined) throw new Usage(`${flag}: ${path} is not a PNG, JPEG, GIF, WebP or AVIF picture`);
  if (size > largestMiB * MiB) throw new Usage(`${flag}: ${path} is larger than ${largestMiB} MiB`);
  return { path, size, type };
}

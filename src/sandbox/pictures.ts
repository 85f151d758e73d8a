/** Files that must be pictures. */
import { ApiError, refused } from "./api-error.ts";
import type { Upload } from "./router.ts";

const largest = 5 * 1024 * 1024;

const badImage = (msg: string) => new ApiError(400, "BAD_IMAGE", msg);

/** For each kind of picture, how its file begins and ends. Pixels are not looked at: a cut file is told by its end. */
const pictures: Readonly<Record<string, { begins: RegExp; ends: RegExp }>> = {
  png: { begins: /^\x89PNG\r\n\x1a\n/, ends: /IEND\xaeB`\x82$/ },
  gif: { begins: /^GIF8[79]a/, ends: /;$/ },
  jpg: { begins: /^\xff\xd8\xff/, ends: /\xff\xd9$/ },
  webp: { begins: /^RIFF[\s\S]{4}WEBP/, ends: /$/ },
};
const kinds: Readonly<Record<string, string>> = { png: "png", gif: "gif", jpg: "jpg", jpeg: "jpg", webp: "webp" };

/** Throws where the files are not one picture; `several` are the words for too many, or none. */
export function insistOnPicture([file, ...others]: readonly Upload[], several: string): void {
  if (!file || others.length > 0) throw refused(several);
  const { name, content } = file;
  if (content.length > largest) throw refused("Uploaded file is larger than the allowed limit of 5 MiB");
  const ending = /\.(\w+)$/.exec(name)?.[1]?.toLowerCase() ?? "";
  if (!Object.hasOwn(kinds, ending)) throw badImage("Invalid image format");
  const { begins, ends } = pictures[kinds[ending]!]!;
  const text = (bytes: Uint8Array) => String.fromCharCode(...bytes);
  if (!begins.test(text(content.subarray(0, 16))) || !ends.test(text(content.subarray(-16))))
    throw badImage("Could not decode image; did you upload an image file?");
}

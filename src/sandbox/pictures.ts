/** Checks pictures as far as the server's refusals depend on them: type, completeness and size. */
import { ApiError } from "./answers.ts";
import type { UploadedFile } from "./multipart.ts";

const types = ["image/png", "image/jpeg", "image/gif", "image/webp", "image/avif"];
const maxPixels = 90_000_000;

const badImage = (msg: string) => new ApiError(400, "BAD_IMAGE", msg);

interface Picture {
  /** The extension of the stored file. */
  extension: string;
  animated: boolean;
}

const latin1 = (bytes: Uint8Array): string => Buffer.from(bytes).toString("latin1");

/** Width times height; 0 for formats that require a decoder. */
function pixels(bytes: Uint8Array, content: string): number {
  const view = Buffer.from(bytes);
  if (content.startsWith("\x89PNG") && view.length > 24) return view.readUInt32BE(16) * view.readUInt32BE(20);
  if (content.startsWith("GIF8") && view.length > 10) return view.readUInt16LE(6) * view.readUInt16LE(8);
  return 0;
}

function isComplete(content: string): boolean {
  if (content.startsWith("\x89PNG\r\n\x1a\n")) return content.includes("IEND");
  if (content.startsWith("\xff\xd8\xff")) return content.includes("\xff\xd9");
  if (content.startsWith("GIF87a") || content.startsWith("GIF89a")) return content.endsWith("\x3b");
  if (content.startsWith("RIFF") && content.startsWith("WEBP", 8))
    return content.length >= Buffer.from(content.slice(4, 8), "latin1").readUInt32LE() + 8;
  return content.startsWith("ftypavif", 4) || content.startsWith("II*\0") || content.startsWith("MM\0*");
}

const isAnimated = (content: string): boolean =>
  content.startsWith("GIF8") ? content.split("\x21\xf9\x04").length > 2 : content.slice(0, 40).includes("ANIM");

/** Checks the declared type first, then the content. */
export function checkPicture({ name, type, bytes }: UploadedFile): Picture {
  if (!types.includes(type ?? "")) throw badImage("Invalid image format");
  const content = latin1(bytes);
  if (!isComplete(content)) throw badImage("Could not decode image; did you upload an image file?");
  if (pixels(bytes, content) > maxPixels) throw badImage("Image size exceeds limit.");
  const extension = /\.([a-z0-9]+)$/i.exec(name)?.[1]?.toLowerCase() ?? type?.split("/")[1] ?? "";
  return { extension, animated: isAnimated(content) };
}

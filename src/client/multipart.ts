/**
 * Sends a form with files as `multipart/form-data`. Its length is known at the start, and files are read while they are
 * sent.
 */
import { asError, Conflict } from "../errors.ts";
import type { FormBody } from "../wire/encode.ts";
import type { FileToSend } from "../wire/params.ts";
import type { Files, Upload } from "../world/world.ts";
import type { OpenFile } from "../world/writing.ts";

/** Random, so that no file contains it and nobody can predict it. */
export const randomBoundary = (random: () => number): string =>
  `zulipctl-${Array.from({ length: 24 }, () => Math.floor(random() * 36).toString(36)).join("")}`;

/** Escapes names of parameters and files as browsers do. */
const quotedAsInBrowsers = (name: string): string =>
  `"${name.replace(/["\r\n]/g, (sign) => ({ '"': "%22", "\r": "%0D" })[sign] ?? "%0A")}"`;

const nameOf = (path: string): string => path.split(/[/\\]/).at(-1) ?? path;

const part = (name: string, more: string, value = ""): string =>
  `Content-Disposition: form-data; name=${quotedAsInBrowsers(name)}${more}\r\n\r\n${value}`;

/** The server never received it completely, so nothing changed. */
const fileConflict = (path: string, why: string): Conflict =>
  new Conflict(`${path}: ${why}; nothing was uploaded`, { outcome: "not_applied", hint: "Run the command again." });

async function openFile(files: Pick<Files, "open">, { path, size }: FileToSend): Promise<OpenFile> {
  const file = await files.open(path).catch((error) => {
    throw fileConflict(path, asError(error).message);
  });
  if (size === undefined || file.size === size) return file;
  await file.close();
  throw fileConflict(path, "the file changed after it was checked");
}

async function* contentOf(path: string, file: OpenFile): AsyncGenerator<Uint8Array> {
  try {
    yield* file.bytes();
  } catch (error) {
    throw fileConflict(path, asError(error).message);
  }
}

/** Opens the files once, and calls `work` with the form. */
export async function withUpload<T>(
  { fields, files }: FormBody,
  boundary: string,
  store: Pick<Files, "open">,
  work: (upload: Upload) => Promise<T>,
): Promise<T> {
  const open: [path: string, file: OpenFile][] = [];
  try {
    const pieces: (Uint8Array | [path: string, file: OpenFile])[] = [];
    const addText = (text: string) => pieces.push(new TextEncoder().encode(text));
    for (const [name, value] of fields) addText(`--${boundary}\r\n${part(name, "", value)}\r\n`);
    for (const [name, file] of files) {
      const { path, type } = file;
      const content: [string, OpenFile] = [path, await openFile(store, file)];
      open.push(content);
      addText(
        `--${boundary}\r\n${part(name, `; filename=${quotedAsInBrowsers(nameOf(path))}\r\nContent-Type: ${type}`)}`,
      );
      pieces.push(content);
      addText("\r\n");
    }
    addText(`--${boundary}--\r\n`);
    const size = pieces.reduce((sum, piece) => sum + (Array.isArray(piece) ? piece[1].size : piece.length), 0);
    async function* bytes() {
      for (const piece of pieces)
        if (Array.isArray(piece)) yield* contentOf(...piece);
        else yield piece;
    }
    return await work({ size, bytes });
  } finally {
    for (const [, file] of open) await file.close();
  }
}

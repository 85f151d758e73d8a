/** The files of an export as a stream: out of a `.tar.gz` as servers make them, or out of an unpacked folder. */
import { join } from "node:path";
import { Parser } from "tar";
import { asError, Usage } from "../errors.ts";
import type { Files } from "../world/world.ts";

/** Receives the bytes of one file in pieces, and their end. */
export interface Sink {
  push(bytes: Uint8Array): void;
  end(): void;
}

/** Returns a reader for a file, whose name is relative to the export's folder. Undefined to skip it. */
type SinkOf = (name: string) => Sink | undefined;

/** Removes the code that begins the library's messages. */
function reasonIn(error: Error): string {
  if (unknownFormat.test(error.message)) return "it is not a .tar.gz archive";
  return error.message.replace(/^TAR_[A-Z_]+: /, "");
}
const unknownFormat = /^TAR_BAD_ARCHIVE: Unrecognized|checksum failure/;

export const incomplete = (source: string, why: string): Usage =>
  new Usage(`${source} is not a complete export: ${why}`, {
    hint: "Get the whole file again with: zulipctl audit fetch",
  });

/** `source` is what people call the export in messages. */
export async function readArchive(bytes: AsyncIterable<Uint8Array>, source: string, sinkOf: SinkOf): Promise<void> {
  const seen = new Set<string>();
  let failure: Error | undefined;
  const keepError = (work: () => void) => {
    if (failure) return;
    try {
      work();
    } catch (error) {
      failure = asError(error);
    }
  };
  const parser = new Parser({
    strict: true,
    onReadEntry(entry) {
      const name = entry.type === "File" ? /^[^/]+\/([^/]+\.json)$/.exec(entry.path)?.[1] : undefined;
      const sink = name === undefined ? undefined : sinkOf(name);
      if (!sink || name === undefined) return entry.resume();
      if (seen.has(name)) failure ??= incomplete(source, `${name} is in it twice`);
      seen.add(name);
      entry.on("data", (part) => keepError(() => sink.push(part)));
      entry.on("end", () => keepError(() => sink.end()));
    },
  });
  const ended = new Promise<void>((resolve, reject) => {
    parser.on("end", resolve);
    parser.on("error", (error: Error) => reject(incomplete(source, reasonIn(error))));
  });
  // The loop below throws its own error first.
  ended.catch(() => {});
  for await (const part of bytes) {
    parser.write(Buffer.from(part.buffer, part.byteOffset, part.byteLength));
    if (failure) throw failure;
  }
  parser.end();
  await ended;
  if (failure) throw failure;
}

/** Reads an unpacked export: this folder, or the one in it. */
export async function readFolder(files: Files, folder: string, sinkOf: SinkOf): Promise<void> {
  const exportFolder = await folderOf(files, folder);
  for (const name of (await files.list(exportFolder)).sort()) {
    const path = join(exportFolder, name);
    if (!name.endsWith(".json") || (await files.kind(path)) !== "file") continue;
    const sink = sinkOf(name);
    if (!sink) continue;
    for await (const part of files.stream(path)) sink.push(part);
    sink.end();
  }
}

async function folderOf(files: Files, folder: string): Promise<string> {
  const names = await files.list(folder);
  if (names.includes("realm.json")) return folder;
  const inner = names.filter((name) => name.startsWith("zulip-export-"));
  if (inner.length === 1) return join(folder, inner[0]!);
  throw new Usage(`${folder} is not an export: it has no realm.json`);
}

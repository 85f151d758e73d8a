/** Reads documents from texts, and formats their problems. */
import { dirname, join } from "node:path";
import type { Document, Location } from "../../src/organization/content.ts";
import { readDocument } from "../../src/organization/read-document.ts";

export const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text);

type Files = Readonly<Record<string, string | Uint8Array>>;

/** Reads files by name. `lists`: the list files that they name. */
export function documentOf(files: Files, lists: Files = {}): Promise<Document> {
  const bytes = (content: string | Uint8Array) => (typeof content === "string" ? bytesOf(content) : content);
  const sources = Object.entries(files).map(([name, content]) => ({ name, bytes: bytes(content) }));
  return readDocument(sources, async (path, from) => {
    const name = join(dirname(from), path);
    const content = lists[name];
    return content === undefined ? { error: `file not found: ${name}` } : { name, bytes: bytes(content) };
  });
}

export const locationTextOf = ({ file, line, column }: Location): string => `${file}:${line}:${column}`;

/** `a.yaml:3:5: "x" is missing`. */
export const problemsIn = ({ problems }: Document): string[] =>
  problems.map(({ location, message }) => `${locationTextOf(location)}: ${message}`);

/** Returns the problems of a file named `a.yaml`. */
export const problemsOf = async (text: string | Uint8Array, lists: Files = {}): Promise<string[]> =>
  problemsIn(await documentOf({ "a.yaml": text }, lists));

/** Journal replay: the lines of a journal's file, one after the other, into what is known of its run. */
import { Failure, Usage } from "../errors.ts";
import type { Files } from "../world.ts";
import type { Entry, Header } from "./journal.ts";
import { JournalReplay } from "./journal-replay.ts";

const newline = 10;
/** Bytes of a line at most: a request holds a hundred drafts. */
const longest = 128 * 1024 * 1024;

/**
 * Reads a journal. A crash may have torn the last lines, which nothing relied on, or left holes before some of them;
 * anything else that cannot be read is a `Usage` failure.
 */
export async function replayJournal(files: Files, path: string): Promise<JournalReplay> {
  const recollection = new JournalReplay();
  let line = 0;
  let torn = 0;
  let holed = false;
  let opening: Buffer | undefined;
  let rest: Uint8Array[] = [];
  let size = 0;
  try {
    for await (const chunk of files.stream(path)) {
      rest.push(chunk);
      size += chunk.length;
      if (size > longest) throw damaged(path, line + 1);
      if (!chunk.includes(newline)) continue;
      let from = 0;
      const bytes = Buffer.concat(rest);
      for (let to = bytes.indexOf(newline); to >= 0; from = to + 1, to = bytes.indexOf(newline, from)) {
        line++;
        // Blocks reach the disk in any order: where one is missing, none after it was relied on.
        holed ||= bytes.subarray(from, to).includes(0);
        if (line === 1) opening = Buffer.from(bytes.subarray(from, to));
        const entry = holed ? undefined : entryOf(bytes.toString("utf8", from, to));
        if (holed) continue;
        if (!entry) torn ||= line;
        else if (torn || (line === 1) !== "journal" in entry) throw damaged(path, torn || line);
        else {
          if ("journal" in entry) insist(entry, path);
          if (!recollection.learn(entry)) throw damaged(path, line);
          recollection.end += to + 1 - from;
        }
      }
      rest = [bytes.subarray(from)];
      size = bytes.length - from;
    }
  } catch (error) {
    if (error instanceof Failure) throw error;
    const missing = (error as NodeJS.ErrnoException).code === "ENOENT";
    throw new Usage(missing ? `there is no journal ${path}` : `${path} cannot be read: ${(error as Error).message}`, {
      cause: error,
    });
  }
  // Only what can be the torn beginning of a journal may be overwritten by one.
  if (!recollection.header && (torn || !(opening ?? Buffer.concat(rest)).every(begins))) throw damaged(path, 1);
  return recollection;
}

/** How every journal begins. */
const beginning = Buffer.from('{"journal":"zulipctl batch"');
const begins = (byte: number, at: number): boolean => byte === 0 || at >= beginning.length || byte === beginning[at];

function entryOf(line: string): Header | Entry | undefined {
  try {
    const entry: unknown = JSON.parse(line);
    return typeof entry === "object" && entry !== null ? (entry as Header | Entry) : undefined;
  } catch {
    return undefined;
  }
}

/** Throws `Usage` for a journal of which only another program knows what its lines mean. */
function insist({ journal, version }: { journal: unknown; version: unknown }, path: string): void {
  if (journal !== "zulipctl batch")
    throw new Usage(`${path} is a journal of another kind, ${JSON.stringify(journal)}, which batch cannot resume`);
  if (version !== 1)
    throw new Usage(`the journal ${path} has version ${JSON.stringify(version)}; this zulipctl knows version 1 alone`, {
      hint: "Go on with the zulipctl that began the run.",
    });
}

const damaged = (path: string, line: number): Usage =>
  new Usage(`${path}, line ${line}: this is no journal of zulipctl batch, or it is damaged`, {
    hint: "Nothing was sent. What has been done cannot be told from it.",
  });

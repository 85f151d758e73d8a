/** Journal replay: the lines of a journal's file, one after the other, into what is known of its run. */
import { byteLines } from "../byte-lines.ts";
import { Failure, Usage } from "../errors.ts";
import type { Files } from "../world.ts";
import type { Entry, Header, JournalKind } from "./journal.ts";
import { JournalReplay } from "./journal-replay.ts";

/** Bytes of a line at most: a request holds a hundred drafts. */
const longest = 128 * 1024 * 1024;

/**
 * Reads a journal. A crash may have torn the last lines, which nothing relied on, or left holes before some of them;
 * anything else that cannot be read is a `Usage` failure.
 */
export async function replayJournal(
  files: Files,
  path: string,
  kind: JournalKind = "zulipctl batch",
): Promise<JournalReplay> {
  const damaged = (line: number): Usage =>
    new Usage(`${path}, line ${line}: not a journal of ${kind}, or damaged`, {
      hint: "Nothing was sent. The journal does not tell what was done.",
    });
  const replay = new JournalReplay();
  let torn = 0;
  let holed = false;
  let opening: Uint8Array = Buffer.alloc(0);
  try {
    for await (const { line, bytes, ended } of byteLines(files.stream(path), { longest, tooLong: damaged })) {
      if (line === 1) opening = Buffer.from(bytes);
      if (!ended) break;
      // Blocks reach the disk in any order: where one is missing, none after it was relied on.
      holed ||= bytes.includes(0);
      if (holed) continue;
      const entry = entryOf(bytes.toString("utf8"));
      if (!entry) torn ||= line;
      else if (torn || (line === 1) !== "journal" in entry) throw damaged(torn || line);
      else {
        if ("journal" in entry) insist(entry, path, kind);
        if (!replay.learn(entry)) throw damaged(line);
        replay.end += bytes.length + 1;
      }
    }
  } catch (error) {
    if (error instanceof Failure) throw error;
    const missing = (error as NodeJS.ErrnoException).code === "ENOENT";
    throw new Usage(missing ? `journal not found: ${path}` : `cannot read ${path}: ${(error as Error).message}`, {
      cause: error,
    });
  }
  // Only what can be the torn beginning of a journal may be overwritten by one.
  const beginning = Buffer.from(`{"journal":"${kind}"`);
  const begins = (byte: number, at: number) => byte === 0 || at >= beginning.length || byte === beginning[at];
  if (!replay.header && (torn || !opening.every(begins))) throw damaged(1);
  return replay;
}

function entryOf(line: string): Header | Entry | undefined {
  try {
    const entry: unknown = JSON.parse(line);
    return typeof entry === "object" && entry !== null ? (entry as Header | Entry) : undefined;
  } catch {
    return undefined;
  }
}

/** Throws `Usage` for a journal of which only another program knows what its lines mean. */
function insist({ journal, version }: { journal: unknown; version: unknown }, path: string, kind: JournalKind): void {
  const command = kind.replace(/^zulipctl /, "");
  if (journal !== kind)
    throw new Usage(`${path} is a journal of another kind, ${JSON.stringify(journal)}, which ${command} cannot resume`);
  if (version !== 1)
    throw new Usage(`the journal ${path} has version ${JSON.stringify(version)}; this zulipctl knows version 1 alone`, {
      hint: "Resume with the zulipctl version that started the run.",
    });
}

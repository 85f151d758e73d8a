/** Journal replay: the lines of a journal's file, one after the other, into what is known of its run. */
import { byteLines } from "../byte-lines.ts";
import { asError, codeOf, Failure, Usage } from "../errors.ts";
import type { Files } from "../world.ts";
import type { Entry, Header, JournalKind } from "./journal.ts";
import { JournalReplay } from "./journal-replay.ts";

/** Bytes of a line at most: a request holds a hundred drafts. */
const longest = 128 * 1024 * 1024;

/** Reads a journal. A crash may have torn the last line, which nothing relied on; anything else is a `Usage` failure. */
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
  let opening = "";
  try {
    for await (const { line, bytes, ended } of byteLines(files.stream(path), { longest, tooLong: damaged })) {
      const text = bytes.toString("utf8");
      if (line === 1) opening = text;
      if (!ended) break;
      const entry = entryOf(text);
      if (!entry || (line === 1) !== "journal" in entry) throw damaged(line);
      if ("journal" in entry) checkVersion(entry, path, kind);
      if (!replay.learn(entry)) throw damaged(line);
      replay.end += bytes.length + 1;
    }
  } catch (error) {
    if (error instanceof Failure) throw error;
    const missing = codeOf(error) === "ENOENT";
    throw new Usage(missing ? `journal not found: ${path}` : `cannot read ${path}: ${asError(error).message}`, {
      cause: error,
    });
  }
  // Only what can be the torn beginning of a journal may be overwritten by one.
  const beginning = `{"journal":"${kind}"`;
  const torn = opening.replace(/\0+$/, "").slice(0, beginning.length);
  if (!replay.header && !beginning.startsWith(torn)) throw damaged(1);
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

/** Throws `Usage` for a journal of another version. */
function checkVersion(
  { journal, version }: { journal: unknown; version: unknown },
  path: string,
  kind: JournalKind,
): void {
  const command = kind.replace(/^zulipctl /, "");
  if (journal !== kind)
    throw new Usage(`${path} is a journal of another kind, ${JSON.stringify(journal)}, which ${command} cannot resume`);
  if (version !== 1)
    throw new Usage(`the journal ${path} has version ${JSON.stringify(version)}; this zulipctl knows version 1 alone`, {
      hint: "Resume with the zulipctl version that started the run.",
    });
}

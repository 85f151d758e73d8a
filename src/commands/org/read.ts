/** Reads what is compared: the files, and the server or a snapshot. */
import { dirname, isAbsolute, join, relative, resolve, sep } from "node:path";
import { stdinBytes, unreadableMessage } from "../../argv/read-text.ts";
import { readPicture } from "../../argv/upload.ts";
import { counted, joinFirst } from "../../common/counted.ts";
import { foreignText } from "../../common/foreign-content.ts";
import { commandLine } from "../../common/shell-words.ts";
import { Failure, Refused, Usage } from "../../errors.ts";
import { administers } from "../../model/person.ts";
import type { Content, Document, FileProblem } from "../../organization/content.ts";
import { maxBytes, type SourceFile } from "../../organization/document/source-text.ts";
import { readsOf, takeSnapshot } from "../../organization/fetch-snapshot.ts";
import { planFormat } from "../../organization/section-names.ts";
import { beginsLike, callerRole, readSnapshot, type Snapshot, snapshotFormat } from "../../organization/snapshot.ts";
import type { Context } from "../../run/context.ts";

const stdin = "stdin";

/** The names of files that are read from a folder. Hidden files are skipped. */
const yamlOrJson = /^[^./][^/]*\.(?:yaml|yml|json)$/;

/** Stops reading when the file is too large. */
async function bytesOf(bytes: AsyncIterable<Uint8Array>): Promise<Uint8Array> {
  const pieces: Uint8Array[] = [];
  let size = 0;
  for await (const piece of bytes) {
    pieces.push(piece);
    size += piece.length;
    if (size > maxBytes) break;
  }
  return Buffer.concat(pieces);
}

export async function fileAt({ world }: Context, path: string): Promise<SourceFile> {
  try {
    return { name: path, bytes: await bytesOf(world.files.stream(path)) };
  } catch (error) {
    if (error instanceof Failure) throw error;
    throw new Usage(unreadableMessage(path, error), { cause: error });
  }
}

/** Reads a file that another file names. */
async function regularFileAt({ world }: Context, path: string): Promise<SourceFile> {
  try {
    const file = await world.files.open(path);
    try {
      return { name: path, bytes: await bytesOf(file.bytes()) };
    } finally {
      await file.close();
    }
  } catch (error) {
    throw new Usage(unreadableMessage(path, error), { cause: error });
  }
}

async function filesIn({ world }: Context, folder: string): Promise<string[]> {
  const names = await world.files.list(folder).catch((error: Error) => {
    throw new Usage(unreadableMessage(folder, error), { cause: error });
  });
  // Sorts by code units, so that the locale of a machine does not matter.
  const paths = names
    .filter((name) => yamlOrJson.test(name))
    .sort()
    .map((name) => join(folder, name));
  // Reading a pipe could wait forever. Broken links fail later, when they are read.
  const found = await Promise.all(paths.map((path) => world.files.identity(path).catch(() => undefined)));
  const files = paths.filter((_, n) => found[n]?.plain ?? true);
  if (!files.length) throw new Usage(`${folder} has no file named *.yaml, *.yml or *.json`);
  return files;
}

/** The schema is often kept in the same folder, for editors. */
const isSchema = ({ bytes }: SourceFile): boolean =>
  /^\s*\{\s*"\$schema":\s*"https:\/\/json-schema\.org\//.test(new TextDecoder().decode(bytes.subarray(0, 200)));

/**
 * Reads the files of operands, in order: files sorted within a folder, stdin for `-`, duplicates once. Throws `Usage`
 * if one cannot be read.
 */
export async function sourcesOf(context: Context, operands: readonly string[]): Promise<SourceFile[]> {
  const { files } = context.world;
  const sources: SourceFile[] = [];
  const identities = new Set<string>();
  for (const operand of operands) {
    if (operand === "-") {
      sources.push({ name: stdin, bytes: await bytesOf(stdinBytes(context.world, "<file|folder>")) });
      continue;
    }
    const isFolder = (await files.kind(operand)) === "directory";
    const paths = isFolder ? await filesIn(context, operand) : [operand];
    for (const path of paths) {
      const found = await files.identity(path).catch(() => undefined);
      if (found?.plain && identities.has(found.id)) continue;
      if (found) identities.add(found.id);
      const source = await fileAt(context, path);
      if (!isFolder || !isSchema(source)) sources.push(source);
    }
  }
  return sources;
}

/** Returns whether a path is inside a folder after following links. */
async function isWithin({ world: { files } }: Context, folder: string, path: string): Promise<boolean> {
  const actual = async (each: string) =>
    (await files.realPath(each).catch((error: Error) => {
      throw new Usage(unreadableMessage(each, error), { cause: error });
    })) ?? resolve(each);
  const relativePath = relative(await actual(folder), await actual(path));
  return !isAbsolute(relativePath) && relativePath.split(sep)[0] !== "..";
}

/** Checks the pictures that a file names. They must be in its folder. Paths become relative to the current folder. */
async function withPictures(context: Context, document: Document): Promise<Document> {
  if (!document.value.emoji) return document;
  const problems: FileProblem[] = [];
  const emoji = [];
  for (const [n, entry] of document.value.emoji.entries()) {
    const { file } = entry;
    if (typeof file !== "string") {
      emoji.push(entry);
      continue;
    }
    const location = document.at(["emoji", n, "file"]);
    const folder = dirname(location.file);
    const path = join(folder, file);
    const report = (message: string) => problems.push({ location, message });
    if (isAbsolute(file) || !(await isWithin(context, folder, path)))
      report("file: must be in the folder of this file");
    else
      await readPicture(context.world, "file", path).catch((error) => {
        if (!(error instanceof Usage)) throw error;
        report(error.message);
      });
    emoji.push({ ...entry, file: path });
  }
  if (problems.length) throw failureOfProblems({ problems, count: problems.length });
  return { ...document, value: { ...document.value, emoji } };
}

/** Other files that zulipctl writes, and the commands that read them. */
const otherFormats = [
  { format: planFormat, is: "a plan", command: ["org", "apply"] },
  { format: snapshotFormat, is: "a snapshot", command: ["org", "export", "--from"] },
];

function checkFormat({ name, bytes }: SourceFile): void {
  const text = new TextDecoder().decode(bytes.subarray(0, 200));
  const other = otherFormats.find((each) => beginsLike(each.format, text));
  if (!other) return;
  const hint = `Use it with: ${commandLine([...other.command, name])}`;
  throw new Usage(`${name} is ${other.is}, not an organization file`, { hint });
}

/** Parses and checks the files. Throws `Usage` with every problem and its place. */
export async function documentOf(context: Context, sources: readonly SourceFile[]): Promise<Document> {
  for (const source of sources) checkFormat(source);
  const { readDocument } = await import("../../organization/read-document.ts");
  const document = await readDocument(sources, async (path, from) => {
    if (!path) return { error: '"@": missing file name' };
    const folder = from === stdin ? "." : dirname(from);
    const beside = join(folder, path);
    try {
      if (isAbsolute(path) || !(await isWithin(context, folder, beside)))
        return { error: `invalid list file "@${path}": must be in the folder of the file that names it` };
      return await regularFileAt(context, beside);
    } catch (error) {
      if (error instanceof Usage) return { error: error.message };
      throw error;
    }
  });
  if (document.count) throw failureOfProblems(document);
  return withPictures(context, document);
}

/** Makes the error for problems. `count` can be larger than their number. */
export function failureOfProblems({ problems, count }: Pick<Document, "problems" | "count">): Usage {
  const files = [...new Set(problems.map(({ location }) => location.file))];
  const more = count > problems.length ? "more than " : "";
  return new Usage(`${more}${counted(problems.length, "problem")} in ${joinFirst(files, 3)}`, {
    more: { problems: problems.map(({ location, message }) => ({ ...location, message })) },
  });
}

/** What is compared: the desired state, and the current one. */
export interface Compared {
  readonly document: Document;
  readonly snapshot: Snapshot;
}

/** In bytes. The largest organizations need less than a hundredth of it. */
const largestSnapshot = 1024 ** 3 / 2;

/** Reads the snapshot that a flag names. */
export async function readSnapshotFile({ world }: Context, path: string, flag = "--from"): Promise<Snapshot> {
  const text = await world.files.read(path, largestSnapshot).catch((error: Error) => {
    throw new Usage(`${flag}: cannot read ${path}: ${error.message}`, { cause: error });
  });
  if (text === undefined) throw new Usage(`${flag}: file not found: ${path}`);
  const foreign = foreignText(text);
  if (foreign) throw new Usage(`${flag}: ${path} ${foreign.what}`, { hint: foreign.hint });
  return readSnapshot(text, path);
}

/** Throws `Refused` for a snapshot of an account that does not see everything. */
export function checkWhole(snapshot: Snapshot, from: string): void {
  if (!administers(callerRole(snapshot)))
    throw new Refused(
      `${from} is what ${snapshot.email} sees: only administrators and owners see the whole organization`,
      { hint: "Take a snapshot as one of them." },
    );
}

/** With `--dry-run`, shows the reads and ends the command. */
export async function showReads(context: Context, findings = false): Promise<void> {
  if (context.flags.dryRun) await context.showInstead(readsOf(await (await context.server()).level(), { findings }));
}

/** Takes a snapshot. `findings`: with the data that `permissions findings` needs. */
export const fetchSnapshot = async (
  { command, server, world }: Context,
  { findings = false, invitations = true } = {},
): Promise<Snapshot> => takeSnapshot(await server(), { command, now: world.clock.now(), findings, invitations });

/** Returns whether a file describes invitations. */
export const asksForInvitations = ({ people }: Content): boolean =>
  people?.some(({ invite }) => invite !== undefined) ?? false;

/** Reads files, and the snapshot of `--from` or of the server. With `--dry-run`, shows the reads and ends the command. */
export async function readCompared(
  context: Context,
  operands: readonly string[],
  from: string | undefined,
  readSaved: (context: Context, path: string, flag: string) => Promise<Snapshot> = readSnapshotFile,
): Promise<Compared> {
  const document = await documentOf(context, await sourcesOf(context, operands));
  if (from === undefined) {
    await showReads(context);
    return { document, snapshot: await fetchSnapshot(context, { invitations: asksForInvitations(document.value) }) };
  }
  const snapshot = await readSaved(context, from, "--from");
  checkWhole(snapshot, from);
  return { document, snapshot };
}

/** Saves a download to a file, which gets its name when it is complete, or writes it to stdout. */
import { dirname, join } from "node:path";
import { outputOptions } from "../argv/global-flags.ts";
import type { FileRequest } from "../client/download.ts";
import { asError, systemErrorCode, Unreachable, Usage, unexpected } from "../errors.ts";
import { fileName } from "../notation/file-name.ts";
import { type Changed, changed } from "../output/form.ts";
import { size } from "../output/when.ts";
import { call } from "../wire/call.ts";
import type { AnyOperation, ArgsOf } from "../wire/operation.ts";
import type { NewFile } from "../world/writing.ts";
import type { Context } from "./context.ts";

export interface SavingFlags {
  to?: string;
  overwrite?: boolean;
}

/** The typed place, as far as this machine can tell. */
export interface Destination {
  /** Undefined for stdout. */
  path?: string;
  /** The path is a directory. The server's name is used. */
  directory?: boolean;
  overwrite: boolean;
}

/** Checks the place before anything is sent. Throws `Usage` if no file can be saved there. */
export async function destinationOf(
  context: Context,
  { to = ".", overwrite = false }: SavingFlags,
): Promise<Destination> {
  const { world, flags } = context;
  if (to === "-") {
    const { form, fields, jq } = outputOptions(flags);
    const other = jq !== undefined ? "--jq" : fields ? "--fields" : form !== "table" && form !== "none" && `-o ${form}`;
    if (other) throw new Usage(`--to - writes the file to stdout, where the result of ${other} would go too`);
    if (world.stdout.isTerminal && !flags.dryRun)
      throw new Usage("--to - would write the file to the terminal", {
        hint: "Pass a file name, or pipe to another program: … --to - | tar tz",
      });
    return { overwrite };
  }
  const kind = await world.files.kind(to);
  if (kind === "directory") return { path: to, directory: true, overwrite };
  if (/[/\\]$/.test(to)) throw new Usage(`--to: directory not found: ${to}`);
  await checkFree(context, to, overwrite);
  return { path: to, overwrite };
}

/** Throws `Usage` if no file can be saved there. */
export async function checkFree({ world }: Context, path: string, overwrite: boolean): Promise<void> {
  const kind = await world.files.kind(path);
  if (kind === undefined && (await world.files.kind(dirname(path))) === "directory") return;
  if (kind === undefined) throw new Usage(noDirectory(path));
  if (kind === "file" && overwrite) return;
  if (kind !== "file") throw new Usage(`${path} is not a regular file`, { hint: "Choose another name with --to." });
  throw alreadyExists(`${path} already exists`);
}

const alreadyExists = (message: string) =>
  new Usage(message, { hint: "Pass --overwrite to replace it, or choose another name with --to." });

/** Returns the path of the file. Undefined for stdout. Throws `Usage` if the file exists. */
export async function pathIn(context: Context, place: Destination, name: string): Promise<string | undefined> {
  if (place.path === undefined || !place.directory) return place.path;
  const path = join(place.path, name);
  await checkFree(context, path, place.overwrite);
  return path;
}

interface SavePlace {
  /** Undefined for stdout. */
  readonly path: string | undefined;
  readonly overwrite: boolean;
}

interface Saved {
  path: string;
  size: number;
}

/**
 * Saves a file or writes it to stdout. Returns the path and size, or undefined for stdout. An interrupted download
 * leaves nothing.
 */
async function save(
  context: Context,
  bytes: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
  { path, overwrite }: SavePlace,
): Promise<Saved | undefined> {
  if (path === undefined) return print(context, bytes);
  const file = await createFile(context, path);
  try {
    let size = 0;
    for await (const chunk of bytes) {
      await file.write(chunk).catch(failToWrite(path));
      size += chunk.length;
    }
    const isComplete = await file.complete(overwrite).catch(failToWrite(path));
    if (!isComplete) throw alreadyExists(`${path} exists now, and was not changed`);
    return { path, size };
  } finally {
    await file.discard();
  }
}

const noDirectory = (path: string): string => `cannot write ${path}: its directory does not exist`;

export const unwritableMessage = (path: string, error: unknown): string =>
  ["ENOENT", "ENOTDIR"].includes(systemErrorCode(error))
    ? noDirectory(path)
    : `cannot write ${path}: ${asError(error).message}`;

async function createFile({ world }: Context, path: string): Promise<NewFile> {
  try {
    return await world.files.createFile(path);
  } catch (error) {
    throw new Usage(unwritableMessage(path, error), { cause: error });
  }
}

const failToWrite = (path: string) => (error: Error) => {
  throw new Unreachable(`cannot write ${path}: ${unexpected(error).message}`, { cause: error });
};

async function print(
  { world: { stdout } }: Context,
  bytes: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
): Promise<undefined> {
  for await (const chunk of bytes) {
    await stdout.write(chunk).catch(failToWrite("stdout"));
    // A reader that has seen enough closes the pipe.
    if (stdout.isClosed) return;
  }
}

/** Saves a file of the server. Its name is used if the place is a directory. Undefined for stdout. */
export async function saveDownload<O extends AnyOperation>(
  context: Context,
  place: Destination,
  { operation, args, what, id, ...file }: FileRequest & { operation: O; args: ArgsOf<O>; what: string; id: number },
): Promise<Changed | undefined> {
  const path = await pathIn(context, place, fileName(file.name, `${what.toLowerCase()}-${id}`));
  await context.showInstead([call(operation, args)]);
  const bytes = (await context.server()).download(operation, args, file);
  const saved = await save(context, bytes, { path, overwrite: place.overwrite });
  return (
    saved &&
    changed(`${what} ${id} saved as ${saved.path} (${size(saved.size)}).`, { id, file: saved.path, size: saved.size }, [
      id,
    ])
  );
}

/** Saves a text. */
export const saveText = (context: Context, text: string, place: SavePlace): Promise<Saved | undefined> =>
  save(context, [new TextEncoder().encode(text)], place);

/** Where the bytes of a download go: a file that has its name once it is whole, or stdout. */
import { join } from "node:path";
import { choiceOf } from "../argv/flags.ts";
import type { Fetched } from "../client/download.ts";
import { asError, codeOf, Failure, Unreachable, Usage } from "../errors.ts";
import { fileName } from "../notation/file-name.ts";
import type { Changed } from "../output/form.ts";
import { size } from "../output/when.ts";
import { call } from "../wire/call.ts";
import type { AnyOperation, ArgsOf } from "../wire/operation.ts";
import type { Incoming } from "../writing.ts";
import type { Context } from "./context.ts";

export interface SavingFlags {
  to?: string;
  overwrite?: boolean;
}

/** What was typed, as far as this machine alone can tell. */
export interface Place {
  /** Undefined for stdout. */
  path?: string;
  /** The path is a directory: the file has the name that the server knows for it. */
  directory?: boolean;
  overwrite: boolean;
}

/** Throws `Usage` for a place where no file can be put, before anything is sent. */
export async function placeOf(context: Context, { to = ".", overwrite = false }: SavingFlags): Promise<Place> {
  const { world, flags } = context;
  if (to === "-") {
    const { form, fields, jq } = choiceOf(flags);
    const other = jq !== undefined ? "--jq" : fields ? "--fields" : form !== "table" && form !== "none" && `-o ${form}`;
    if (other) throw new Usage(`--to - writes the file to stdout, where the result of ${other} would go too`);
    if (world.stdout.isTerminal && !flags.dryRun)
      throw new Usage("--to - would write the file to the terminal", {
        hint: "Pass a file name, or pipe to another program: … --to - | tar tz",
      });
    return { overwrite };
  }
  if (to === "") throw new Usage("--to is empty");
  const kind = await world.files.kind(to);
  if (kind === "directory") return { path: to, directory: true, overwrite };
  if (/[/\\]$/.test(to)) throw new Usage(`--to: directory not found: ${to}`);
  await checkFree(context, to, overwrite);
  return { path: to, overwrite };
}

async function checkFree({ world }: Context, path: string, overwrite: boolean): Promise<void> {
  const kind = await world.files.kind(path);
  if (kind === undefined || (kind === "file" && overwrite)) return;
  if (kind !== "file") throw new Usage(`${path} is not a regular file`, { hint: "Choose another name with --to." });
  throw taken(`${path} already exists`);
}

const taken = (message: string) =>
  new Usage(message, { hint: "Pass --overwrite to replace it, or choose another name with --to." });

/** The file's path, `named` where a directory was given; undefined for stdout. Throws `Usage` where it is taken. */
export async function pathIn(context: Context, place: Place, named: string): Promise<string | undefined> {
  if (place.path === undefined || !place.directory) return place.path;
  const path = join(place.path, named);
  await checkFree(context, path, place.overwrite);
  return path;
}

interface Saved {
  path: string;
  size: number;
}

/**
 * Resolves when the file is there whole, or stdout has it; undefined for the latter. Nothing of it is left otherwise,
 * whatever ends it.
 */
async function save(
  context: Context,
  bytes: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
  { path, overwrite }: { path: string | undefined; overwrite: boolean },
): Promise<Saved | undefined> {
  if (path === undefined) return print(context, bytes);
  const file = await opened(context, path);
  try {
    let size = 0;
    for await (const chunk of bytes) {
      await file.write(chunk).catch((error: Error) => Promise.reject(unwritable(path, error)));
      size += chunk.length;
    }
    const given = await file.complete(overwrite).catch((error: Error) => Promise.reject(unwritable(path, error)));
    if (!given) throw taken(`${path} exists by now and was not changed`);
    return { path, size };
  } finally {
    await file.discard();
  }
}

async function opened({ world }: Context, path: string): Promise<Incoming> {
  try {
    return await world.files.incoming(path);
  } catch (error) {
    const noDirectory = ["ENOENT", "ENOTDIR"].includes(codeOf(error));
    const why = noDirectory ? "its directory does not exist" : asError(error).message;
    throw new Usage(`cannot write ${path}: ${why}`, { cause: error });
  }
}

const unwritable = (path: string, error: Error): Error =>
  error instanceof Failure ? error : new Unreachable(`cannot write ${path}: ${error.message}`, { cause: error });

async function print(
  { world: { stdout } }: Context,
  bytes: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
): Promise<undefined> {
  for await (const chunk of bytes) {
    await stdout.write(chunk).catch((error: Error) => Promise.reject(unwritable("stdout", error)));
    // As of any read: who has seen enough of it wants no more.
    if (stdout.gone) return;
  }
}

/** Saves a file of the server as `file.name` where the place is a directory; undefined where stdout has it. */
export async function fetchFile<O extends AnyOperation>(
  context: Context,
  place: Place,
  { operation, args, what, id, ...file }: Fetched & { operation: O; args: ArgsOf<O>; what: string; id: number },
): Promise<Changed | undefined> {
  const path = await pathIn(context, place, fileName(file.name, `${what.toLowerCase()}-${id}`));
  await context.showInstead([call(operation, args)]);
  const bytes = (await context.server()).download(operation, args, file);
  const saved = await save(context, bytes, { path, overwrite: place.overwrite });
  return (
    saved && {
      kind: "change",
      sentence: `${what} ${id} saved as ${saved.path} (${size(saved.size)}).`,
      answer: { id, file: saved.path, size: saved.size },
      ids: [id],
    }
  );
}

/** Saves a text that is there as a whole. */
export const saveText = (
  context: Context,
  text: string,
  place: { path: string | undefined; overwrite: boolean },
): Promise<Saved | undefined> => save(context, [new TextEncoder().encode(text)], place);

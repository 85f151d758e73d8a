/** Chooses how the file of `batch` is read, by its flags. */

import { stdinBytes } from "../../argv/read-text.ts";
import { BatchInput } from "../../batch/input.ts";
import { formatOf, formats, RowReader } from "../../batch/reader.ts";
import { readCondition } from "../../batch/selection.ts";
import { Usage } from "../../errors.ts";
import type { World } from "../../world/world.ts";
import type { BatchOptions } from "./flags.ts";

/** Returns the reader of the rows. Opens nothing yet. Throws `Usage`. */
export function chooseReader(world: World, options: BatchOptions, file: string, words: readonly string[]): RowReader {
  const { retryUnknown, resume, failed, where, skipEmpty, listSeparator: separator } = options;
  const format = options.format ?? formatOf(file);
  if (/\.(ods|numbers|xlsx?)$/i.test(file) && !options.format)
    throw new Usage(`${file} is a spreadsheet`, { hint: 'Save the table as "CSV UTF-8", and pass that file.' });
  if (format === undefined)
    throw new Usage(
      file === "-"
        ? "reading stdin requires --format"
        : `cannot tell the format of ${file} from its name: pass --format`,
      { hint: `One of ${formats.join(", ")}.` },
    );
  if (format === "lines" && words.length)
    throw new Usage("--format lines takes no command after --", {
      hint: "The command after -- is for the other formats.",
    });
  if (format !== "lines" && !words.length)
    throw new Usage("missing command: put the command for each row after --", {
      hint: `For example: zulipctl batch ${file} -- group members {group} --add {email}`,
    });
  const [filter] = [where && "--where", skipEmpty && "--skip-empty", separator && "--list-separator"].filter(Boolean);
  if (format === "lines" && filter) throw new Usage(`${filter} needs columns, and --format lines has none`);
  if (retryUnknown && resume === undefined && failed === undefined)
    throw new Usage("--retry-unknown requires --resume");
  if (options.onError === "stop" && (options.maxFailures ?? 1) > 1)
    throw new Usage("--on-error stop cannot be combined with --max-failures");
  const name = file === "-" ? "stdin" : file;
  const input =
    file === "-"
      ? new BatchInput(name, () => stdinBytes(world, "<file>"))
      : new BatchInput(name, () => world.files.stream(file));
  return new RowReader(input, format, words, { where: where?.map(readCondition), skipEmpty, separator });
}

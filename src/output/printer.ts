/** Prints results of commands. */
import { Partial, Usage } from "../errors.ts";
import { Unwritable, unwritableFailure } from "./buffered-writer.ts";
import { checkFields } from "./chosen-fields.ts";
import type { Changed, ChangedMany, OnlyCopy, OutputOptions, OutputWorld, Result } from "./form.ts";

/**
 * Checks the output options before anything is sent. Throws `Usage` for an invalid filter, for options that contradict
 * each other, and for a field that is not in `known`. `markdown`: the command supports that form.
 */
export async function checkOutputOptions(
  choice: OutputOptions,
  known?: readonly string[],
  markdown = false,
): Promise<void> {
  const { form, fields, jq } = choice;
  if (form === "markdown" && !markdown)
    throw new Usage("this command does not support -o markdown", { hint: "Use it with: zulipctl org plan" });
  if (form === "markdown" && fields) throw new Usage("--fields cannot be combined with -o markdown");
  if (fields && !fields.length)
    throw new Usage("--fields is empty", { hint: "Pass names separated by commas: --fields id,name" });
  if (fields && known) checkFields(fields, known);
  if (jq === undefined) return;
  const { checkFilter } = await import("./jq.ts");
  await checkFilter(jq);
}

/** Loads the printing code before a change is sent: an update may replace the program meanwhile. */
export async function loadPrinter({ form, jqForm }: OutputOptions): Promise<void> {
  await import("./print.ts");
  if (form === "yaml" || jqForm === "yaml") await import("./yaml.ts");
}

/** Prints the result of a change. It is already sent, so later errors must say so. */
const afterChange = (error: Error, result: Changed | ChangedMany): Partial => {
  const one = result.kind === "change";
  const done = one ? "The change was made" : "The changes were sent";
  return new Partial(`${done}, but the result could not be printed: ${error.message}`, {
    hint: "Do not repeat the command. Check the current state first.",
    more: one ? { answer: result.answer } : { outcomes: result.outcomes },
    cause: error,
  });
};

/** The failure for an answer that is lost. It does not repeat the answer: that may be a secret. */
const lost = ({ what, hint }: OnlyCopy, why: string, cause?: Error): Partial =>
  new Partial(`${what} could not be written to stdout: ${why}`, { hint, cause });

/**
 * Writes the result to stdout until its reader stops. Throws `Unreachable` if stdout fails, `Usage` for a field or
 * filter that only the answer shows to be wrong, and errors of the source with the number of printed records. Throws
 * `Partial` if the only copy of an answer was not written.
 */
export async function print(result: Result, choice: OutputOptions, world: OutputWorld): Promise<void> {
  const onlyCopy = "onlyCopy" in result ? result.onlyCopy : undefined;
  try {
    const { printResult } = await import("./print.ts");
    await printResult(result, choice, world);
  } catch (error) {
    if (error instanceof Error && onlyCopy) throw lost(onlyCopy, error.message, error);
    if (error instanceof Error && (result.kind === "change" || result.kind === "changes"))
      throw afterChange(error, result);
    throw error instanceof Unwritable ? unwritableFailure(error) : error;
  }
  if (!onlyCopy || choice.form === "none") return;
  if (world.stdout.isClosed) throw lost(onlyCopy, "nobody reads the pipe");
  if (world.stdout.isDiscarded) throw lost(onlyCopy, "it is closed, or the null device");
}

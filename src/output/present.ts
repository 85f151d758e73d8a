/** Prints what commands give. */
import { Partial, Usage } from "../errors.ts";
import { Unwritable, unwritten } from "./buffered-writer.ts";
import { checkFields } from "./fields.ts";
import type { Changed, ChangedMany, Choice, Place, Result } from "./form.ts";

/**
 * Throws `Usage` for what can be seen before anything is sent: a filter that does not compile or that another form
 * contradicts, and, where `known` says every field and column head there can be, a name that is none of them. `markdown`:
 * the command has that form too.
 */
export async function checkChoice(choice: Choice, known?: readonly string[], markdown = false): Promise<void> {
  const { form, fields, jq } = choice;
  if (form === "markdown" && !markdown)
    throw new Usage("this command does not support -o markdown", { hint: "Use it with: zulipctl org plan" });
  if (form === "markdown" && fields) throw new Usage("--fields cannot be combined with -o markdown");
  if (fields && !fields.length)
    throw new Usage("--fields is empty", { hint: "Pass names separated by commas: --fields id,name" });
  if (fields && known) checkFields(fields, known);
  if (jq === undefined) return;
  if (form !== "json")
    throw new Usage(`--jq cannot be combined with --output ${form}: it filters JSON`, {
      hint: "Remove --output, or give --output json.",
    });
  const { checkFilter } = await import("./jq.ts");
  await checkFilter(jq);
}

/** Loads what prints the result of a change before the change is sent: the program may be replaced meanwhile. */
export async function prepared({ form }: Choice): Promise<void> {
  await import("./print.ts");
  if (form === "yaml") await import("./yaml.ts");
}

/** By the time a change is printed it has been sent, so what goes wrong then must not claim otherwise. */
const afterChange = (error: Error, result: Changed | ChangedMany): Partial => {
  const one = result.kind === "change";
  const done = one ? "The change was made" : "The changes were sent";
  return new Partial(`${done}, but the result could not be printed: ${error.message}`, {
    hint: "Do not repeat the command. Check the current state first.",
    more: one ? { answer: result.answer } : { outcomes: result.outcomes },
    cause: error,
  });
};

/**
 * Writes the whole result to stdout, or as much as its reader takes. `Unreachable` where stdout cannot be written;
 * `Usage` for a field or filter that only the answer could show to be wrong; whatever the source of a listing throws,
 * with the number of records that were printed before it.
 */
export async function print(result: Result, choice: Choice, world: Place): Promise<void> {
  try {
    const { printResult } = await import("./print.ts");
    await printResult(result, choice, world);
  } catch (error) {
    if (error instanceof Error && (result.kind === "change" || result.kind === "changes"))
      throw afterChange(error, result);
    throw error instanceof Unwritable ? unwritten(error) : error;
  }
}

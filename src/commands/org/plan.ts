/** `org plan`: shows what a file would change. */
import { Usage } from "../../errors.ts";
import { isPlan, planFileText } from "../../organization/plan/file.ts";
import type { Conclusion, Context } from "../../run/context.ts";
import { saveText } from "../../run/saving.ts";
import { differenceFrom, obstacle, type PlanFlags, planFiles, printNotices } from "./plan-files.ts";
import { read } from "./read.ts";
import { checkForm, render } from "./render.ts";

/** Throws `Usage` unless the file is new or a plan: nothing else is replaced. */
async function checkOut({ world }: Context, out: string | undefined): Promise<void> {
  if (out === undefined) return;
  const kind = await world.files.kind(out);
  if (kind === undefined) return;
  if (kind !== "file") throw new Usage(`--out: ${out} is not a regular file`);
  const text = await world.files.read(out).catch(() => undefined);
  if (text === undefined || !isPlan(text)) throw new Usage(`--out: ${out} already exists and is not a plan`);
}

export async function plan(
  context: Context,
  flags: PlanFlags & { out?: string; exitCode?: boolean; from?: string; details?: boolean },
  operands: readonly string[],
): Promise<Conclusion | undefined> {
  const { prune = false, out, from } = flags;
  checkForm(context);
  await checkOut(context, out);
  const compared = await read(context, operands, from);
  const planned = await planFiles(context, compared, flags);
  await printNotices(context, compared.document, planned);
  if (out !== undefined && !context.flags.dryRun) {
    const { differences: changes } = planned.comparison;
    const text = planFileText(planned.before, { changes, content: compared.document.value, prune });
    await saveText(context, text, { path: out, overwrite: true });
  }
  const difference = flags.exitCode ? differenceFrom("the file", planned) : undefined;
  return render(context, planned, { failure: obstacle(planned) ?? difference, details: flags.details });
}

/** The third leg of a plan: prints it in the chosen form. */
import { outputOptions } from "../../argv/flags.ts";
import { type Failure, Usage } from "../../errors.ts";
import { planRecord, planText } from "../../organization/plan/describe.ts";
import type { Plan } from "../../organization/plan.ts";
import { write } from "../../output/buffered-writer.ts";
import { chalkFor, resultColorLevel } from "../../output/color.ts";
import type { Conclusion, Context } from "../../run/context.ts";
import type { Output } from "../../world/world.ts";

export function checkForm({ flags, command }: Context): void {
  const { form } = outputOptions(flags);
  if (!["table", "json", "yaml", "markdown", "none"].includes(form))
    throw new Usage(`${command} supports text, JSON, YAML and Markdown, not -o ${form}`);
}

/** The largest number of sentences. */
const mostRights = 20;

/** Returns who gains and who loses permissions. Things that the plan creates are skipped. */
async function rights({ world }: Context, { comparison, before, result }: Plan): Promise<string[]> {
  if (!comparison.differences.length) return [];
  const { describeChanges, permissionChanges } = await import("../../permissions/difference.ts");
  const all = world.signals.runBlocking(() =>
    describeChanges(permissionChanges(before, result).changes.filter(({ existsInBoth }) => existsInBoth)),
  );
  const more = all.length - mostRights;
  return more > 0 ? [...all.slice(0, mostRights), `… and ${more} more: see zulipctl permissions diff`] : all;
}

/** Prints a plan as text. */
export async function printPlan(context: Context, output: Output, plan: Plan, withRights = true): Promise<void> {
  const { world, flags } = context;
  const chalk = chalkFor(resultColorLevel(flags.color, output, world.env));
  const fold = output.isTerminal ? (await import("../../output/fold.ts")).folding(output.columns || 80) : undefined;
  const options = { chalk, fold, rights: withRights ? await rights(context, plan) : [] };
  await write(output, planText(plan, options));
}

/** Prints a plan in the chosen form. `failure`: ends the command after printing. */
export async function render(context: Context, plan: Plan, failure?: Failure): Promise<Conclusion | undefined> {
  const { world, flags } = context;
  const { form } = outputOptions(flags);
  if (form === "table" && !flags.fields) {
    await printPlan(context, world.stdout, plan);
    return failure && { kind: "ended", failure };
  }
  if (form === "markdown") {
    const { planMarkdown } = await import("../../organization/plan/markdown.ts");
    await write(world.stdout, planMarkdown(plan, await rights(context, plan)));
    return failure && { kind: "ended", failure };
  }
  const result = { kind: "single", record: planRecord(plan), columns: [] } satisfies Conclusion;
  return failure ? { kind: "ended", failure, result } : result;
}

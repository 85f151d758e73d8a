/** The second leg of a plan: compares files with an organization. */
import type { Usage } from "../../errors.ts";
import type { Document } from "../../organization/content.ts";
import type { Allowed } from "../../organization/guards.ts";
import { makePlan, type Plan, type PlanOptions } from "../../organization/plan.ts";
import type { ValidationError } from "../../organization/shape.ts";
import { sanitizeLine } from "../../output/sanitize.ts";
import type { Context } from "../../run/context.ts";
import { refusal } from "./files.ts";
import type { Compared } from "./read.ts";

/** Flags of `org plan` and `org apply`. */
export interface PlanFlags extends Allowed {
  prune?: boolean;
}

/** Makes the error with every problem and its place in the files. */
function problemsIn({ at }: Document, problems: readonly ValidationError[]): Usage {
  const located = problems.map(({ path, message, key }) => ({ location: at(path, key), message }));
  located.sort(({ location: a }, { location: b }) =>
    a.file < b.file ? -1 : a.file > b.file ? 1 : a.line - b.line || a.column - b.column,
  );
  return refusal({ problems: located, count: located.length });
}

/** Plans files. Throws `Usage` for problems in them, and for linkifiers that the server would refuse. */
export async function planFiles(
  { world }: Context,
  { document, snapshot }: Compared,
  options: PlanOptions,
): Promise<Plan> {
  const { value } = document;
  const plan = world.signals.runBlocking(() =>
    makePlan(snapshot, value, { portion: world.peoplePerRequest, ...options }),
  );
  const { problems, differences } = plan.comparison;
  if (problems.length) throw problemsIn(document, problems);
  if (!differences.some(({ section }) => section === "linkifiers")) return plan;
  const { linkifierProblems } = await import("./linkifiers.ts");
  const ofLinkifiers = linkifierProblems(value, snapshot, differences);
  if (ofLinkifiers.length) throw problemsIn(document, ofLinkifiers);
  return plan;
}

/** Prints notices about parts of the files. */
export async function printNotices({ note }: Context, { at }: Document, { comparison }: Plan): Promise<void> {
  for (const { message, path } of comparison.notices) {
    const { file, line, column } = path ? at(path) : { file: undefined, line: 0, column: 0 };
    await note(sanitizeLine(`zulipctl: ${file === undefined ? "" : `${file}:${line}:${column}: `}${message}`));
  }
}

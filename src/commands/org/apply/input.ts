/** What is to be applied, from files or a plan file, and the plan that comes of it each time the organization is read. */
import { firstOf } from "../../../counted.ts";
import { Conflict, Refused, Usage } from "../../../errors.ts";
import type { Content, Document } from "../../../organization/content.ts";
import { calledIn } from "../../../organization/file.ts";
import type { Allowed, GuardViolation } from "../../../organization/guards.ts";
import { isPlan, type KeptPlan, readPlan } from "../../../organization/plan/file.ts";
import { type Plan, planned } from "../../../organization/plan.ts";
import { recheck } from "../../../organization/recheck.ts";
import type { Snapshot } from "../../../organization/snapshot.ts";
import type { Context } from "../../../run/context.ts";
import { documentOf, sourcesOf } from "../files.ts";
import { allowedBy, checkPlanned, type PlanFlags, tellNotices } from "../plan.ts";

export interface Options extends PlanFlags {
  journal?: string;
  /** False for `--no-verify`. */
  verify?: boolean;
}

const planAgain = { outcome: "not_sent", hint: "Plan again with: zulipctl org plan <file> --out plan.json" } as const;

/** What the command line names, and how it is planned. */
export class Input {
  readonly content: Content;
  readonly prune: boolean;
  readonly allowed: Allowed;
  /** Of a plan file. */
  readonly path: string | undefined;
  readonly #kept: KeptPlan | undefined;
  readonly #document: Document | undefined;
  readonly #context: Context;

  private constructor(context: Context, options: Options, from: Document | { path: string; kept: KeptPlan }) {
    const [kept, document] = "kept" in from ? [from.kept] : [undefined, from];
    this.#context = context;
    this.#kept = kept;
    this.#document = document;
    this.path = "path" in from ? from.path : undefined;
    this.content = kept?.content ?? document?.value ?? {};
    this.prune = kept?.prune ?? options.prune ?? false;
    this.allowed = allowedBy(options);
  }

  /** Throws `Usage` for what cannot go together. */
  static async read(context: Context, options: Options, operands: readonly string[]): Promise<Input> {
    if (!operands.length)
      throw new Usage("missing file", { hint: "For example: zulipctl org apply organization.yaml" });
    const sources = await sourcesOf(context, operands);
    const [plan] = sources.flatMap(({ name, bytes }) => {
      const text = Buffer.from(bytes).toString("utf8");
      return isPlan(text) ? [{ path: name, kept: readPlan(text, name) }] : [];
    });
    if (!plan) return new Input(context, options, await documentOf(context, sources));
    if (sources.length > 1) throw new Usage(`${plan.path} is a plan: it cannot be combined with other files`);
    if (options.prune)
      throw new Usage(`--prune cannot be combined with a plan file: ${plan.path} is already planned`, {
        hint: "Plan again with: zulipctl org plan <file> --prune --out plan.json",
      });
    return new Input(context, options, plan);
  }

  #planned(snapshot: Snapshot, verifyWith: string): Plan {
    const { portion, signals } = this.#context.world;
    const { content, prune, allowed } = this;
    return signals.computing(() => planned(snapshot, content, { prune, portion, verifyWith, ...allowed }));
  }

  /**
   * The plan as the organization is now. Throws what stands in its way: `Usage`, `Refused`, or `Conflict` where a plan
   * file is no longer what planning gives.
   */
  async plan(snapshot: Snapshot, verifyWith: string): Promise<Plan> {
    const kept = this.#kept;
    if (kept) this.#checkOrganization(kept, snapshot);
    const made = this.#planned(snapshot, verifyWith);
    const { comparison } = made;
    if (this.#document) {
      await checkPlanned(this.#document, snapshot, comparison);
      await tellNotices(this.#context, this.#document, made);
    }
    if (kept) {
      const { conflicts } = recheck(kept.changes, comparison.differences);
      const changed = [...conflicts].map(([one, says]) => `${calledIn(one)} ${says}`);
      refuseChanged(made, this.path ?? "", changed);
    }
    checkRefused(made);
    checkGuards(made.guards);
    return made;
  }

  /** The same once more, right before the first request. What the file says could be made so when it was confirmed. */
  again(snapshot: Snapshot, verifyWith: string): Plan {
    const made = this.#planned(snapshot, verifyWith);
    refuseChanged(made, "the plan");
    checkRefused(made);
    return made;
  }

  #checkOrganization(kept: KeptPlan, { site, email, feature_level }: Snapshot): void {
    const differs = [
      kept.site !== site && `${kept.site}, and this is ${site}`,
      kept.email !== email && `${kept.email}, and this is ${email}`,
      kept.feature_level !== feature_level &&
        `feature level ${kept.feature_level}, and this server has ${feature_level}`,
    ].find(Boolean);
    if (differs) throw new Usage(`${this.path} was planned for ${differs}`, planAgain);
  }
}

function refuseChanged({ comparison }: Plan, path: string, changed: readonly string[] = []): void {
  const problems = comparison.problems.map(({ says }) => says);
  const all = problems.length ? problems : changed;
  if (!all.length) return;
  const what = `the organization changed since ${path} was made`;
  throw new Conflict(`nothing was sent: ${what}: ${firstOf(all, 10)}`, planAgain);
}

/** Throws `Refused` where the server would refuse something. */
function checkRefused({ comparison: { refused } }: Plan): void {
  if (!refused.length) return;
  const all = refused.map((each) => `${calledIn({ ...each, action: "update" })}: ${each.says}`);
  throw new Refused(`nothing was sent: the server would refuse some of it: ${firstOf(all, 10)}`, {
    outcome: "not_sent",
    more: { refused: refused.map(({ path: _, ...each }) => each) },
  });
}

export function checkGuards(violations: readonly GuardViolation[]): void {
  if (!violations.length) return;
  const flags = [...new Set(violations.flatMap(({ lifted }) => lifted ?? []))];
  const all = violations.map(({ says }) => says);
  throw new Usage(`nothing was sent: ${firstOf(all, 10)}`, {
    outcome: "not_sent",
    ...(flags.length && { hint: `To do that anyway, add: ${flags.join(" ")}` }),
    more: { guards: violations },
  });
}

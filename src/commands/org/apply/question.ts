/** Before anything is applied the whole plan is printed, and one question asked. */
import { confirm } from "../../../argv/confirm.ts";
import type { Server } from "../../../client/server.ts";
import { counted } from "../../../counted.ts";
import { Usage } from "../../../errors.ts";
import { readLog } from "../../../log/read-log.ts";
import type { Plan } from "../../../organization/plan.ts";
import type { Snapshot } from "../../../organization/snapshot.ts";
import type { Context } from "../../../run/context.ts";
import { printPlan } from "../plan.ts";
import type { Input } from "./asked.ts";

/** On stderr, since what becomes of each change goes to stdout. */
export async function askToApply(context: Context, server: Server, snapshot: Snapshot, plan: Plan): Promise<void> {
  const { world, flags } = context;
  const { differences } = plan.comparison;
  if (!flags.quiet || !flags.yes) await printPlan(context, world.stderr, snapshot, plan);
  const destructive = differences.filter((each) => each.destructive).length;
  const what = differences.length === 1 ? "this change" : `these ${counted(differences.length, "change")}`;
  const question = `Apply ${what}${destructive ? ` (${destructive} destructive)` : ""}`;
  await confirm(world, flags, { question, preposition: "to" }, server);
}

type Kept = NonNullable<Input["plan"]>;

const operation = "org.apply";
const marked = ({ kept }: Kept) => `plan ${kept.digest}`;

/** Throws `Usage` where the log says that the plan was applied before: what it says of the organization is over. */
export async function refuseSpent({ world }: Context, plan: Kept): Promise<void> {
  for await (const entry of readLog(world, () => undefined))
    if (entry.operation === operation && entry.target === marked(plan))
      throw new Usage(`${plan.path} was applied already, at ${entry.time}`, {
        outcome: "not_sent",
        hint: "Plan again with: zulipctl org plan <file> --out plan.json",
      });
}

/** Has the log say that the plan is applied. */
export const spend = (server: Server, plan: Kept): void =>
  server.concluded({ operation, target: marked(plan), outcome: "done" });

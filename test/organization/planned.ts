/** Plans a file for a sandbox, and writes each change in a line. */
import { parse } from "yaml";
import type { Content } from "../../src/organization/content.ts";
import { makePlan, type OrganizationPlan, type PlanOptions } from "../../src/organization/make-plan.ts";
import { planRecord } from "../../src/organization/plan/describe.ts";
import { withDenied } from "../../src/permissions/denied-requests.ts";
import type { SandboxState } from "../../src/sandbox/index.ts";
import { fresh } from "../run.ts";
import { snapshotIn } from "./snapshots.ts";

export interface Options extends PlanOptions {
  readonly level?: number;
  readonly as?: number | string;
  readonly given?: (state: SandboxState) => void;
}

interface Row {
  section: string;
  name: string;
  action: string;
  from?: unknown;
  to?: unknown;
  fields?: { field: string; from?: unknown; to: unknown }[];
  prune?: true;
}

const words = (value: unknown): string => (typeof value === "string" ? value : JSON.stringify(value));

function line({ section, name, action, from, to, fields, prune }: Row): string {
  const changes = (fields ?? []).map((each) => `${each.field}: ${words(each.from)} → ${words(each.to)}`);
  const whole = [from, to].flatMap((value) => (value === undefined ? [] : [words(value)])).join(" → ");
  const rest = [changes.join("; "), whole].filter(Boolean).join(" ");
  return `${prune ? "(prune) " : ""}${action} ${section} ${name}${rest ? ` ${rest}` : ""}`;
}

export async function planOf(
  text: string,
  { level, as, given, ...options }: Options = {},
): Promise<OrganizationPlan & { lines: string[] }> {
  const sandbox = fresh({ level });
  given?.(sandbox.state);
  const snapshot = await snapshotIn(sandbox, as);
  const plan = withDenied(await makePlan(snapshot, (parse(text) ?? {}) as Content, options));
  const { changes } = planRecord(plan) as { changes: Row[] };
  return { ...plan, lines: changes.map(line) };
}

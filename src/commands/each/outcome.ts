/** What became of each organization, and the line and exit code for all of them. */
import { errorRecord } from "../../common/error-record.ts";
import { groupBy } from "../../common/group-by.ts";
import { CommandFailed, Failure } from "../../errors.ts";
import { describeError } from "../../output/error.ts";
import type { Result } from "../../output/form.ts";
import type { ShownRequest } from "../../output/requests.ts";
import type { Approval } from "../../run/context.ts";
import type { World } from "../../world/world.ts";
import { type Chosen, doneLine } from "./organizations.ts";

export interface Outcome extends Chosen {
  /** Its changes, once they are known. */
  approval?: Approval;
  result?: Result | undefined;
  requests?: readonly ShownRequest[];
  /** The failure, if it failed. */
  error?: unknown;
  /** Text that the command wrote to stdout. */
  printed: string;
}

/** With `--on-error stop`, another organization failed before this one started. */
export class Skipped extends Failure {
  readonly exitCode = 5;
  readonly kind = "partial";
  constructor() {
    super("not started: another organization failed", { outcome: "not_sent" });
  }
}

/** The most serious first. */
const bySeverity = [70, 7, 130, 143, 129, 5, 6, 3, 4, 1, 8, 2];

export const hasFailed = ({ error }: Outcome): boolean => error !== undefined;

/** Formats `acme, lab: exit 3 (Invalid API key)`. Equal failures are stated once. */
export function failureLines(failed: readonly Outcome[], world: World): string[] {
  const byText = groupBy(failed, ({ error }) => {
    const { exitCode, message } = describeError(error, world, false);
    return `exit ${exitCode} (${message})`;
  });
  return [...byText].map(([text, same]) => `${same.map(({ profile }) => profile).join(", ")}: ${text}`);
}

/** Returns the failure to end with. Undefined if all succeeded. */
export function failureOf(outcomes: readonly Outcome[], world: World): Failure | undefined {
  const unfinished = outcomes.filter(hasFailed);
  if (!unfinished.length) return undefined;
  const skipped = unfinished.filter(({ error }) => error instanceof Skipped);
  const failed = unfinished.filter(({ error }) => !(error instanceof Skipped));
  const lines = [doneLine(outcomes, (outcome) => !hasFailed(outcome)), ...failureLines(failed, world)];
  if (skipped.length) lines.push(`not started: ${skipped.map(({ profile }) => profile).join(", ")}`);
  const organizations = unfinished.map(({ profile, error }) => {
    const failure = describeError(error, world, false);
    return { profile, exit_code: failure.exitCode, error: errorRecord(failure) };
  });
  const rank = ({ exitCode }: { exitCode: number }) => bySeverity.indexOf(exitCode) + 1 || bySeverity.length + 1;
  const [worst, ...others] = failed
    .map(({ error }) => describeError(error, world, false))
    .sort((one, other) => rank(one) - rank(other)) as [ReturnType<typeof describeError>];
  const { hint, more } = others.length ? {} : worst.details;
  return new CommandFailed(lines.join("; "), worst.exitCode, worst.kind, {
    ...(hint && { hint }),
    more: { ...(more?.problems !== undefined && { problems: more.problems }), organizations },
  });
}

/** What became of each organization, and the line and exit code for all of them. */
import { isDeepStrictEqual } from "node:util";
import { errorRecord } from "../../common/error-record.ts";
import { groupBy } from "../../common/group-by.ts";
import { CommandFailed, DifferenceFailure, Failure, type Outcome as Fate, joinHints } from "../../errors.ts";
import { describeError } from "../../output/error.ts";
import type { Result } from "../../output/form.ts";
import type { LeftAlone, ShownRequest } from "../../output/shown-requests.ts";
import type { Approval } from "../../run/context.ts";
import type { World } from "../../world/world.ts";
import { type ChosenProfile, doneLine } from "./organizations.ts";

export interface ProfileOutcome extends ChosenProfile {
  /** Its changes, once they are known. */
  approval?: Approval;
  result?: Result | undefined;
  requests?: readonly (ShownRequest | LeftAlone)[];
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

/** Differences are an answer. */
export const isFailedProfile = ({ error }: ProfileOutcome): boolean =>
  error !== undefined && !(error instanceof DifferenceFailure);

const fateOf = ({ error }: ProfileOutcome): Fate | undefined => {
  if (!(error instanceof Failure)) return error === undefined ? undefined : "unknown";
  return error.details.outcome ?? (error.kind === "usage" ? "not_sent" : undefined);
};

/** It is changed, at least in part. */
const isChanged = (outcome: ProfileOutcome): boolean =>
  Boolean(outcome.approval?.changes) &&
  (outcome.error === undefined ||
    fateOf(outcome) === "maybe_partial" ||
    (outcome.error instanceof Failure && outcome.error.kind === "partial" && !(outcome.error instanceof Skipped)));

/** What became of all changes together. Undefined for reads. */
function fateOfAll(outcomes: readonly ProfileOutcome[]): Fate | undefined {
  const fates = new Set(outcomes.map(fateOf));
  if (fates.has("unknown")) return "unknown";
  if (outcomes.some(isChanged)) return "maybe_partial";
  if (fates.has("not_applied")) return "not_applied";
  return outcomes.some(({ approval }) => approval) ? "not_sent" : undefined;
}

/** If some organizations are changed: how to repeat the command for the others. */
function repetition(outcomes: readonly ProfileOutcome[]): string | undefined {
  const rest = outcomes.filter((one) => isFailedProfile(one) && fateOf(one) !== "unknown");
  if (!rest.length || !outcomes.some((one) => isChanged(one) || fateOf(one) === "unknown")) return undefined;
  return `Run it again only for those that failed: --profiles ${rest.map(({ profile }) => profile).join(",")}`;
}

/** Formats `acme, lab: exit 3 (Invalid API key)`. Equal failures are stated once. */
export function failureLines(failed: readonly ProfileOutcome[], world: World): string[] {
  const byText = groupBy(failed, ({ error }) => {
    const { exitCode, message } = describeError(error, world, false);
    return `exit ${exitCode} (${message})`;
  });
  return [...byText].map(([text, same]) => `${same.map(({ profile }) => profile).join(", ")}: ${text}`);
}

/** Returns the problems of one failure. `from`: says whose they are, if others have other problems. */
function problemsOf(failed: readonly ProfileOutcome[], world: World): { problems?: unknown[]; from?: string } {
  const [first, ...others] = failed.flatMap(({ profile, error }) => {
    const problems = describeError(error, world, false).details.more?.problems;
    return Array.isArray(problems) ? [{ profile, problems }] : [];
  });
  if (!first) return {};
  const other = others.find(({ problems }) => !isDeepStrictEqual(problems, first.problems));
  if (!other) return first;
  const rest = `those of ${other.profile}, run the command with --profiles ${other.profile}`;
  return { ...first, from: `These are the problems of ${first.profile}. To see ${rest}.` };
}

/** Returns the failure to end with. Undefined if all succeeded. */
export function failureOf(outcomes: readonly ProfileOutcome[], world: World): Failure | undefined {
  const unfinished = outcomes.filter(({ error }) => error !== undefined);
  if (!unfinished.length) return undefined;
  const skipped = unfinished.filter(({ error }) => error instanceof Skipped);
  const failed = unfinished.filter(({ error }) => !(error instanceof Skipped));
  const lines = [doneLine(outcomes, (outcome) => !isFailedProfile(outcome)), ...failureLines(failed, world)];
  if (skipped.length) lines.push(`not started: ${skipped.map(({ profile }) => profile).join(", ")}`);
  const organizations = unfinished.map(({ profile, error }) => {
    const failure = describeError(error, world, false);
    return { profile, exit_code: failure.exitCode, error: errorRecord(failure) };
  });
  const rank = ({ exitCode }: { exitCode: number }) => bySeverity.indexOf(exitCode) + 1 || bySeverity.length + 1;
  const [worst, ...others] = failed
    .map(({ error }) => describeError(error, world, false))
    .sort((one, other) => rank(one) - rank(other)) as [ReturnType<typeof describeError>];
  const { problems, from } = problemsOf(failed, world);
  const ownHint = others.length ? from : worst.details.hint;
  const hint = joinHints(ownHint, repetition(outcomes));
  const outcome = fateOfAll(outcomes);
  return new CommandFailed(lines.join("; "), worst.exitCode, worst.kind, {
    ...(outcome && { outcome }),
    ...(hint && { hint }),
    more: { ...(problems && { problems }), organizations },
  });
}

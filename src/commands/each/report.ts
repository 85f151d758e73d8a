/** Summarizes the organizations in a line and an exit code. */
import { counted } from "../../counted.ts";
import { errorRecord } from "../../error-record.ts";
import { Failure } from "../../errors.ts";
import { groupBy } from "../../group-by.ts";
import { shownOf } from "../../output/error.ts";
import type { World } from "../../world.ts";

export interface Failed {
  profile: string;
  error: unknown;
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
const gravity = [70, 7, 130, 143, 129, 5, 6, 3, 4, 1, 8, 2];

class OrganizationsFailed extends Failure {
  constructor(
    message: string,
    readonly exitCode: number,
    readonly kind: string,
    details: Failure["details"],
  ) {
    super(message, details);
  }
}

const rank = (code: number): number => (gravity.indexOf(code) + gravity.length + 1) % (gravity.length + 1);

const described = (error: unknown, world: World) => {
  if (error instanceof Failure) return { exitCode: error.exitCode, kind: error.kind, record: errorRecord(error) };
  const { exitCode, kind, message, details } = shownOf(error, world, false);
  return { exitCode, kind, record: { exit_code: exitCode, kind, message, hint: details.hint } };
};

/** Formats `acme, lab: exit 3 (Invalid API key)`. Equal failures are stated once. */
export function failureLines(failures: readonly Failed[], world: World): string[] {
  const says = ({ error }: Failed) => {
    const { exitCode, record } = described(error, world);
    return `exit ${exitCode} (${record.message})`;
  };
  return [...groupBy(failures, says)].map(([text, all]) => `${all.map(({ profile }) => profile).join(", ")}: ${text}`);
}

/** Formats `3 of 4 organizations done`. */
export const doneLine = (done: number, all: number): string => `${done} of ${counted(all, "organization")} done`;

/** Returns the failure to end with. Undefined if all succeeded. */
export function failureOf(all: number, failures: readonly Failed[], world: World): Failure | undefined {
  if (!failures.length) return undefined;
  const skipped = failures.filter(({ error }) => error instanceof Skipped);
  const failed = failures.filter(({ error }) => !(error instanceof Skipped));
  const parts = failureLines(failed, world);
  if (skipped.length) parts.push(`not started: ${skipped.map(({ profile }) => profile).join(", ")}`);
  const records = failures.map(({ profile, error }) => ({ profile, ...described(error, world) }));
  const gravest = failed
    .map(({ error }) => described(error, world))
    .reduce((one, other) => (rank(other.exitCode) < rank(one.exitCode) ? other : one));
  const [only] = failed;
  const details = failed.length === 1 && only?.error instanceof Failure ? only.error.details : undefined;
  return new OrganizationsFailed(
    [doneLine(all - failures.length, all), ...parts].join("; "),
    gravest.exitCode,
    gravest.kind,
    {
      ...(details?.hint && { hint: details.hint }),
      more: {
        ...(details?.more?.problems !== undefined && { problems: details.more.problems }),
        organizations: records.map(({ profile, exitCode, record }) => ({
          profile,
          exit_code: exitCode,
          error: record,
        })),
      },
    },
  );
}

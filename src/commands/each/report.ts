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
const bySeverity = [70, 7, 130, 143, 129, 5, 6, 3, 4, 1, 8, 2];

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

const rank = (code: number): number => (bySeverity.indexOf(code) + bySeverity.length + 1) % (bySeverity.length + 1);

const described = (error: unknown, world: World) => {
  if (error instanceof Failure) return { exitCode: error.exitCode, kind: error.kind, record: errorRecord(error) };
  const { exitCode, kind, message, details } = shownOf(error, world, false);
  return { exitCode, kind, record: { exit_code: exitCode, kind, message, hint: details.hint } };
};

/** Formats `acme, lab: exit 3 (Invalid API key)`. Equal failures are stated once. */
export function failureLines(failures: readonly Failed[], world: World): string[] {
  const textOf = ({ error }: Failed) => {
    const { exitCode, record } = described(error, world);
    return `exit ${exitCode} (${record.message})`;
  };
  return [...groupBy(failures, textOf)].map(
    ([text, all]) => `${all.map(({ profile }) => profile).join(", ")}: ${text}`,
  );
}

/** Formats `3 of 4 organizations done`. */
export const doneLine = (done: number, all: number): string => `${done} of ${counted(all, "organization")} done`;

/** Returns the failure to end with. Undefined if all succeeded. */
export function failureOf(all: number, failures: readonly Failed[], world: World): Failure | undefined {
  if (!failures.length) return undefined;
  const skipped = failures.filter(({ error }) => error instanceof Skipped);
  const failed = failures.filter(({ error }) => !(error instanceof Skipped));
  const lines = [doneLine(all - failures.length, all), ...failureLines(failed, world)];
  if (skipped.length) lines.push(`not started: ${skipped.map(({ profile }) => profile).join(", ")}`);
  const organizations = failures.map(({ profile, error }) => {
    const { exitCode, record } = described(error, world);
    return { profile, exit_code: exitCode, error: record };
  });
  const [{ exitCode, kind }] = failed
    .map(({ error }) => described(error, world))
    .sort((one, other) => rank(one.exitCode) - rank(other.exitCode)) as [ReturnType<typeof described>];
  const [only] = failed;
  const { hint, more } = failed.length === 1 && only?.error instanceof Failure ? only.error.details : {};
  return new OrganizationsFailed(lines.join("; "), exitCode, kind, {
    ...(hint && { hint }),
    more: { ...(more?.problems !== undefined && { problems: more.problems }), organizations },
  });
}

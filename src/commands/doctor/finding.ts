/** What a check of `doctor` found. */
import { type Details, Failure, NeedsLogin, Unreachable, Usage } from "../../errors.ts";
import { NoAnswer } from "../../world/world.ts";

export interface DoctorFinding {
  check: string;
  status: "ok" | "warn" | "fail";
  message: string;
  hint?: string | undefined;
  /** The failure to end with, if the check failed. */
  FailureClass?: new (
    message: string,
    details: Details,
  ) => Failure;
}

export const ok = (check: string, message: string): DoctorFinding => ({ check, status: "ok", message });

export const warn = (check: string, message: string, hint?: string): DoctorFinding => ({
  check,
  status: "warn",
  message,
  ...(hint !== undefined && { hint }),
});

export const isFailedFinding = ({ status }: DoctorFinding): boolean => status === "fail";

/** Runs a check. An expected failure fails it, or becomes a warning. */
export async function attempt(
  check: string,
  work: () => Promise<DoctorFinding | DoctorFinding[]>,
  { onlyWarn = false, hint }: { onlyWarn?: boolean; hint?: string } = {},
): Promise<DoctorFinding[]> {
  try {
    return [await work()].flat();
  } catch (error) {
    if (!(error instanceof Failure || error instanceof NoAnswer)) throw error;
    if (error instanceof Failure && error.kind === "cancelled") throw error;
    const { exitCode, details } = error instanceof Failure ? error : { exitCode: 4, details: { hint: error.hint } };
    // A hint about certificates helps with certificates alone.
    const fallback = check === "tls" && error instanceof NoAnswer && error.why !== "tls" ? undefined : hint;
    const found = warn(check, error.message, details.hint ?? fallback);
    // Only usage errors and login errors have exit codes of their own.
    const FailureClass = exitCode === 2 ? Usage : exitCode === 3 ? NeedsLogin : Unreachable;
    return [onlyWarn ? found : { ...found, status: "fail", FailureClass }];
  }
}

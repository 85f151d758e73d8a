/** What the doctor finds, a check at a time. */
import { Failure } from "../../errors.ts";
import { NoAnswer } from "../../world.ts";

export interface Check {
  check: string;
  status: "ok" | "warn" | "fail";
  message: string;
  /** What mends it. */
  hint?: string | undefined;
}

/** The exit code of a run in which a check fails. */
export type Code = 2 | 3 | 4;

export interface Finding extends Check {
  /** Of one that fails. */
  code?: Code;
}

export const ok = (check: string, message: string): Finding => ({ check, status: "ok", message });

export const warn = (check: string, message: string, hint?: string): Finding => ({
  check,
  status: "warn",
  message,
  ...(hint !== undefined && { hint }),
});

/** What went wrong, as a check that fails, or as a warning. Throws what is a bug. */
export function troubled(check: string, error: unknown, { lesser = false, hint = "" } = {}): Finding {
  if (!(error instanceof Failure || error instanceof NoAnswer)) throw error;
  if (error instanceof Failure && error.kind === "cancelled") throw error;
  const { exitCode, details } = error instanceof Failure ? error : { exitCode: 4, details: {} };
  const remedy = details.hint ?? hint;
  return {
    check,
    status: lesser ? "warn" : "fail",
    message: error.message,
    ...(remedy && { hint: remedy }),
    // What is no matter of the command line or of logging in may pass.
    ...(!lesser && { code: exitCode === 2 || exitCode === 3 ? exitCode : 4 }),
  };
}

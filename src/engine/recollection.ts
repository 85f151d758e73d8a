/** What is known of a change before this run has sent anything of it: from an earlier run, and from reading. */
import { type Failure, Unknown } from "../errors.ts";
import { type Change, type ChangeResult, unchanged } from "./change.ts";
import type { Options } from "./options.ts";
import type { Key } from "./task.ts";

export interface Recalled {
  /** What it comes to without being sent; absent where it is to be sent. */
  result?: ChangeResult;
  /** It was sent before, and nobody knows what became of that. */
  again: boolean;
  doubt: Failure | undefined;
}

export class Recollection {
  readonly #options: Pick<Options, "earlier" | "retryUnknown" | "signals">;

  constructor(options: Pick<Options, "earlier" | "retryUnknown" | "signals">) {
    this.#options = options;
  }

  /** `verdict` is what reading has told; `stopped`, why nothing is sent any more. */
  of(key: Key, change: Change, verdict: ChangeResult | undefined, stopped: Failure | undefined): Recalled {
    const { earlier, retryUnknown } = this.#options;
    const known = earlier?.known(key);
    const doubt = known?.outcome === "unknown" ? known.failure : undefined;
    const again = doubt !== undefined || (earlier?.again(key) ?? false);
    if (known && !doubt) return { result: known, again, doubt };
    const told = verdict ?? (change.unchanged && !change.relies ? unchanged : undefined);
    if (told?.outcome === "done") return { result: told, again, doubt };
    if (doubt && (told || stopped || !retryUnknown)) {
      const found = told?.outcome === "refused" ? told.failure.message : undefined;
      return { result: this.doubtful(doubt, change, found), again, doubt };
    }
    return { ...(told && { result: told }), again, doubt };
  }

  /** It stays unknown, and the command that finds out is named; `found` is what reading has told besides. */
  doubtful({ message, details }: Failure, { verifyWith }: Change, found?: string): ChangeResult {
    this.#options.signals.underway++;
    const hint = details.hint ?? `Find out with: ${verifyWith}`;
    return {
      outcome: "unknown",
      failure: new Unknown(found === undefined ? message : `${message}; ${found}`, { ...details, hint }),
    };
  }
}

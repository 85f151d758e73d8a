/** Settles what an earlier run has left without an answer, before anything is sent. */
import { errorRecord } from "../error-record.ts";
import type { Dispatch } from "./dispatch.ts";
import { lost } from "./journal-replay.ts";
import type { Earlier } from "./options.ts";
import { settleable } from "./settle.ts";
import type { Request } from "./task.ts";

/** Told what became of each lost request about which reading tells something. */
export interface RecoveryListener {
  applied(request: Request): void;
  /** It is to be sent again. */
  notApplied(request: Request): void;
}

export async function recover(
  earlier: Pick<Earlier, "lost" | "open">,
  dispatch: Pick<Dispatch, "record" | "settle">,
  concurrency: number,
  listener: RecoveryListener,
): Promise<void> {
  for (const sent of earlier.open) await dispatch.record({ unanswered: sent, error: errorRecord(lost()) });
  const left = earlier.lost.filter((request) => settleable(request)).values();
  const settling = async () => {
    for (const { sent, operation, args, repetition } of left) {
      const settled = await dispatch.settle({ operation, args }, sent);
      if (settled === "applied") listener.applied(repetition);
      if (settled === "not_applied") listener.notApplied(repetition);
    }
  };
  await Promise.all(Array.from({ length: concurrency }, settling));
}

import type { Idea } from "../wire/params.ts";

interface Member {
  kind: "user" | "group";
  id: number;
}

/** A change that was sent, as the log has it. */
export interface SentChange {
  operation: string;
  /** What the person called it. */
  target: string;
  /** What it is by its id, where that is known: `channel 7`. */
  thing?: string | undefined;
  outcome: "done" | "refused" | "unknown";
  error?: { message: string; code?: string | undefined } | undefined;
  /** Of what was created. */
  ids?: unknown[] | undefined;
  /** What was there before, by parameter, where it was read. */
  before?: Readonly<Record<string, unknown>> | undefined;
  /** What was sent, but for secrets and lists of members. */
  set?: readonly { name: string; of?: Idea | undefined; value: unknown }[] | undefined;
  /** The members that were added to the thing and removed from it. */
  added?: readonly Member[] | undefined;
  removed?: readonly Member[] | undefined;
  /** The batch's run. */
  run?: string | undefined;
  row?: number | string | undefined;
  /** Texts that must not be written down. */
  secrets?: readonly string[] | undefined;
}

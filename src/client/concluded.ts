/** A change that was sent, as the log has it. */
export interface Concluded {
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
  /** The batch's run. */
  run?: string | undefined;
  row?: number | string | undefined;
  /** Texts that must not be written down. */
  secrets?: readonly string[] | undefined;
}

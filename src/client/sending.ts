/** How a call is sent, and what comes of it. */
import type { Spelling } from "../wire/call.ts";
import type { Attempts } from "./server-options.ts";

export interface Sending extends Spelling {
  /** The command that shows whether the change happened. */
  verifyWith?: string;
  attempts?: Attempts;
}

export interface Delivered {
  answer: Record<string, unknown>;
  /** Parameters that the server says it ignored. */
  ignored: string[];
}

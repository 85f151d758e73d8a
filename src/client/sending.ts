/** Who sends, what goes with a call, and what comes of it. */

import type { Tls } from "../peers.ts";
import type { Spelling } from "../wire/call.ts";
import type { Secret } from "../world.ts";
import type { Attempts } from "./server-options.ts";

/** Site, e-mail and key of one source, never mixed with another's. */
export interface Account {
  /** Normalized: scheme and host, no trailing slash, no `/api`. */
  site: string;
  email: string;
  /** For people: `profile work`, `the environment (ZULIP_SITE …)`, `/home/ada/.zuliprc`. */
  source: string;
  tls: Tls;
  /** Looked up on first use and remembered; throws `NeedsLogin` where it cannot be had. */
  key(): Promise<Secret>;
}

/** An organization alone, for calls that need no credentials. */
export type Site = Pick<Account, "site" | "tls">;

/** An account, or a site alone for operations that need no credentials. */
export type Sender = Site & { email?: string; key?: Account["key"]; profile?: string };

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

/** What a list holds. */
export type ItemOf<L> = L extends readonly (infer I)[] ? I : never;

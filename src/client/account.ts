import type { Tls } from "../peers.ts";
import type { Secret } from "../world.ts";

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

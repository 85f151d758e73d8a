/** What each part of the bench receives. */
import type { Env } from "./measure.ts";
import type { Peer } from "./sites.ts";

export interface Bench {
  program: readonly string[];
  /** Where the bench's own programs are. */
  directory: string;
  /** An empty home, and the credentials of nobody in particular. */
  env(site: string): Env;
  peer: Peer;
  /** Python where it has what it takes. */
  python: string | undefined;
  /** A file for a case's input. */
  file(name: string): string;
}

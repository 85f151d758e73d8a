/** What the code of a command gives: a result, or what stands in its place. */
import type { Server } from "../client/server.ts";
import type { Failure } from "../errors.ts";
import type { Changed, Result } from "../output/form.ts";
import type { ShownRequest } from "../output/report.ts";
import type { Call } from "../wire/call.ts";

/** What a dry run shows: the requests that would be made. */
export interface Requests {
  kind: "requests";
  requests: readonly ShownRequest[] | AsyncIterable<ShownRequest>;
  /** What the run itself would end with, as far as that is known. */
  failure?: Failure | undefined;
}

/** Not everything was done: the failure to end with, after what there is of a result. */
export interface Ended {
  kind: "ended";
  failure: Failure;
  result?: Result | undefined;
}

/** A change of this machine alone: profiles and keys. A dry run does not make it. */
export interface LocalChange {
  kind: "local";
  /** What a server would be asked for it. */
  asks?: () => Promise<{ server: Server; call: Call }>;
  make(): Promise<Changed>;
}

/** A verb that may change something only reads with these words. */
export interface Reading {
  kind: "read";
  look(): Promise<Result>;
}

export type Conclusion = Result | Requests | Ended | LocalChange;

export const local = (make: LocalChange["make"], asks?: LocalChange["asks"]): LocalChange => ({
  kind: "local",
  make,
  ...(asks && { asks }),
});

export const requests = (shown: Requests["requests"]): Requests => ({ kind: "requests", requests: shown });

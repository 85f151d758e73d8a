/** What a sandbox is made of, and what stands between it and its callers. */
import type { SandboxInfo } from "../world/embedded.ts";
import type { HttpRequest, HttpResponse } from "../world/world.ts";
import type { Answer } from "./answers.ts";
import type { SandboxState } from "./state.ts";
import type { WorldFile } from "./world-file.ts";

/** A request on its way to the server. A disturbance can delay, lose, change or refuse it. */
export interface PendingRequest {
  /** The operation's name, `channel.update`; undefined where no route fits. */
  readonly operation: string | undefined;
  request: HttpRequest;
  /**
   * Makes the server process the request, at most once, and returns its whole answer.
   * The server ignores parameters for which `isIgnored` is true, as if it did not know them.
   */
  serve(isIgnored?: (name: string) => boolean): Answer;
}
/** Stands between caller and server. Rejects with `NoAnswer` if no answer arrives. */
export type Disturbance = (request: PendingRequest) => Promise<HttpResponse>;

export interface SandboxOptions {
  /** The address: `http://127.0.0.1:9991`. */
  site: string;
  /** Milliseconds since the epoch. */
  clock: { now(): number };
  /** From 0 up to 1. Keys are made of it. */
  random: () => number;
  /** An organization from a file instead of the seeded one. */
  world?: WorldFile;
  /** An existing organization instead of either. */
  state?: SandboxState;
  /** The feature level. Default: `defaultLevel`. */
  level?: number;
  /** Default: true. */
  rateLimits?: boolean;
  /** People to add for load. */
  users?: number;
  /** Gives the people of the seeded organization new passwords. */
  randomPasswords?: boolean;
  /** The size of the files of exports, in bytes. */
  exportSize?: number;
  disturb?: Disturbance;
}

export interface Sandbox {
  /** Answers a request from `address`. Rejects only if a disturbance does. */
  handle(request: HttpRequest, address?: string): Promise<HttpResponse>;
  readonly state: SandboxState;
  /** The output of `sandbox start --json`. */
  info(): SandboxInfo;
}

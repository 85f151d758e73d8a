/** A server in memory: a function from request to response, with no socket. */
import type { SandboxInfo } from "../embedded.ts";
import type { HttpRequest, HttpResponse } from "../world.ts";
import { type Answer, settled } from "./answer.ts";
import { infoOf } from "./info.ts";
import { locksOf } from "./locks.ts";
import { addUsers } from "./organization.ts";
import { randomText } from "./random-text.ts";
import { seed } from "./seed.ts";
import { makeJudge, operationOf } from "./serve.ts";
import type { State } from "./state.ts";
import type { Sleep } from "./waiting.ts";
import { build, type WorldFile } from "./world-file.ts";

/** One request on its way to the server, for a disturbance to delay, lose, spoil or refuse. */
export interface Passing {
  /** The operation's name, `channel.update`; undefined where no route fits. */
  readonly operation: string | undefined;
  request: HttpRequest;
  /** What it locks while it is made, in words that are equal where two would lock the same. */
  readonly locks: readonly string[];
  /**
   * Lets the server judge and apply the request, at most once, and gives its whole answer.
   * Names for which `ignoring` is true are treated as parameters that the server does not know.
   */
  serve(ignoring?: (name: string) => boolean): Answer;
}
/** What stands between the caller and the server. Rejects with `NoAnswer` where no answer arrives. */
export type Disturb = (passing: Passing) => Promise<HttpResponse>;

export interface SandboxOptions {
  /** Where it is reached: `http://127.0.0.1:9991`. */
  site: string;
  /** Milliseconds since the epoch. Without `sleep` nothing is waited for: what would wait answers as it stands. */
  clock: { now(): number; sleep?: Sleep };
  /** From 0 up to 1; keys come from it. */
  random: () => number;
  /** An organization from a file instead of the seeded one. */
  world?: WorldFile;
  /** An organization made already, instead of either. */
  state?: State;
  /** The feature level, 442 where absent. */
  level?: number;
  /** True where absent. */
  rateLimits?: boolean;
  /** People to add for load. */
  users?: number;
  /** Passwords that nobody can know, for all of the seeded organization. */
  randomPasswords?: boolean;
  /** Bytes of the file that an export makes. */
  exportSize?: number;
  disturb?: Disturb;
}

export interface Sandbox {
  /** Answers a request from `address`; rejects only where a disturbance makes it. `bytes` is the body before it was text. */
  handle(request: HttpRequest, address?: string, bytes?: Uint8Array): Promise<HttpResponse>;
  readonly state: State;
  /** What `sandbox start --json` prints. */
  info(): SandboxInfo;
}

/** HEAD is answered as GET is, without the body. */
function withoutBody(answer: Answer): Answer {
  const { text, file, ...rest } = answer;
  const length = String(file?.size ?? new TextEncoder().encode(text).length);
  return { ...rest, headers: { ...answer.headers, "content-length": length }, text: "" };
}

export function createSandbox(options: SandboxOptions): Sandbox {
  const { clock, random, site, level = 442, rateLimits = true, users = 0 } = options;
  const making = { site, level, now: clock.now(), random };
  const state = options.state ?? (options.world ? build(options.world, making) : seed(making));
  addUsers(state, users, making);
  if (options.randomPasswords && !options.world)
    for (const user of state.users.values()) if (user.password) user.password = randomText(random, 20);
  if (options.exportSize !== undefined) state.organization.export_size = options.exportSize;
  const judge = makeJudge({ state, level, site, clock, rateLimits, random });
  const disturb: Disturb = options.disturb ?? (async ({ serve }) => settled(serve()));
  const passing = (request: HttpRequest, address: string, bytes?: Uint8Array): Passing => ({
    get operation() {
      return operationOf(request, level);
    },
    get locks() {
      return locksOf(state, operationOf(request, level), new URL(request.url).pathname, request.body);
    },
    request,
    serve: (ignoring = () => false) => {
      const answer = judge(request, address, ignoring, bytes);
      return request.method === "HEAD" ? withoutBody(answer) : answer;
    },
  });
  return {
    state,
    info: () => infoOf(state, site, level),
    handle: (request, address = "127.0.0.1", bytes) => disturb(passing(request, address, bytes)),
  };
}

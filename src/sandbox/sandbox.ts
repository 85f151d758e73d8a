/** A server in memory: a function from request to response, with no socket. */
import type { HttpRequest, HttpResponse } from "../world.ts";
import {
  type Answer,
  broken,
  empty,
  page,
  proxyPage,
  refusal,
  respond,
  success,
  unkept,
  wrongMethod,
} from "./answer.ts";
import { authenticate } from "./auth.ts";
import { Broken, Fault } from "./fault.ts";
import { type Form, readForm } from "./form.ts";
import { routes } from "./handlers/routes.ts";
import { headersOf, type Left, Limits, perAddress, perUser, type Rule, signIn } from "./limits.ts";
import { type Line, lineOf } from "./line.ts";
import { crowd } from "./organization.ts";
import { type Place, placeOf } from "./paths.ts";
import { admit, type Call, decodeArguments, type Route, type Visit } from "./router.ts";
import { seed } from "./seed.ts";
import type { State } from "./state.ts";
import { build, type WorldFile } from "./world-file.ts";

/** One request on its way to the server, for a disturbance to delay, lose, spoil or refuse. */
export interface Passing {
  /** The operation's name, `channel.update`; undefined where no route fits. */
  operation: string | undefined;
  request: HttpRequest;
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
  /** Milliseconds since the epoch. */
  clock: { now(): number };
  /** From 0 up to 1; keys come from it. */
  random: () => number;
  /** An organization from a file instead of the seeded one. */
  world?: WorldFile;
  /** An organization made already, instead of either. */
  state?: State;
  level?: number;
  rateLimits?: boolean;
  /** People to add for load. */
  users?: number;
  disturb?: Disturb;
}

export interface Sandbox {
  /** Answers a request from `address`; rejects only where a disturbance makes it. */
  handle(request: HttpRequest, address?: string): Promise<HttpResponse>;
  readonly state: State;
  /** What `sandbox start --json` prints. */
  line(): Line;
}

const prefix = "/api/v1";
const mostBytes = 25 * 1024 * 1024;
const longestLine = 8190;

/** Double slashes and dot segments are folded by the proxy; an escaped slash keeps a path from matching. */
function decodedPath(pathname: string): string | undefined {
  if (/%2f/i.test(pathname)) return undefined;
  try {
    return decodeURIComponent(pathname.replace(/\/{2,}/g, "/"));
  } catch {
    return pathname;
  }
}

interface Target {
  route: Route | undefined;
  place: Place;
  method: string;
}

export function createSandbox(options: SandboxOptions): Sandbox {
  const { clock, random, site, level = 442, rateLimits = true } = options;
  const making = { site, now: clock.now(), random };
  const state = options.state ?? (options.world ? build(options.world, making) : seed(making));
  crowd(state, options.users ?? 0, making);
  const limits = new Limits();

  const routeOf = (place: Place, method: string): Route | undefined =>
    routes.find(
      ({ operation }) =>
        operation.method === method && operation.path === place.path && level >= (operation.since ?? 0),
    );

  /** Route and method come first, before credentials. */
  function target(method: string, pathname: string, form: Form): Target | Answer {
    const path = decodedPath(pathname);
    const place = path?.startsWith(prefix) ? placeOf(path.slice(prefix.length), level) : undefined;
    if (!place) return page(404, "Page not found");
    const named = method === "POST" && form.body.has("method") ? form.values.get("method")! : method;
    const allowed = place.methods.includes("GET") ? [...place.methods, "HEAD"] : place.methods;
    const plain = place.path === "/server_settings";
    if (named === "OPTIONS" && method === "OPTIONS" && !plain && place.path !== "/fetch_api_key") {
      return empty(204, { ...unkept, allow: [...allowed].sort().join(", ") });
    }
    if (!allowed.includes(named)) return plain ? empty(405, { allow: allowed.join(", ") }) : wrongMethod(allowed);
    const asked = named === "HEAD" ? "GET" : named;
    const route = routeOf(place, asked);
    // Real servers do these; a page of ours would be mistaken for theirs, so the words say whose refusal it is.
    if (!route) return wrongMethod(allowed, `The sandbox does not implement ${asked} ${place.path}.`);
    return { route, place, method: asked };
  }

  function serve(request: HttpRequest, address: string, ignoring: (name: string) => boolean): Answer {
    const { pathname, search } = new URL(request.url);
    const headers = Object.fromEntries(
      Object.entries(request.headers).map(([name, value]) => [name.toLowerCase(), value]),
    );
    if (request.method.length + pathname.length + search.length > longestLine)
      return proxyPage(414, "Request-URI Too Large");
    if ((request.body?.length ?? 0) > mostBytes) return proxyPage(413, "Request Entity Too Large");
    if ((request.method as string) === "TRACE") return proxyPage(405, "Not Allowed");
    const form = readForm(request.method, search.slice(1), headers, request.body ?? "");
    if ("status" in form) return form;
    const found = target(request.method, pathname, form);
    if ("status" in found) return found;
    const { operation, rules } = found.route!;
    // Browsers are sent to the log-in page; anybody who accepts HTML counts as one.
    if (!operation.anonymous && headers.authorization === undefined && headers.accept?.includes("text/html")) {
      return empty(302, { location: `/login/?next=${encodeURIComponent(pathname)}` });
    }
    const applied: Left[] = [];
    const count = (bucket: string, rules: readonly Rule[]): void => {
      if (rateLimits) applied.push(limits.hit(bucket, rules, now, level));
    };
    const now = clock.now();
    const visit: Visit = {
      state,
      level,
      now,
      site,
      userAgent: headers["user-agent"] ?? "",
      attempt: (username) => {
        count(`name ${username}`, signIn);
        return () => limits.clear(`name ${username}`);
      },
    };
    let known: Record<string, string> = {};
    const answered = (answer: Answer): Answer => ({
      ...answer,
      headers: { ...headersOf(applied), ...answer.headers, ...known },
    });
    try {
      const call = operation.anonymous ? visit : { ...visit, caller: authenticate(state, headers.authorization) };
      // Once a key told who is calling, no session cookie was looked at.
      if ("caller" in call) known = { vary: "Accept-Language" };
      if ("caller" in call) count(`user ${(call as Call).caller.user_id}`, perUser(level));
      else if (operation.name !== "server.info") count(`address ${address}`, perAddress);
      const clientRead = form.query.has("client") || request.method === "POST";
      // The database refuses NUL in the client's name, which nothing catches.
      if (clientRead && form.values.get("client")?.includes("\0")) throw new Broken();
      if ("caller" in call) admit(rules, call.caller as never);
      const values = new Map([...form.values].filter(([name]) => !ignoring(name)));
      const { args, names } = decodeArguments(found.route!, values, level);
      const fields = found.route!.handler(call, { ...found.place.numbers, ...args });
      const ignored = [...form.values.keys()].filter(
        (name) => (!names.has(name) || ignoring(name)) && !(name === "client" && clientRead),
      );
      const report = ignored.length > 0 && !rules.silent && level >= 167;
      const whole = report ? { ...fields, ignored_parameters_unsupported: ignored.sort() } : fields;
      return answered(success(whole, "caller" in call));
    } catch (error) {
      if (error instanceof Fault) return answered(refusal(error));
      if (error instanceof Broken) return answered(broken());
      throw error;
    }
  }

  const passing = (request: HttpRequest, address: string): Passing => {
    const { pathname } = new URL(request.url);
    const path = decodedPath(pathname);
    const place = path?.startsWith(prefix) ? placeOf(path.slice(prefix.length), level) : undefined;
    return {
      operation: place && routeOf(place, request.method)?.operation.name,
      request,
      serve: (ignoring = () => false) => {
        const answer = serve(request, address, ignoring);
        if (request.method !== "HEAD") return answer;
        const length = String(new TextEncoder().encode(answer.text).length);
        return { ...answer, headers: { ...answer.headers, "content-length": length }, text: "" };
      },
    };
  };

  const disturb: Disturb = options.disturb ?? (async ({ serve }) => respond(serve()));
  return {
    state,
    line: () => lineOf(state, site, level),
    handle: (request, address = "127.0.0.1") => disturb(passing(request, address)),
  };
}

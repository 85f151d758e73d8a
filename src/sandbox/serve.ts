/** Processes a request: route and method, credentials, rate limit, role, parameters, then the handler. */

import { MiB } from "../common/unit-sizes.ts";
import { isChange } from "../wire/operation.ts";
import type { HttpRequest } from "../world/world.ts";
import {
  type Answer,
  ApiError,
  emptyAnswer,
  methodNotAllowed,
  noCache,
  PageError,
  proxyPage,
  RefusedRequest,
  success,
} from "./answers.ts";
import { AuditLog } from "./audit-log.ts";
import { authenticate } from "./auth.ts";
import { storeExportFile } from "./export-file.ts";
import { fileOperationAt, serveFile } from "./files.ts";
import { announceExports } from "./handlers/exports.ts";
import { type Endpoint, findEndpoint, type ReceivedForm, readForm, routesAt } from "./paths.ts";
import {
  type BucketState,
  Limits,
  loginLimit,
  perAddress,
  perUser,
  type RateLimit,
  rateLimitHeaders,
} from "./rate-limits.ts";
import { checkCaller, decodeArguments, type HandlerContext, type Route } from "./router.ts";
import type { SandboxOptions } from "./sandbox-options.ts";
import type { StoredUser } from "./state.ts";
import { checkStorable } from "./text.ts";
import { isUnavailable } from "./unavailable.ts";

type SandboxServer = Required<Pick<SandboxOptions, "state" | "level" | "site" | "clock" | "rateLimits" | "random">>;

const prefix = "/api/v1";
/** The largest body that the proxy accepts. The server itself checks the size of uploads. */
export const largestBody = (pathname: string): number => (pathname === `${prefix}/user_uploads` ? 200 : 25) * MiB;
const longestLine = 8190;

/** The proxy folds double slashes. A path with an escaped slash matches nothing. */
function decodedPath(pathname: string): string | undefined {
  if (/%2f/i.test(pathname) && !pathname.startsWith(`${prefix}/realm/emoji/`)) return undefined;
  try {
    return decodeURIComponent(pathname.replace(/\/{2,}/g, "/"));
  } catch {
    return pathname;
  }
}

function endpointAt(pathname: string, level: number): Endpoint | undefined {
  const path = decodedPath(pathname);
  return path?.startsWith(prefix) ? findEndpoint(path.slice(prefix.length), level) : undefined;
}

const routeAt = (endpoint: Endpoint, method: string, level: number): Route | undefined =>
  routesAt(endpoint.path).find(({ operation }) => operation.method === method && level >= (operation.since ?? 0));

/** The name of the operation for a method and path. */
export function operationOf({ method, url }: HttpRequest, level: number): string | undefined {
  const { pathname } = new URL(url);
  const endpoint = endpointAt(pathname, level);
  return endpoint ? routeAt(endpoint, method, level)?.operation.name : fileOperationAt(pathname);
}

/** Finds the route. It is checked before credentials. */
function findTarget(
  method: string,
  pathname: string,
  form: ReceivedForm,
  level: number,
): { route: Route; endpoint: Endpoint } {
  const endpoint = endpointAt(pathname, level);
  if (!endpoint && isUnavailable(decodedPath(pathname)?.slice(prefix.length) ?? "", level))
    throw new ApiError(404, "BAD_REQUEST", `The sandbox does not have ${method} ${pathname.slice(prefix.length)}.`);
  if (!endpoint) throw new PageError(404, "Page not found");
  const { methods } = endpoint;
  const requested = (method === "POST" && form.body.has("method") ? form.values.get("method") : undefined) ?? method;
  const allowed = methods.includes("GET") ? [...methods, "HEAD"] : methods;
  const isPlain = endpoint.path === "/server_settings";
  // The proxy passes no other method to the part of the server that has the queues.
  if (endpoint.path === "/events" && method !== "OPTIONS" && !["GET", "DELETE"].includes(method)) {
    throw new RefusedRequest(proxyPage(405, "Not Allowed"));
  }
  if (method === "OPTIONS" && !isPlain && endpoint.path !== "/fetch_api_key") {
    throw new RefusedRequest(emptyAnswer(204, { ...noCache, allow: [...allowed].sort().join(", ") }));
  }
  if (!allowed.includes(requested)) {
    throw new RefusedRequest(isPlain ? emptyAnswer(405, { allow: allowed.join(", ") }) : methodNotAllowed(allowed));
  }
  const effective = requested === "HEAD" ? "GET" : requested;
  const route = routeAt(endpoint, effective, level);
  // Real servers have these operations, so the message says that the sandbox refused.
  if (!route)
    throw new RefusedRequest(
      methodNotAllowed(allowed, `The sandbox does not implement ${effective} ${endpoint.path}.`),
    );
  return { route, endpoint };
}

/** Throws the answer of the proxy to requests that it does not pass on. */
function checkProxy({ method, url, headers, body = "" }: HttpRequest): void {
  const refusal = (status: number, title: string) => new RefusedRequest(proxyPage(status, title));
  const { pathname, search } = new URL(url);
  if (method.length + pathname.length + search.length > longestLine) throw refusal(414, "Request-URI Too Large");
  const isLarge = Object.entries(headers).some(([name, value]) => name.length + value.length > longestLine);
  if (isLarge) throw refusal(400, "Request Header Or Cookie Too Large");
  if (/%(?![0-9a-f]{2})|%00/i.test(pathname)) throw refusal(400, "Bad Request");
  if (body.length > largestBody(pathname)) throw refusal(413, "Request Entity Too Large");
  if ((method as string) === "TRACE") throw refusal(405, "Not Allowed");
}

/** The answer to HEAD is the answer to GET without the body. */
function withoutBody({ text, file, ...answer }: Answer): Answer {
  const length = String(file?.size ?? new TextEncoder().encode(text).length);
  return { ...answer, headers: { ...answer.headers, "content-length": length }, text: "" };
}

/** A request while it is processed. */
interface ServedExchange {
  request: HttpRequest;
  address: string;
  /** Returns true for parameters that the server must not know. */
  isIgnored: (name: string) => boolean;
  caller?: StoredUser | undefined;
  /** The rate limits that apply to the request. */
  buckets: BucketState[];
}

/** Returns a function that answers the requests to one server. */
export function requestHandler({ state, level, site, clock, rateLimits, random }: SandboxServer) {
  const limits = new Limits();
  const log = new AuditLog(state);

  function perform(exchange: ServedExchange): Answer {
    const { request, address, isIgnored, buckets } = exchange;
    const { method } = request;
    const now = clock.now();
    checkProxy(request);
    const { pathname, search } = new URL(request.url);
    const lowerCased = Object.entries(request.headers).map(([name, value]) => [name.toLowerCase(), value]);
    const headers: Record<string, string> = Object.fromEntries(lowerCased);
    const file = serveFile(state, now, { method, pathname, headers });
    if (file) return file;
    const form = readForm(method, search.slice(1), headers, request.body ?? "");
    const { route, endpoint } = findTarget(method, pathname, form, level);
    const { operation, rules, handler } = route;
    // Browsers are redirected to the login page. Every client that accepts HTML counts as one.
    if (!operation.anonymous && headers.authorization === undefined && headers.accept?.includes("text/html")) {
      return emptyAnswer(302, { location: `/login/?next=${encodeURIComponent(pathname)}` });
    }
    const count = (bucket: string, rules: readonly RateLimit[]) => buckets.push(limits.hit(bucket, rules, now, level));
    const countLogin = (username: string) => {
      // At level 442, another setting limits logging in.
      if (rateLimits || level > 371) count(`name ${username}`, loginLimit);
      return () => limits.clear(`name ${username}`);
    };
    const caller = operation.anonymous ? undefined : authenticate(state, headers.authorization, rules.webhooks);
    exchange.caller = caller;
    if (rateLimits && caller) count(`${rules.bucket ?? "user"} ${caller.user_id}`, perUser(level));
    else if (rateLimits && operation.name !== "server.info") count(`address ${address}`, perAddress);
    // `client` is a parameter of every call, but only bodies of POST are searched for it.
    const client = form.query.has("client") || method === "POST" ? form.values.get("client") : undefined;
    checkStorable(client ?? "");
    const context: HandlerContext = { state, level, now, site, random, files: form.files, countLogin };
    announceExports(context);
    if (caller) checkCaller(route, { ...context, caller });
    const values = new Map([...form.values].filter(([name]) => !isIgnored(name)));
    const { args, names } = decodeArguments(route, values, level);
    const handle = () => handler({ ...context, caller }, { ...endpoint.pathParameters, ...args });
    const members = isChange(operation) ? log.record(caller?.user_id ?? null, now, handle) : handle();
    if (operation.name === "export.create") storeExportFile(state, log.rows);
    const isUnknown = (name: string) =>
      name === "client" ? client === undefined : !names.has(name) || isIgnored(name);
    const unknown = rules.silent ? [] : [...form.values.keys()].filter(isUnknown).sort();
    const warning = unknown.length > 0 ? { ignored_parameters_unsupported: unknown } : {};
    return success({ ...members, ...warning }, caller !== undefined);
  }

  return (request: HttpRequest, address: string, isIgnored: (name: string) => boolean = () => false): Answer => {
    const exchange: ServedExchange = { request, address, isIgnored, buckets: [] };
    let answer: Answer;
    try {
      answer = perform(exchange);
    } catch (error) {
      if (!(error instanceof RefusedRequest)) throw error;
      answer = error.answer;
    }
    // With a key, the server looks at no session cookie.
    const vary = exchange.caller && { vary: "Accept-Language" };
    const complete = { ...answer, headers: { ...rateLimitHeaders(exchange.buckets), ...answer.headers, ...vary } };
    return request.method === "HEAD" ? withoutBody(complete) : complete;
  };
}

/** Processes a request: route and method, credentials, rate limit, role, parameters, then the handler. */

import type { HttpRequest } from "../world.ts";
import {
  type Answer,
  emptyAnswer,
  methodNotAllowed,
  noCache,
  PageError,
  proxyPage,
  Refusal,
  success,
} from "./answers.ts";
import { AuditLog } from "./audit-log.ts";
import { authenticate } from "./auth.ts";
import { download, fileOperation, makeExportFiles } from "./files.ts";
import type { SandboxOptions } from "./index.ts";
import { type BucketState, Limits, loginLimit, perAddress, perUser, type Rule, rateLimitHeaders } from "./limits.ts";
import { type Endpoint, type Form, findEndpoint, readForm } from "./paths.ts";
import { type Context, checkCaller, decodeArguments, type Route } from "./router.ts";
import { routes } from "./routes.ts";
import { checkStorable } from "./text.ts";

type Server = Required<Pick<SandboxOptions, "state" | "level" | "site" | "clock" | "rateLimits" | "random">>;

const prefix = "/api/v1";
const MiB = 1024 * 1024;
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
  routes.find(
    ({ operation }) =>
      operation.method === method && operation.path === endpoint.path && level >= (operation.since ?? 0),
  );

/** The name of the operation for a method and path. */
export function operationOf({ method, url }: HttpRequest, level: number): string | undefined {
  const { pathname } = new URL(url);
  const endpoint = endpointAt(pathname, level);
  return endpoint ? routeAt(endpoint, method, level)?.operation.name : fileOperation(pathname);
}

/** Finds the route. It is checked before credentials. */
function findTarget(method: string, pathname: string, form: Form, level: number): { route: Route; endpoint: Endpoint } {
  const endpoint = endpointAt(pathname, level);
  if (!endpoint) throw new PageError(404, "Page not found");
  const { methods } = endpoint;
  const named = (method === "POST" && form.body.has("method") ? form.values.get("method") : undefined) ?? method;
  const allowed = methods.includes("GET") ? [...methods, "HEAD"] : methods;
  const plain = endpoint.path === "/server_settings";
  // The proxy passes no other method to the part of the server that has the queues.
  if (endpoint.path === "/events" && method !== "OPTIONS" && !["GET", "DELETE"].includes(method)) {
    throw new Refusal(proxyPage(405, "Not Allowed"));
  }
  if (method === "OPTIONS" && !plain && endpoint.path !== "/fetch_api_key") {
    throw new Refusal(emptyAnswer(204, { ...noCache, allow: [...allowed].sort().join(", ") }));
  }
  if (!allowed.includes(named)) {
    throw new Refusal(plain ? emptyAnswer(405, { allow: allowed.join(", ") }) : methodNotAllowed(allowed));
  }
  const effective = named === "HEAD" ? "GET" : named;
  const route = routeAt(endpoint, effective, level);
  // Real servers have these operations, so the message says that the sandbox refused.
  if (!route)
    throw new Refusal(methodNotAllowed(allowed, `The sandbox does not implement ${effective} ${endpoint.path}.`));
  return { route, endpoint };
}

/** Throws the answer of the proxy to requests that it does not pass on. */
function checkProxy({ method, url, headers, body = "" }: HttpRequest): void {
  const stop = (status: number, title: string) => new Refusal(proxyPage(status, title));
  const { pathname, search } = new URL(url);
  if (method.length + pathname.length + search.length > longestLine) throw stop(414, "Request-URI Too Large");
  const large = Object.entries(headers).some(([name, value]) => name.length + value.length > longestLine);
  if (large) throw stop(400, "Request Header Or Cookie Too Large");
  if (/%(?![0-9a-f]{2})|%00/i.test(pathname)) throw stop(400, "Bad Request");
  if (body.length > largestBody(pathname)) throw stop(413, "Request Entity Too Large");
  if ((method as string) === "TRACE") throw stop(405, "Not Allowed");
}

/** The answer to HEAD is the answer to GET without the body. */
function withoutBody({ text, file, ...answer }: Answer): Answer {
  const length = String(file?.size ?? new TextEncoder().encode(text).length);
  return { ...answer, headers: { ...answer.headers, "content-length": length }, text: "" };
}

interface Arrived {
  request: HttpRequest;
  /** Names in lower case. */
  headers: Record<string, string>;
  form: Form;
  address: string;
  /** True for parameters that the server must not know. */
  ignoring: (name: string) => boolean;
}

/** Returns a function that answers the requests to one server. */
export function requestHandler({ state, level, site, clock, rateLimits, random }: Server) {
  const limits = new Limits();
  const log = new AuditLog(state);
  const made = new Map<number, Uint8Array>();

  function perform(
    { route, endpoint }: ReturnType<typeof findTarget>,
    { request, headers, form, address, ignoring }: Arrived,
  ): Answer {
    const { operation, rules } = route;
    const now = clock.now();
    const applied: BucketState[] = [];
    const count = (bucket: string, limit: readonly Rule[]): void => {
      if (rateLimits) applied.push(limits.hit(bucket, limit, now, level));
    };
    const context: Context = {
      state,
      level,
      now,
      site,
      random,
      files: form.files,
      countLogin: (username) => {
        // At level 442, another setting limits logging in.
        if (rateLimits || level > 371) applied.push(limits.hit(`name ${username}`, loginLimit, now, level));
        return () => limits.clear(`name ${username}`);
      },
    };
    // With a key, the server looks at no session cookie.
    let known = {};
    const answered = (answer: Answer): Answer => ({
      ...answer,
      headers: { ...rateLimitHeaders(applied), ...answer.headers, ...known },
    });
    try {
      const caller = operation.anonymous ? undefined : authenticate(state, headers.authorization, rules.webhooks);
      if (caller) {
        known = { vary: "Accept-Language" };
        count(`${rules.bucket ?? "user"} ${caller.user_id}`, perUser(level));
      } else if (operation.name !== "server.info") count(`address ${address}`, perAddress);
      // `client` is a parameter of every call, but only bodies of POST are searched for it.
      const client = form.query.has("client") || request.method === "POST" ? form.values.get("client") : undefined;
      checkStorable(client ?? "");
      if (caller) checkCaller(rules, caller, context);
      const values = new Map([...form.values].filter(([name]) => !ignoring(name)));
      const decoded = decodeArguments(route, values, level);
      const handle = () => route.handler({ ...context, caller }, { ...endpoint.named, ...decoded.args });
      const done = operation.method === "GET" ? handle() : log.record(caller?.user_id ?? null, now, handle);
      if (operation.name === "export.create") makeExportFiles(state, log, made);
      const unknown = (name: string) =>
        name === "client" ? client === undefined : !decoded.names.has(name) || ignoring(name);
      const ignored = rules.silent ? [] : [...form.values.keys()].filter(unknown).sort();
      const also = ignored.length > 0 ? { ignored_parameters_unsupported: ignored } : {};
      return answered(success({ ...done, ...also }, caller !== undefined));
    } catch (error) {
      if (error instanceof Refusal) return answered(error.answer);
      throw error;
    }
  }

  function answerTo(request: HttpRequest, address: string, ignoring: (name: string) => boolean): Answer {
    checkProxy(request);
    const { pathname, search } = new URL(request.url);
    const named = Object.entries(request.headers).map(([name, value]) => [name.toLowerCase(), value]);
    const headers: Record<string, string> = Object.fromEntries(named);
    const file = download({ state, now: clock.now(), log, made }, request.method, pathname, headers);
    if (file) return file;
    const form = readForm(request.method, search.slice(1), headers, request.body ?? "");
    const found = findTarget(request.method, pathname, form, level);
    // Browsers are redirected to the login page. Every client that accepts HTML counts as one.
    const browsing = headers.authorization === undefined && headers.accept?.includes("text/html");
    if (browsing && !found.route.operation.anonymous) {
      return emptyAnswer(302, { location: `/login/?next=${encodeURIComponent(pathname)}` });
    }
    return perform(found, { request, headers, form, address, ignoring });
  }

  return (request: HttpRequest, address: string, ignoring: (name: string) => boolean = () => false): Answer => {
    let answer: Answer;
    try {
      answer = answerTo(request, address, ignoring);
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      answer = error.answer;
    }
    return request.method === "HEAD" ? withoutBody(answer) : answer;
  };
}

/** Applies faults to requests and answers. */
import { type Clock, type HttpRequest, type HttpResponse, NoAnswer } from "../world/world.ts";
import { ApiError, emptyAnswer, htmlPage, InternalError, proxyPage, respond } from "./answers.ts";
import type { Fault } from "./faults.ts";
import type { Disturbance, PendingRequest } from "./sandbox-options.ts";

type Handler = (request: PendingRequest) => Promise<HttpResponse>;

/** Waits milliseconds. All waits of a request together end at its timeout. */
type Pause = (ms: number) => Promise<void>;

/** Throws as a connection does if the caller stops or the timeout is reached. */
function createWait({ timeout, signal }: HttpRequest, sleep: Clock["sleep"]): Pause {
  let remaining = timeout;
  return async (ms) => {
    const duration = Math.min(ms, remaining);
    remaining -= duration;
    await sleep(duration, signal).catch(() => {
      throw new NoAnswer("the request was stopped", "stopped", true);
    });
    if (ms > duration) throw new NoAnswer(`timed out after ${timeout / 1000} seconds`, "timeout", true);
  };
}

/** Applies all faults that select the request. The first one is nearest to the caller. */
export function injectFaults(faults: readonly Fault[], sleep: Clock["sleep"]): Disturbance {
  const server: Handler = async ({ serve }) => respond(serve());
  return faults.reduceRight<Handler>((handle, fault) => {
    const isSelected = createSelector(fault);
    return (request) =>
      isSelected(request) ? applyFault(fault, request, handle, createWait(request.request, sleep)) : handle(request);
  }, server);
}

function createSelector({ appliesTo, p, seed, nth, times }: Fault): (request: PendingRequest) => boolean {
  const random = seededRandom(seed);
  let count = 0;
  let applied = 0;
  return ({ operation }) => {
    if (!appliesTo(operation)) return false;
    count++;
    // Each request draws a number, so that earlier selections do not change later ones.
    const isDrawn = random() < p;
    if (!isDrawn || applied >= times || (nth !== undefined && count !== nth)) return false;
    applied++;
    return true;
  };
}

/** Mulberry32: random numbers that are the same for the same seed. */
export function seededRandom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

const proxyTitles = { 502: "Bad Gateway", 503: "Service Temporarily Unavailable", 504: "Gateway Time-out" };

async function applyFault(fault: Fault, request: PendingRequest, handle: Handler, wait: Pause): Promise<HttpResponse> {
  const { kind, applied, ms, after } = fault;
  if (applied) await handle(request);
  switch (kind) {
    case "latency": {
      // A busy server finishes the request even if the caller has gone.
      const response = await handle(request);
      await wait(ms);
      return response;
    }
    case "429":
      return respond(after === undefined ? proxyPage(429, "Too Many Requests") : rateLimitError(after).answer);
    case "500":
      return respond(new InternalError().answer);
    case "502":
    case "503":
    case "504":
      return respond(proxyPage(Number(kind), proxyTitles[kind]));
    case "drop-before":
      throw connectionReset();
    case "drop-after":
      await handle(request);
      throw connectionReset();
    case "cut":
      return truncate(await handle(request), fault.at);
    case "drip":
      return slowDown(await handle(request), fault, wait);
    case "ignore":
      return handle({
        ...request,
        serve: (also) => request.serve((name) => fault.params.includes(name) || !!also?.(name)),
      });
    case "page":
      return respond(htmlPage(200, "Log in to the network"));
    case "empty":
      return respond(emptyAnswer(200, {}));
    case "redirect":
      return respond(emptyAnswer(302, { location: fault.to }));
    case "hang":
      await wait(Number.POSITIVE_INFINITY);
      throw connectionReset();
  }
}

const connectionReset = () => new NoAnswer("it closed the connection without an answer", "reset", true);

function rateLimitError(after: number): ApiError {
  const headers = { "retry-after": String(after), "x-ratelimit-limit": "200", "x-ratelimit-remaining": "0" };
  return new ApiError(429, "RATE_LIMIT_HIT", "API usage exceeded rate limit", { "retry-after": after }, headers);
}

const lengthOf = ({ headers }: HttpResponse): number => Number(headers["content-length"] ?? 0);

function truncate(response: HttpResponse, at: number | undefined): HttpResponse {
  const length = lengthOf(response);
  async function* body() {
    let remaining = Math.max(0, Math.min(at ?? length >> 1, length - 1));
    for await (const chunk of response.body) {
      if (remaining > 0) yield chunk.subarray(0, remaining);
      remaining -= chunk.length;
      if (remaining <= 0) break;
    }
    throw new NoAnswer("its answer ends too early", "cut", true);
  }
  return { ...response, body: body() };
}

function slowDown(response: HttpResponse, { bytes, ms }: Fault, wait: Pause): HttpResponse {
  async function* body() {
    for await (const chunk of response.body) {
      for (let from = 0; from < chunk.length; from += bytes) {
        await wait(ms);
        yield chunk.subarray(from, from + bytes);
      }
    }
  }
  return { ...response, body: body() };
}

/** A network whose faults come from the seed: it delays, loses and cuts requests and answers. */
import type { HttpRequest, HttpResponse } from "../../src/world/world.ts";
import { NoAnswer } from "../../src/world/world.ts";
import { answer } from "../world.ts";
import type { Chance } from "./chance.ts";
import type { Time } from "./time.ts";

/** What happened to a request. Only the simulation knows all of it. */
export interface Transfer {
  request: HttpRequest;
  /** Milliseconds of virtual time. */
  sentAt: number;
  /** When the server handled it. Undefined if it never arrived. */
  served?: { at: number; status: number; text: string };
  /** An answer of the server arrived. */
  hasAnswer: boolean;
  /** It certainly did nothing: it was not sent, or was rejected unread. */
  didNothing: boolean;
  /** When the sender got the answer, or an error. */
  settledAt?: number;
  /** The sender saw the outcome. It did not only stop waiting. */
  isSettled: boolean;
}

export interface Conditions {
  /** The probability of a fault for each request. */
  faultRate: number;
  /** All requests are rejected, by a proxy or by the server. */
  rejectsAll: boolean;
}

type Serve = (request: HttpRequest) => Promise<HttpResponse>;

const text = async ({ body }: HttpResponse): Promise<string> => {
  let all = "";
  for await (const chunk of body) all += Buffer.from(chunk).toString("utf8");
  return all;
};

const html = { "content-type": "text/html" };
const page = () => answer(502, "<html><title>502 Bad Gateway</title></html>", html);
const limited = (seconds: number) =>
  answer(429, {
    result: "error",
    msg: "API usage exceeded rate limit",
    code: "RATE_LIMIT_HIT",
    "retry-after": seconds,
  });
const rejections = [
  () => answer(401, { result: "error", msg: "Invalid API key", code: "INVALID_API_KEY" }),
  () => answer(403, "<html><title>Forbidden</title></html>", html),
];

export class Network {
  weather: Conditions;
  readonly #time: Time;
  readonly #chance: Chance;
  readonly #serve: Serve;

  constructor(time: Time, chance: Chance, weather: Conditions, serve: Serve) {
    this.#time = time;
    this.#chance = chance;
    this.weather = weather;
    this.#serve = serve;
  }

  async #judge(passage: Transfer): Promise<HttpResponse> {
    const at = this.#time.now;
    const { status, headers, body } = await this.#serve(passage.request);
    const served = await text({ status, headers, body });
    passage.served = { at, status, text: served };
    return answer(status, served, headers);
  }

  #cut({ status, headers }: HttpResponse, passage: Transfer): HttpResponse {
    // The status says that the change was not applied. A change of a channel may be applied in part.
    passage.didNothing = status >= 400 && passage.request.method !== "PATCH";
    return {
      status,
      headers,
      body: (async function* () {
        yield Buffer.from('{"result":"');
        throw new NoAnswer("cut in the simulation", "cut", true);
      })(),
    };
  }

  /** Sends a request. The transfer has what really happens, the promise what the sender sees. */
  request(request: HttpRequest): { passage: Transfer; response: Promise<HttpResponse> } {
    const passage: Transfer = {
      request,
      sentAt: this.#time.now,
      hasAnswer: false,
      didNothing: false,
      isSettled: false,
    };
    const chance = this.#chance;
    const trouble = this.weather.rejectsAll ? 10 : chance.hits(this.weather.faultRate) ? chance.whole(0, 9) : undefined;
    if (trouble !== 0) request.beforeSend?.();
    return { passage, response: this.#go(passage, trouble) };
  }

  async #go(passage: Transfer, trouble: number | undefined): Promise<HttpResponse> {
    const chance = this.#chance;
    const travelTime = chance.next() < 0.1 ? chance.next() * 8000 : chance.next() * 60;
    const returnTime = chance.next() * 60;
    const fail = async (why: "reset" | "timeout" | "network") => {
      await this.#time.sleep(why === "timeout" ? passage.request.timeout : returnTime);
      throw new NoAnswer(`${why} in the simulation`, why, true);
    };
    switch (trouble) {
      case undefined: {
        await this.#time.sleep(travelTime);
        const response = await this.#judge(passage);
        await this.#time.sleep(returnTime);
        passage.hasAnswer = true;
        return response;
      }
      case 0:
        passage.didNothing = true;
        await this.#time.sleep(returnTime);
        throw new NoAnswer("connection refused in the simulation", "refused", false);
      case 1: // It never arrives.
        return fail("timeout");
      case 2:
        return fail("reset");
      case 3: // It is applied, and the answer is lost.
        await this.#time.sleep(travelTime);
        await this.#judge(passage);
        return fail(chance.of(["reset", "timeout"]));
      case 4: // The proxy gives up, before or after the server handled it.
        await this.#time.sleep(travelTime);
        if (chance.hits(0.5)) await this.#judge(passage);
        return page();
      case 5: // The server handles it long after the client has given up.
        this.#time.after(chance.whole(1, 55) * 1000, () => void this.#judge(passage));
        return fail(chance.of(["reset", "timeout"]));
      case 6:
        passage.hasAnswer = true;
        passage.didNothing = true;
        await this.#time.sleep(travelTime);
        return limited(chance.of([0.2, 1, 5]));
      case 7: // The body ends early.
        await this.#time.sleep(travelTime);
        return this.#cut(await this.#judge(passage), passage);
      case 8: // A page that claims success.
        await this.#time.sleep(travelTime);
        if (chance.hits(0.5)) await this.#judge(passage);
        return answer(200, "<html>Welcome to the hotel's network</html>");
      case 10:
        passage.hasAnswer = true;
        passage.didNothing = true;
        await this.#time.sleep(travelTime);
        return chance.of(rejections)();
      default:
        await this.#time.sleep(travelTime);
        if (chance.hits(0.5)) await this.#judge(passage);
        return answer(500, { result: "error", msg: "Internal server error" });
    }
  }
}

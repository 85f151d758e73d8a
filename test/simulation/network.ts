/** A network that loses, delays and repeats nothing by itself, but does to each request what the seed says. */
import type { HttpRequest, HttpResponse } from "../../src/world.ts";
import { NoAnswer } from "../../src/world.ts";
import { answer } from "../world.ts";
import type { Chance } from "./chance.ts";
import type { Time } from "./time.ts";

/** How a request fared, as nobody but the simulation knows. */
export interface Transfer {
  request: HttpRequest;
  /** Milliseconds of virtual time. */
  sentAt: number;
  /** When the server judged it; undefined where it never came there. */
  served?: { at: number; status: number; text: string };
  /** Something that is the server's answer came back. */
  hasAnswer: boolean;
  /** It certainly did nothing: it did not leave, or was turned away unread. */
  didNothing: boolean;
  /** When the process that had sent it had the answer, or was told that none will come. */
  settledAt?: number;
  /** That process saw how it fared, and did not merely stop waiting. */
  isSettled: boolean;
}

export interface Conditions {
  /** Probability that anything is done to a request at all. */
  faultRate: number;
  /** Nobody is let in who comes, with a page or in the server's words. */
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
    // The status alone says that the change was not made, but for a channel's, of which it might be a part.
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

  /** Sends a request on its way: the passage tells how it fares, the promise what its sender gets to see. */
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
      case 3: // It is applied, and the answer lost.
        await this.#time.sleep(travelTime);
        await this.#judge(passage);
        return fail(chance.of(["reset", "timeout"]));
      case 4: // The proxy gives up before the server has it, or after.
        await this.#time.sleep(travelTime);
        if (chance.hits(0.5)) await this.#judge(passage);
        return page();
      case 5: // The server is at work on it long after the client has given up.
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

/**
 * Downloads a file, complete and unchanged. It requests missing parts after a break, and compares everything with the
 * announced values. Other results throw `Unreachable`.
 */
import { Cancelled, type Details, signalOf, Unreachable } from "../errors.ts";
import { isLoopback } from "../loopback.ts";
import { downloadText } from "../output/progress.ts";
import type { Call } from "../wire/call.ts";
import { addressOf, encode } from "../wire/encode.ts";
import type { AnyOperation } from "../wire/operation.ts";
import { type HttpRequest, type HttpResponse, NoAnswer } from "../world.ts";
import { type Announced, begun, fewer, forRest, goneOn, more, Resumptions, Unfit } from "./download-answer.ts";
import { identify } from "./prepared.ts";
import type { Redactor } from "./redactor.ts";
import { pauseBefore, why } from "./retry.ts";
import type { Link } from "./send.ts";
import type { Sender } from "./sending.ts";
import { classify, type Failed, type Refusal, summaryOf } from "./verdict.ts";

export interface Origin extends Pick<Link, "world" | "options" | "connect"> {
  account: Sender;
}

export interface Fetched {
  /** The name for people: `budget.csv`. */
  name: string;
  /** The expected number of bytes, if known. */
  size?: number | undefined;
}

/** The largest part that is read of an answer that is not a file. */
const mostOfRefusal = 64 * 1024;

export async function* download(origin: Origin, call: Call, { name, size }: Fetched): AsyncGenerator<Uint8Array> {
  const { operation } = call;
  const { clock, signals, connect } = origin.world;
  const { retryBudget, waits, trace } = origin.options;
  const { ca } = origin.account.tls;
  const { url, shown } = addressed(origin.account.site, call);
  const details: Details = { request: { method: operation.method, path: url.pathname } };
  const failed = (what: string, more?: Details) =>
    new Unreachable(`the download from ${url.host} failed: ${what}`, { ...details, ...more });
  const own = url.origin === new URL(origin.account.site).origin;
  const base = await requestOf(origin, operation, url, own);
  const resumptions = new Resumptions();
  const waiting = waits?.begin();
  // Only the organization receives credentials. Trust settings apply to every host.
  const elsewhere = own ? undefined : await connect(ca ? { ca } : {});
  let known: Announced | undefined;
  let at = 0;
  try {
    for (let attempt = 1; ; attempt++) {
      let verdict: Failed;
      try {
        const rest = known && at > 0 ? forRest(known, at) : {};
        trace?.(`> GET ${shown}${at ? ` from byte ${at} on` : ""}`);
        waiting?.now({ what: at ? `going on with ${name}` : `waiting for ${url.host}` });
        const connection = elsewhere ?? (await origin.connect());
        const response = await connection.request({ ...base.request, headers: { ...base.request.headers, ...rest } });
        const refusal = await refusalOf(operation, response, { now: clock.now(), redactor: base.redactor });
        trace?.(`< ${refusal ? summaryOf(refusal) : response.status}`);
        if (!refusal) {
          known = known && at > 0 ? goneOn(response, known, at) : begun(response, size);
          const { total } = known;
          const text = downloadText(clock, { name, total, from: at });
          waiting?.now({ what: `downloading ${name}`, drawn: (columns) => text(at, columns) });
          for await (const chunk of response.body) {
            if (total !== undefined && at + chunk.length > total) throw more(total);
            at += chunk.length;
            resumptions.came(clock.monotonic());
            yield chunk;
          }
          if (total !== undefined && at < total) throw fewer(total, at);
          return;
        }
        verdict = refusal;
      } catch (error) {
        if (error instanceof Unfit) throw failed(error.message);
        if (!(error instanceof NoAnswer)) throw error;
        if (error.why === "stopped") throw new Cancelled("interrupted", signalOf(signals.stop.reason), details);
        trace?.(`< ${error.message}`);
        verdict = { kind: "none", failure: error };
      }
      const pause = pauseFor(operation, verdict, attempt);
      if (pause === undefined) throw failed(saidOf(verdict), { ...statusOf(verdict), hint: adviceFor(verdict) });
      waiting?.now({ what: why(url.host, verdict), next: "going on", until: clock.monotonic() + pause, fixed: true });
      await clock.sleep(pause, signals.stop).catch(() => {
        throw new Cancelled("interrupted while waiting", signalOf(signals.stop.reason), details);
      });
    }
  } finally {
    waiting?.end();
    await elsewhere?.close();
  }

  /** Milliseconds until the deadline. Undefined after it. */
  function pauseFor(operation: AnyOperation, verdict: Failed, attempt: number) {
    if (verdict.kind !== "none" && verdict.status === 429) {
      const pause = pauseBefore(operation, verdict, attempt, clock.random());
      return pause && retryBudget.spend(pause.limited, clock.monotonic()) ? pause.ms : undefined;
    }
    const lasting = verdict.kind === "none" ? ["tls", "protocol"].includes(verdict.failure.why) : verdict.status < 502;
    return lasting ? undefined : resumptions.take(clock.random());
  }
}

/** Includes the names of this machine. */
const isThisMachine = (hostname: string): boolean =>
  isLoopback(hostname) || /^(0\.0\.0\.0|localhost\.|.*\.localhost\.?|\[::\]|\[::ffff:(7f|0:).*\])$/.test(hostname);

/** Returns the address of a file, also without secrets. Throws `Unreachable` for an invalid one. */
function addressed(site: string, call: Call): { url: URL; shown: string } {
  const { target, shown } = encode(call);
  const wrong = (what: string) => new Unreachable(`the file's address ${what}`);
  const address = addressOf(site, target);
  if (!URL.canParse(address)) throw wrong("is not a URL");
  const url = new URL(address);
  if (!["http:", "https:"].includes(url.protocol)) throw wrong(`is not an https:// URL (${url.protocol})`);
  if (url.username || url.password) throw wrong("has a user name or password in it");
  if (isThisMachine(url.hostname) && !isThisMachine(new URL(site).hostname))
    throw wrong(`leads from ${new URL(site).host} to this machine (${url.host})`);
  if (/(^|\/)(\.|%2e){1,2}(\/|$)/i.test(address.replace(/[?#].*$/s, "")))
    throw wrong("leads to another directory with ..");
  if (url.protocol === "http:" && !isLoopback(url.hostname))
    throw wrong(`is http://, over which everyone on the way to ${url.host} could read and change the file`);
  return { url, shown: addressOf(site, shown.target) };
}

async function requestOf(origin: Origin, operation: AnyOperation, url: URL, own: boolean) {
  const { signals } = origin.world;
  const key = own ? (await origin.account.key?.())?.reveal() : undefined;
  const { headers, redactor } = identify(origin.world, { email: origin.account.email, key });
  const request: HttpRequest = {
    method: operation.method,
    url: url.href,
    headers: { ...headers, accept: "*/*", "accept-encoding": "identity" },
    timeout: origin.options.timeout,
    patient: true,
    alone: true,
    signal: signals.stop,
  };
  return { request, redactor };
}

/** Describes an answer that is not a file. */
async function refusalOf(
  operation: AnyOperation,
  response: HttpResponse,
  { now, redactor }: { now: number; redactor: Redactor },
): Promise<Refusal | undefined> {
  const { status } = response;
  if (status < 300 || status === 416 || status === 412) return undefined;
  const chunks: Uint8Array[] = [];
  let size = 0;
  let cut = false;
  try {
    for await (const chunk of response.body) {
      chunks.push(chunk);
      size += chunk.length;
      if (size > mostOfRefusal) break;
    }
  } catch (error) {
    if (!(error instanceof NoAnswer) || error.why === "stopped") throw error;
    cut = true;
  }
  const text = Buffer.concat(chunks).toString("utf8");
  const verdict = classify(operation, { response, text, cut, now, redactor });
  return verdict.kind === "success" || verdict.kind === "none" ? undefined : verdict;
}

const saidOf = (verdict: Failed): string => {
  if (verdict.kind === "none") return verdict.failure.message;
  const said = verdict.kind === "error" ? `"${verdict.msg.slice(0, 2000)}"` : verdict.what;
  return `it answered ${verdict.status} with ${said}`;
};

const statusOf = (verdict: Failed): Details =>
  verdict.kind === "none"
    ? { cause: verdict.failure }
    : { httpStatus: verdict.status, ...(verdict.kind === "error" && { code: verdict.code }) };

function adviceFor(verdict: Failed): string | undefined {
  if (verdict.kind === "none") return undefined;
  if (verdict.status < 400) return "zulipctl does not follow redirects.";
  return verdict.status < 500 && verdict.status !== 429 ? undefined : "Try again later.";
}

/**
 * Downloads a file, complete and unchanged. It requests missing parts after a break, and compares everything with the
 * announced values. Other results throw `Unreachable`.
 */

import { isLoopback } from "../common/loopback.ts";
import { Cancelled, type Details, signalOf, Unreachable } from "../errors.ts";
import { downloadText } from "../output/progress.ts";
import type { Call } from "../wire/call.ts";
import { encode, urlOf } from "../wire/encode.ts";
import { type HttpRequest, NoAnswer } from "../world/world.ts";
import {
  BadAnswer,
  type FileInfo,
  firstAnswer,
  nextAnswer,
  Resumptions,
  rangeHeaders,
  tooLong,
  tooShort,
} from "./download-answer.ts";
import { identify } from "./prepared.ts";
import { answerReader } from "./response-reader.ts";
import { describeFailure, isPermanent, pauseBefore } from "./retry.ts";
import type { SendContext } from "./send.ts";
import type { Sender } from "./sending-types.ts";
import { type Failed, verdictText } from "./verdict.ts";

interface DownloadOrigin extends Pick<SendContext, "world" | "options" | "connect"> {
  account: Sender;
}

export interface FileRequest {
  /** The name for people: `budget.csv`. */
  name: string;
  /** The expected number of bytes, if known. */
  size?: number | undefined;
}

export async function* download(
  origin: DownloadOrigin,
  call: Call,
  { name, size }: FileRequest,
): AsyncGenerator<Uint8Array> {
  const { operation } = call;
  const { clock, signals, connect } = origin.world;
  const { retryBudget, waits, trace, timeout } = origin.options;
  const { site, email, key, tls } = origin.account;
  const { url, shown } = checkedAddress(site, call);
  const details: Details = { request: { method: operation.method, path: url.pathname } };
  const failure = (what: string, more?: Details) =>
    new Unreachable(`the download from ${url.host} failed: ${what}`, { ...details, ...more });
  // Only the organization receives credentials. Trust settings apply to every host.
  const isOwn = url.origin === new URL(site).origin;
  const { headers, redactor } = identify(origin.world, { email, key: isOwn ? (await key?.())?.reveal() : undefined });
  const request: HttpRequest = {
    method: operation.method,
    url: url.href,
    headers: { ...headers, accept: "*/*", "accept-encoding": "identity" },
    timeout,
    limitsSilence: true,
    ownConnection: true,
    signal: signals.stop,
  };
  const resumptions = new Resumptions();
  const waiting = waits?.begin();
  const foreign = isOwn ? undefined : await connect(tls.ca ? { ca: tls.ca } : {});
  let info: FileInfo | undefined;
  let at = 0;
  try {
    for (let attempt = 1; ; attempt++) {
      let verdict: Failed;
      try {
        const range = info && at > 0 ? rangeHeaders(info, at) : {};
        trace?.(`> GET ${shown}${at ? ` from byte ${at} on` : ""}`);
        waiting?.update({ what: at ? `going on with ${name}` : `waiting for ${url.host}` });
        const connection = foreign ?? (await origin.connect());
        const response = await connection.request({ ...request, headers: { ...request.headers, ...range } });
        const { status } = response;
        if (status < 300 || status === 416 || status === 412) {
          trace?.(`< ${status}`);
          info = info && at > 0 ? nextAnswer(response, info, at) : firstAnswer(response, size);
          const { total } = info;
          const text = downloadText(clock, { name, total, from: at });
          waiting?.update({ what: `downloading ${name}`, progress: (columns) => text(at, columns) });
          for await (const chunk of response.body) {
            if (total !== undefined && at + chunk.length > total) throw tooLong(total);
            at += chunk.length;
            resumptions.progress(clock.monotonic());
            yield chunk;
          }
          if (total !== undefined && at < total) throw tooShort(total, at);
          return;
        }
        const reader = answerReader(operation, response, { now: clock.now, redactor });
        verdict = await reader.failure(response.body);
        trace?.(`< ${verdictText(verdict)}`);
      } catch (error) {
        if (error instanceof BadAnswer) throw failure(error.message);
        if (!(error instanceof NoAnswer)) throw error;
        if (error.why === "stopped") throw new Cancelled("interrupted", signalOf(signals.stop.reason), details);
        trace?.(`< ${error.message}`);
        verdict = { kind: "none", failure: error };
      }
      const pause = pauseAfter(verdict, attempt);
      if (pause === undefined) throw failure(...explain(verdict));
      const until = clock.monotonic() + pause;
      waiting?.update({ what: describeFailure(url.host, verdict), next: "going on", until, isFixed: true });
      await clock.sleep(pause, signals.stop).catch(() => {
        throw new Cancelled("interrupted while waiting", signalOf(signals.stop.reason), details);
      });
    }
  } finally {
    waiting?.end();
    await foreign?.close();
  }

  /** Returns the milliseconds until the next attempt. Undefined for none. */
  function pauseAfter(verdict: Failed, attempt: number): number | undefined {
    if (verdict.kind !== "none" && verdict.status === 429) {
      const pause = pauseBefore(operation, verdict, attempt, clock.random());
      return pause && retryBudget.spend(pause.counted, clock.monotonic()) ? pause.ms : undefined;
    }
    return isPermanent(verdict) ? undefined : resumptions.take(clock.random());
  }
}

/** Includes the names of this machine. */
const isThisMachine = (hostname: string): boolean =>
  isLoopback(hostname) || /^(0\.0\.0\.0|localhost\.|.*\.localhost\.?|\[::\]|\[::ffff:(7f|0:).*\])$/.test(hostname);

/** Returns the address of a file, also without secrets. Throws `Unreachable` for an invalid one. */
function checkedAddress(site: string, call: Call): { url: URL; shown: string } {
  const { target, masked } = encode(call);
  const invalid = (what: string) => new Unreachable(`the file's address ${what}`);
  const address = urlOf(site, target);
  if (!URL.canParse(address)) throw invalid("is not a URL");
  const url = new URL(address);
  if (!["http:", "https:"].includes(url.protocol)) throw invalid(`is not an https:// URL (${url.protocol})`);
  if (url.username || url.password) throw invalid("has a user name or password in it");
  if (isThisMachine(url.hostname) && !isThisMachine(new URL(site).hostname))
    throw invalid(`leads from ${new URL(site).host} to this machine (${url.host})`);
  if (/(^|\/)(\.|%2e){1,2}(\/|$)/i.test(address.replace(/[?#].*$/s, "")))
    throw invalid("leads to another directory with ..");
  if (url.protocol === "http:" && !isLoopback(url.hostname))
    throw invalid(`is http://, over which everyone on the way to ${url.host} could read and change the file`);
  return { url, shown: urlOf(site, masked.target) };
}

/** Returns the words and details of a failure. */
function explain(verdict: Failed): [what: string, details: Details] {
  if (verdict.kind === "none") return [verdict.failure.message, { cause: verdict.failure }];
  const { status } = verdict;
  const answer = verdict.kind === "error" ? `"${verdict.msg.slice(0, 2000)}"` : verdict.what;
  const details: Details = { httpStatus: status, ...(verdict.kind === "error" && { code: verdict.code }) };
  if (status < 400) details.hint = "zulipctl does not follow redirects.";
  else if (status >= 500 || status === 429) details.hint = "Try again later.";
  return [`it answered ${status} with ${answer}`, details];
}

/**
 * Runs jq, compiled to WebAssembly, in a thread: a filter may run forever, and Ctrl-C must end it. The build copies
 * `jq-worker.cjs` and the files of `jq-web` into dist. From the source, the installed package is used.
 */
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import type { Worker } from "node:worker_threads";
import { asError, Cancelled, signalOf, systemErrorCode, Usage } from "../errors.ts";
import type { Signals } from "../world/world.ts";
import { sanitizeLine } from "./sanitize.ts";

interface FilterResult {
  /** JSON, one result a line. */
  text?: string;
  /** The messages on stderr, such as those of `debug`. */
  message: string;
  /** 3: the filter does not compile. 5: it fails. 0: jq itself failed. */
  code?: number;
}

/** Reads a file of dist, or of the packages and the source that dist has it from. */
function read(name: string): Buffer {
  if (import.meta.build) return import.meta.build.read(name);
  const { resolve } = createRequire(import.meta.url);
  return readFileSync(name.startsWith("jq-web/") ? resolve(name) : resolve(`./${name}`));
}

// Kept between check and use, so that a run loads the library once. An idle worker keeps no process alive.
let idle: Worker | undefined;

/** A part of the program is missing or damaged, which is no bug. */
const incomplete = (error: Error): Error =>
  "damaged" in error ? error : Object.assign(new Error(`jq: ${error.message.split("\n")[0]}`), { incomplete: true });

async function start(): Promise<Worker> {
  const { Worker } = await import("node:worker_threads");
  try {
    const workerData = { library: read("jq-web/jq.js").toString(), wasm: read("jq-web/jq.wasm") };
    const options = { eval: true, workerData, env: {}, execArgv: [], stdout: true, stderr: true };
    return new Worker(read("jq-worker.cjs").toString(), options);
  } catch (error) {
    throw incomplete(asError(error));
  }
}

async function run(filter: string, json: string, stop?: AbortSignal): Promise<FilterResult> {
  const worker = idle ?? (await start());
  idle = undefined;
  worker.ref();
  const settled = new AbortController();
  try {
    // The library reads bytes many times faster than text.
    const bytes = new TextEncoder().encode(json);
    worker.postMessage({ filter, bytes }, [bytes.buffer]);
    const exit = once(worker, "exit", { signal: settled.signal }).then(() => {
      throw new Error("it ended without an answer");
    });
    const answer: FilterResult = (await Promise.race([once(worker, "message", { signal: stop }), exit]))[0];
    worker.unref();
    // After a failure of jq itself, the worker is not used again.
    if (answer.code === 0) await worker.terminate();
    else idle = worker;
    return answer;
  } catch (error) {
    await worker.terminate();
    if (stop?.aborted) throw new Cancelled("Stopped while the filter was running.", signalOf(stop.reason));
    const { message } = asError(error);
    // A filter may use up the memory. Whatever else ends the thread keeps jq from being loaded.
    if (systemErrorCode(error) !== "ERR_WORKER_OUT_OF_MEMORY") throw incomplete(asError(error));
    return { code: 0, message };
  } finally {
    settled.abort();
  }
}

/** Removes jq's own name and position, which mean nothing to users. */
const plainMessage = (words: string): string =>
  sanitizeLine(
    words
      .replace(/^jq: (error|\d+ compile errors?)( \(at [^)]*\))?:? ?/gm, "")
      .replace(/ at <top-level>, line \d+:/g, "")
      .replace(/\s*\n\s*/g, " "),
  ).trim();

/** Throws `Usage` if the filter does not compile. Without input, jq runs nothing. */
export async function checkFilter(filter: string): Promise<void> {
  const { code, message } = await run(filter, "");
  if (code !== undefined)
    throw new Usage(`invalid --jq filter: ${plainMessage(message)}`, {
      hint: "jq's manual: https://jqlang.org/manual/",
    });
}

// The library refuses half a surrogate pair, which JSON.stringify escapes.
const withoutLoneSurrogates = (json: string): string =>
  json.includes("\\ud")
    ? json.replace(/\\\\|\\ud[89a-f][0-9a-f]{2}/g, (found) => (found === "\\\\" ? found : "\\ufffd"))
    : json;

interface Filtered {
  /** JSON on one line each. */
  results: string[];
  /** The messages of `debug` and `stderr`. */
  messages: string;
}

/** Throws `Usage` if the filter fails. */
export async function filtered(json: string, filter: string, signals?: Signals): Promise<Filtered> {
  const { code, message, text } = await run(filter, withoutLoneSurrogates(json), signals?.stop);
  if (text === undefined || code !== undefined) throw new Usage(`--jq: the filter failed: ${plainMessage(message)}`);
  return { results: text === "" ? [] : text.split("\n"), messages: message };
}

/**
 * The real jq, compiled to WebAssembly, in a thread of its own: a filter may run for ever, and Ctrl-C must end it.
 *
 * A bundle finds the library as `jq-web/jq.js` beside the file this module was bundled into; the build copies
 * `jq.js`, `jq.wasm` and `package.json` of `jq-web` there, and `jq-worker.cjs`, unbundled. Without a bundle it is the installed package.
 */
import { once } from "node:events";
import { createRequire } from "node:module";
import type { Worker } from "node:worker_threads";
import { Cancelled, signalOf, Usage } from "../errors.ts";
import type { Signals } from "../world.ts";
import { escaped, sanitizeLine, sanitizeText } from "./sanitize.ts";

interface Answer {
  /** JSON, one result a line. */
  text?: string;
  /** What jq said on its own stderr, such as the messages of `debug`. */
  words: string;
  /** 3: the filter does not compile; 5: it fails; 0: the program itself broke down. */
  code?: number;
}

const require = createRequire(typeof __filename === "string" ? __filename : import.meta.url);

function library(): string {
  try {
    return require.resolve("./jq-web/jq.js");
  } catch {
    return require.resolve("jq-web");
  }
}

// Kept from the check of the filter to its use, so that a run loads the library once. An idle one keeps no process alive.
let idle: Worker | undefined;

async function start(): Promise<Worker> {
  const { Worker } = await import("node:worker_threads");
  const options = { workerData: library(), env: {}, execArgv: [], stdout: true, stderr: true };
  return new Worker(require.resolve("./jq-worker.cjs"), options);
}

async function run(filter: string, json: string, stop?: AbortSignal): Promise<Answer> {
  const worker = idle ?? (await start());
  idle = undefined;
  worker.ref();
  try {
    // As bytes the library takes it many times faster than as a text.
    const bytes = new TextEncoder().encode(json);
    worker.postMessage({ filter, bytes }, [bytes.buffer]);
    const [answer]: Answer[] = await once(worker, "message", { signal: stop });
    worker.unref();
    // A program that broke down in itself, rather than answering, is not asked again.
    if (answer!.code === 0) await worker.terminate();
    else idle = worker;
    return answer!;
  } catch (error) {
    await worker.terminate();
    if (stop?.aborted) throw new Cancelled("Stopped while the filter was running.", signalOf(stop.reason));
    return { code: 0, words: error instanceof Error ? error.message : String(error) };
  }
}

/** jq names its own program and its input's file; neither means anything to a user. */
const plainWords = (words: string): string =>
  sanitizeLine(
    words
      .replace(/^jq: (error|\d+ compile errors?)( \(at [^)]*\))?:? ?/gm, "")
      .replace(/ at <top-level>, line \d+:/g, "")
      .replace(/\s*\n\s*/g, " "),
  ).trim();

/** Throws `Usage` where the filter does not compile. Without an input jq compiles it and runs nothing. */
export async function checkFilter(filter: string): Promise<void> {
  const { code, words } = await run(filter, "");
  if (code !== undefined)
    throw new Usage(`invalid --jq filter: ${plainWords(words)}`, {
      hint: "jq's manual: https://jqlang.org/manual/",
    });
}

// The library's parser refuses half a surrogate pair, which JSON.stringify writes so.
const whole = (json: string): string =>
  json.includes("\\ud")
    ? json.replace(/\\\\|\\ud[89a-f][0-9a-f]{2}/g, (found) => (found === "\\\\" ? found : "\\ufffd"))
    : json;

export interface Filtered {
  /** One result each: strings bare, everything else as JSON on one line. */
  results: string[];
  /** The messages of `debug` and `stderr`. */
  words: string;
}

/** Throws `Usage` where the filter fails on this input. `bare` makes a string fit for the place it goes to. */
export async function filtered(
  json: string,
  filter: string,
  { bare = sanitizeText, signals }: { bare?: (text: string) => string; signals?: Signals } = {},
): Promise<Filtered> {
  const { code, words, text } = await run(filter, whole(json), signals?.stop);
  if (text === undefined || code !== undefined) throw new Usage(`--jq: the filter failed: ${plainWords(words)}`);
  const results = text === "" ? [] : text.split("\n");
  return { results: results.map((line) => (line.startsWith('"') ? bare(JSON.parse(line)) : escaped(line))), words };
}

/** Every command ends with a documented exit code, whatever a server answers, and never sends a change twice. */

import { afterAll, describe, expect, test } from "vitest";
import { main } from "../../src/main.ts";
import { hasHazards } from "../../src/output/sanitize.ts";
import { type Cause, type Http, type HttpRequest, type HttpResponse, NoAnswer } from "../../src/world/world.ts";
import { everyLine, type NamedLine, setup, withFlags } from "../cases/all.ts";
import { email, password } from "../cases/owner.ts";
import fc, { anyCharacter, seedFor } from "../property.ts";
import { testWorld } from "../world.ts";

const all = everyLine.filter(({ argv }) => !/^(completion|__complete|profile)/.test(argv[0]!));

const hostile = fc.oneof(
  fc.constantFrom(
    "\u001b]0;x\u0007",
    "\u009b31m",
    "\u202etxt\u2066",
    "\u200b",
    "=1+1",
    "__proto__",
    "constructor",
    "\r\n",
    "\0",
    "\ud800",
    "#",
    "@",
  ),
  fc.string({ unit: anyCharacter, maxLength: 20 }),
);
const leaf = fc.oneof(
  hostile,
  fc.constantFrom<unknown>(null, true, false, 0, -1, 1.5, 1e308, 2 ** 53, -(2 ** 53), 2 ** 31, ""),
  fc.integer(),
);
const json = fc.letrec<{ any: unknown }>((tie) => ({
  any: fc.oneof(
    { depthSize: "small", withCrossShrink: true },
    leaf,
    fc.array(tie("any"), { maxLength: 4 }),
    fc.dictionary(
      fc.oneof(hostile, fc.constantFrom("id", "name", "user_id", "stream_id", "members", "result")),
      tie("any"),
      { maxKeys: 4 },
    ),
  ),
})).any;

/** Replaces one value of an answer. The numbers are the path to it. */
function replaceAt(value: unknown, [step, ...rest]: number[], other: unknown): unknown {
  if (typeof value !== "object" || value === null || step === undefined) return other;
  const names = Object.keys(value);
  if (!names.length) return other;
  const name = names[step % names.length]!;
  const changed = replaceAt((value as Record<string, unknown>)[name], rest, other);
  if (Array.isArray(value)) return value.with(Number(name), changed);
  // A literal defines a member `__proto__`, an assignment would not.
  return { ...value, [name]: changed };
}

interface Reply {
  kind: "mutated" | "json" | "envelope" | "text" | "none" | "good";
  status: number;
  code: string;
  where: number[];
  other: unknown;
  text: string;
  cut: number;
  chunk: number;
  headers: Record<string, string>;
  why: Cause;
  left: boolean;
}

const causes: Cause[] = ["dns", "refused", "network", "tls", "reset", "timeout", "cut", "protocol"];
const reply: fc.Arbitrary<Reply> = fc.record({
  kind: fc.constantFrom("mutated", "mutated", "mutated", "json", "envelope", "text", "none", "good", "good", "good"),
  status: fc.oneof(
    fc.constant(200),
    fc.constantFrom(200, 201, 204, 301, 302, 400, 401, 403, 404, 409, 418, 429, 500, 502, 503, 599),
  ),
  code: fc.constantFrom(
    "BAD_REQUEST",
    "RATE_LIMIT_HIT",
    "EXPECTATION_MISMATCH",
    "UNAUTHORIZED",
    "REQUEST_VARIABLE_MISSING",
    "\u001b[2J",
    "",
  ),
  where: fc.array(fc.nat(7), { maxLength: 5 }),
  other: json,
  text: fc.oneof(hostile, fc.constantFrom("", "<html>", '{"result":"success"', "[[[[", "\ufeff{}", "null")),
  cut: fc.oneof(fc.constant(1), fc.constant(1), fc.double({ min: 0, max: 1, noNaN: true })),
  chunk: fc.constantFrom(1, 7, 100, 1e6),
  headers: fc.dictionary(
    fc.constantFrom(
      "retry-after",
      "location",
      "x-ratelimit-limit",
      "x-ratelimit-remaining",
      "x-ratelimit-reset",
      "date",
    ),
    fc.oneof(hostile, fc.constantFrom("0", "-1", "1e400", "0.5", "9".repeat(30), "NaN", "1768478400")),
    { maxKeys: 3 },
  ),
  why: fc.constantFrom(...causes),
  left: fc.boolean(),
});

async function textOf(good: Http, request: HttpRequest): Promise<string> {
  const parts: Uint8Array[] = [];
  for await (const part of (await good(request)).body) parts.push(part);
  return Buffer.concat(parts).toString();
}

async function answerWith(one: Reply, good: Http, request: HttpRequest): Promise<HttpResponse> {
  const { kind, status, code, where, other, cut, chunk, headers, why, left } = one;
  if (kind === "good") return good(request);
  if (kind === "none") throw new NoAnswer("\u001b[31mit broke", why, left);
  const body = async () => {
    if (kind === "mutated") {
      const text = await textOf(good, request);
      // A file is not JSON.
      return text.startsWith("{") ? JSON.stringify(replaceAt(JSON.parse(text), where, other)) : text + one.text;
    }
    if (kind === "json") return JSON.stringify(other);
    if (kind === "envelope") {
      const result = status < 300 ? "success" : "error";
      return JSON.stringify({ ...Object(other), result, msg: one.text, code, "retry-after": other });
    }
    return one.text;
  };
  const bytes = Buffer.from(await body());
  const end = Math.floor(bytes.length * cut);
  return {
    status,
    headers,
    body: (async function* () {
      for (let at = 0; at < end; at += chunk) yield bytes.subarray(at, Math.min(end, at + chunk));
      if (cut < 1 && left) throw new NoAnswer("its answer ends too early", "cut", true);
    })(),
  };
}

let runs = 0;
let requests = 0;
const codes = new Map<number, number>();
afterAll(() =>
  console.info(
    `${runs} runs, ${requests} requests, ended with ${[...codes]
      .sort()
      .map(([code, n]) => `${code} (${n})`)
      .join(", ")}`,
  ),
);

const isFetchKey = ({ argv }: NamedLine) => argv[0] === "fetch-key";

/** Returns whether the command ends with 8 for the answer no. */
const canSayNo = ({ command, argv }: NamedLine) =>
  command === "permissions check" ||
  (command === "linkifier test" && argv.includes("--expect")) ||
  argv.includes("--exit-code");

async function checkRun(line: NamedLine, replies: Reply[], more: string[], terminal: boolean): Promise<void> {
  const ready = setup(line);
  /** How often the server may have received each request for a change. */
  const sent = new Map<string, number>();
  const world = testWorld({
    ...ready,
    terminal,
    confirm: [true, true],
    text: [email],
    password,
    http: async (request) => {
      const one = replies[requests++ % replies.length]!;
      const canArrive = one.kind === "good" || (one.kind === "none" ? one.left : one.status !== 429);
      const what = `${request.method} ${request.url} ${request.body}`;
      // Some reads create a queue of events and delete it again.
      const reads = request.method === "GET" || /\/api\/v1\/(register|events)$/.test(request.url);
      if (!reads && canArrive) sent.set(what, (sent.get(what) ?? 0) + 1);
      return answerWith(one, ready.http, request);
    },
  });
  const argv = withFlags(line.argv, line.argv.includes("-o") ? [] : more);
  const code = await main(argv, world);
  runs++;
  codes.set(code, (codes.get(code) ?? 0) + 1);
  const shown = `${argv.join(" ")}\n${world.stdout.text.slice(0, 500)}\n${world.stderr.text.slice(0, 2000)}`;
  if (![0, 1, 2, 3, 4, 5, 6, 7, ...(canSayNo(line) ? [8] : [])].includes(code))
    expect.fail(`ended with ${code}: ${shown}`);
  if (code === 7 && sent.size === 0 && !isFetchKey(line)) expect.fail(`unknown, but nothing was sent: ${shown}`);
  // At a terminal, zulipctl prompts three times for a refused password.
  const maxTimes = terminal && isFetchKey(line) ? 3 : 1;
  for (const [what, times] of sent) if (times > maxTimes) expect.fail(`sent ${times} times: ${what}\n${shown}`);
  if (/\n +at |node:internal/.test(world.stderr.text)) expect.fail(`a stack trace: ${shown}`);
  // zulipctl itself prints colors, and erases the line about a wait.
  const plain = (text: string) =>
    text
      .replaceAll("\r\n", "\n")
      .replaceAll("\r\u001b[K", "")
      .replace(/\u001b\[[0-9;]*m/g, "");
  // The progress bar of a batch moves the cursor itself.
  if (
    terminal &&
    line.argv[0] !== "batch" &&
    (hasHazards(plain(world.stdout.text)) || hasHazards(plain(world.stderr.text)))
  )
    expect.fail(`control characters at a terminal: ${JSON.stringify(shown)}`);
  if (code && argv.includes("json") && !(terminal && line.argv[0] === "batch")) {
    // zulipctl erased the line about a wait.
    const rest = world.stderr.text.replace(/[^\n]*\r\u001b\[K/g, "").trim();
    expect(JSON.parse(rest.split("\n").at(-1)!).error.exit_code).toBe(code);
  }
}

const forms: string[][] = [
  [],
  ["-o", "json"],
  ["-o", "csv"],
  ["-o", "ndjson"],
  ["-o", "ids"],
  ["-o", "yaml"],
  ["-v"],
  ["--allow-ignored"],
];

describe.each(all.map((line) => [line.argv.join(" "), line] as const))("%s", (name, line) => {
  test("ends with a documented exit code for any answers", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(reply, { minLength: 1, maxLength: 6 }),
        fc.constantFrom(...forms),
        fc.boolean(),
        (replies, more, terminal) => checkRun(line, replies, more, terminal),
      ),
      { numRuns: 40, ...seedFor(name) },
    );
  });
});

/** Whatever a server answers to any command, a foreseen end comes, and no change goes out twice. */

import { afterAll, describe, expect, test } from "vitest";
import { main } from "../../src/main.ts";
import { hasHazards } from "../../src/output/sanitize.ts";
import { type Cause, type Http, type HttpRequest, type HttpResponse, NoAnswer } from "../../src/world.ts";
import { everyLine, type NamedLine, setup, withFlags } from "../cases/all.ts";
import { email, password } from "../cases/owner.ts";
import fc, { seedFor } from "../property.ts";
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
  fc.string({ unit: "binary", maxLength: 20 }),
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

/** Puts something else in one place of a good answer: where, is told by numbers that walk down from its root. */
function mutated(value: unknown, [step, ...rest]: number[], other: unknown): unknown {
  if (typeof value !== "object" || value === null || step === undefined) return other;
  const names = Object.keys(value);
  if (!names.length) return other;
  const name = names[step % names.length]!;
  const changed = mutated((value as Record<string, unknown>)[name], rest, other);
  if (Array.isArray(value)) return value.with(Number(name), changed);
  // The text of JSON may name a member twice, or have one called __proto__; objects made here may not.
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

async function answered(one: Reply, good: Http, request: HttpRequest): Promise<HttpResponse> {
  const { kind, status, code, where, other, cut, chunk, headers, why, left } = one;
  if (kind === "good") return good(request);
  if (kind === "none") throw new NoAnswer("\u001b[31mit broke", why, left);
  const body = async () => {
    if (kind === "mutated") {
      const text = await textOf(good, request);
      // What is no JSON is a file that is fetched.
      return text.startsWith("{") ? JSON.stringify(mutated(JSON.parse(text), where, other)) : text + one.text;
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

const fetching = ({ argv }: NamedLine) => argv[0] === "fetch-key";

/** Ends with 8 where the answer to what it asks is no. */
const asks = ({ command, argv }: NamedLine) =>
  command === "permissions check" ||
  (command === "linkifier test" && argv.includes("--expect")) ||
  argv.includes("--exit-code");

async function survives(line: NamedLine, replies: Reply[], more: string[], terminal: boolean): Promise<void> {
  const ready = setup(line);
  /** Of each request that may change something: whether it may have been carried out. */
  const sent = new Map<string, number>();
  const world = testWorld({
    ...ready,
    terminal,
    confirm: [true, true],
    text: [email],
    password,
    http: async (request) => {
      const one = replies[requests++ % replies.length]!;
      const may = one.kind === "good" || (one.kind === "none" ? one.left : one.status !== 429);
      const what = `${request.method} ${request.url} ${request.body}`;
      // To read some things, a queue of events is made and given up again: each read has one, whatever its number.
      const reads = request.method === "GET" || /\/api\/v1\/(register|events)$/.test(request.url);
      if (!reads && may) sent.set(what, (sent.get(what) ?? 0) + 1);
      return answered(one, ready.http, request);
    },
  });
  const argv = withFlags(line.argv, line.argv.includes("-o") ? [] : more);
  const code = await main(argv, world);
  runs++;
  codes.set(code, (codes.get(code) ?? 0) + 1);
  const shown = `${argv.join(" ")}\n${world.stdout.text.slice(0, 500)}\n${world.stderr.text.slice(0, 2000)}`;
  if (![0, 1, 2, 3, 4, 5, 6, 7, ...(asks(line) ? [8] : [])].includes(code)) expect.fail(`ended with ${code}: ${shown}`);
  if (code === 7 && sent.size === 0 && !fetching(line)) expect.fail(`unknown, and nothing was sent: ${shown}`);
  // A refused password is asked for twice more on a terminal, where this person types the same again.
  const most = terminal && fetching(line) ? 3 : 1;
  for (const [what, times] of sent) if (times > most) expect.fail(`sent ${times} times: ${what}\n${shown}`);
  if (/\n +at |node:internal/.test(world.stderr.text)) expect.fail(`a stack trace: ${shown}`);
  // Colours are ours, and so is what erases the line that tells of a wait.
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
    expect.fail(`a terminal would be driven: ${JSON.stringify(shown)}`);
  if (code && argv.includes("json") && !(terminal && line.argv[0] === "batch")) {
    // What told of a wait is gone from its line.
    const left = world.stderr.text.replace(/[^\n]*\r\u001b\[K/g, "").trim();
    expect(JSON.parse(left.split("\n").at(-1)!).error.exit_code).toBe(code);
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
  test("ends as foreseen, whatever comes back", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(reply, { minLength: 1, maxLength: 6 }),
        fc.constantFrom(...forms),
        fc.boolean(),
        (replies, more, terminal) => survives(line, replies, more, terminal),
      ),
      { numRuns: 40, ...seedFor(name) },
    );
  });
});

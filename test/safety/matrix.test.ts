/** Changes under every fault: the exit code, the requests, and the state of the server. */
import { afterAll, describe, expect, test } from "vitest";
import { removeAttachment } from "../../src/api/attachments.ts";
import { type Disturbance, injectFaults, type PendingRequest, parseFault } from "../../src/sandbox/index.ts";
import { type HttpResponse, NoAnswer } from "../../src/world/world.ts";
import { everyCase, everyLine, isMaking, setup, withFlags } from "../cases/all.ts";
import type { Change, Making } from "../cases/case.ts";
import { fresh, zulipctl } from "../run.ts";
import { answer } from "../world.ts";

interface Result {
  code: number;
  /** The outcome in the JSON error. */
  outcome?: string;
  requests: number;
  /** How often the server made the change. */
  made: 0 | 1;
}

const done = (requests = 1): Result => ({ code: 0, requests, made: 1 });
const unknown = (made: 0 | 1): Result => ({ code: 7, outcome: "unknown", requests: 1, made });
const nothing = (code: number, outcome: string, requests = 1): Result => ({ code, outcome, requests, made: 0 });

/** The result of a command with one change, by the fault of its operation. */
const optionFaults: [fault: string, result: Result][] = [
  ["latency:ms=500", done()],
  ["latency:ms=76000", unknown(1)],
  ["429:times=1,after=0.5", done(2)],
  ["429:times=2,after=none", done(3)],
  ["429:after=121", nothing(4, "not_applied")],
  ["429:after=100", nothing(4, "not_applied", 2)],
  ["429:after=none", nothing(4, "not_applied", 8)],
  ["429:after=0", nothing(4, "not_applied", 13)],
  ["500", unknown(0)],
  ["500:applied=yes", unknown(1)],
  ["502", unknown(0)],
  ["502:applied=yes", unknown(1)],
  ["503", unknown(0)],
  ["504:applied=yes", unknown(1)],
  ["drop-before", unknown(0)],
  ["drop-after", unknown(1)],
  ["cut", unknown(1)],
  ["cut:at=0", unknown(1)],
  ["drip:bytes=20,ms=10", done()],
  ["drip:bytes=1,ms=5000", unknown(1)],
  ["page", unknown(0)],
  ["empty", unknown(0)],
  ["redirect", nothing(4, "not_applied")],
  ["hang", unknown(0)],
  ["hang:applied=yes", unknown(1)],
];

type Reaction = (request: PendingRequest, nth: number) => Promise<HttpResponse>;
const refuseConnection = (passes: number): Reaction => {
  return async (request, nth) => {
    if (nth <= passes) throw new NoAnswer("it refused the connection", "refused", false);
    return answer(200, request.serve().text);
  };
};
const answers =
  (status: number, body: unknown): Reaction =>
  async () =>
    answer(status, body);

/** Faults that `--fault` does not have. */
const otherFaults: [name: string, react: Reaction, result: Result][] = [
  ["the connection is refused once", refuseConnection(1), done(2)],
  ["the connection is refused three times", refuseConnection(3), done(4)],
  ["the connection is refused for good", refuseConnection(99), nothing(4, "not_sent", 4)],
  [
    "the certificate does not match",
    async () => {
      throw new NoAnswer("no secure connection: the name does not match", "tls", false);
    },
    nothing(4, "not_sent"),
  ],
  [
    "no connection within the time limit",
    async () => {
      throw new NoAnswer("cannot connect within 30 seconds", "timeout", false);
    },
    nothing(4, "not_sent"),
  ],
  ["a VPN wants a log-in", answers(403, "<html><title>Sign in</title></html>"), nothing(4, "not_applied")],
  ["a proxy does not know the path", answers(404, "<html><h1>Not Found</h1></html>"), nothing(4, "not_applied")],
  ["the server refuses", answers(400, { result: "error", msg: "No.", code: "BAD_REQUEST" }), nothing(1, "not_applied")],
  [
    "a parameter is missing",
    answers(400, { result: "error", msg: "Missing 'x' argument", code: "REQUEST_VARIABLE_MISSING", var_name: "x" }),
    nothing(1, "not_applied"),
  ],
  [
    "the key is refused",
    answers(401, { result: "error", msg: "Invalid API key", code: "UNAUTHORIZED" }),
    nothing(3, "not_applied"),
  ],
  [
    "someone changed it first",
    answers(400, { result: "error", msg: "Mismatch.", code: "EXPECTATION_MISMATCH" }),
    nothing(6, "not_applied"),
  ],
  ["another API's success", answers(200, { result: "ok", msg: "" }), unknown(0)],
  ["JSON of something else", answers(200, { ok: true }), unknown(0)],
  ["a list", answers(201, [1, 2]), unknown(0)],
];

let ran = 0;
let requests = 0;
afterAll(() => console.info(`${ran} runs, ${requests} requests`));

/** Disturbs one operation. */
function disturbOnly(operation: string, react: Reaction): Disturbance {
  let nth = 0;
  return async (request) =>
    request.operation === operation ? react(request, ++nth) : answer(200, request.serve().text);
}

interface ChangeLine {
  name: string;
  argv: string[];
  line: Making;
  spec: Change;
}

const changes: ChangeLine[] = everyLine.flatMap((line) => {
  const { command, argv } = line;
  return isMaking(line) ? [{ name: argv.join(" "), argv, line, spec: everyCase.get(command) as Change }] : [];
});

async function runUnder(make: () => Disturbance, { argv, line }: ChangeLine, form: string) {
  const ready = setup(line, { disturb: make() });
  const { state } = ready.sandbox;
  const before = structuredClone({ ...state }) as typeof state;
  const run = await zulipctl([...argv, "-o", form], ready);
  // Reading the organization creates a queue and deletes it.
  const isRead = ({ method, url }: { method: string; url: string }) =>
    method === "GET" || /\/(register|events)$/.test(url);
  const sent = run.sent.filter((request) => !isRead(request)).length;
  ran++;
  requests += sent;
  return { ...run, requests: sent, made: Number(line.made(state, before)) };
}

const error = (err: string) => JSON.parse(err.trim().split("\n").at(-1)!).error;

/** A refused channel update may be applied in parts. A missing parameter is noticed before. */
const resultFor = ({ parts }: Making, fault: string, result: Result): Result =>
  parts && fault !== "a parameter is missing" && (result.code === 1 || result.code === 6)
    ? { ...result, outcome: "maybe_partial" }
    : result;

const inject = (...faults: string[]) =>
  injectFaults(
    faults.map((fault) => parseFault(fault)),
    async () => undefined,
  );

/** Limits a fault to one operation. */
const narrow = (fault: string, operation: string) => `${fault}${fault.includes(":") ? "," : ":"}op=${operation}`;

type Fault = readonly [name: string, make: (operation: string) => Disturbance, result: Result];

const faults: readonly Fault[] = [
  ...optionFaults.map(([fault, result]): Fault => [fault, (operation) => inject(narrow(fault, operation)), result]),
  ...otherFaults.map(([name, react, result]): Fault => [name, (operation) => disturbOnly(operation, react), result]),
];

/** What the engine's decisions depend on. */
const kind = ({ line: { parts, ignoring }, spec: { operation, several } }: ChangeLine): string => {
  const { method, merging, memberships, target } = operation;
  const has = [merging, memberships, target, parts, ignoring].map((one) => one !== undefined);
  return JSON.stringify([method, several ?? false, ...has]);
};

function grouped<T>(all: readonly T[], key: (one: T) => string): T[][] {
  const groups = new Map<string, T[]>();
  for (const one of all) groups.set(key(one), [...(groups.get(key(one)) ?? []), one]);
  return [...groups.values()];
}

/** Faults with equal results. */
const faultsByResult = grouped(faults, ([, , { code, outcome, made }]) => JSON.stringify([code, outcome, made]));

const single = changes.filter(({ line: { of = 1 } }) => of === 1);
const first = new Set(grouped(single, kind).map(([one]) => one));

/**
 * Returns the faults for a change: all for the first change of a kind, and one with each result for the others, which
 * differs from change to change. All faults for all changes would take minutes.
 */
const faultsFor = (change: ChangeLine, nth: number): readonly Fault[] =>
  first.has(change) ? faults : faultsByResult.map((some) => some[nth % some.length]!);

describe.each(single.map((change, nth) => ({ ...change, faults: faultsFor(change, nth) })))(
  "$name",
  ({ faults, ...change }) => {
    const { line, spec } = change;
    const { name: operation } = spec.operation;

    test.each(faults)("%s", async (name, disturb, expected) => {
      const make = () => disturb(operation);
      const result = resultFor(line, name, expected);
      const json = await runUnder(make, change, "json");
      const failure = json.code === 0 ? undefined : error(json.err);
      expect({ code: json.code, outcome: failure?.outcome, requests: json.requests, made: json.made }).toEqual({
        outcome: undefined,
        ...result,
      });
      if (!failure) return;
      expect(failure.exit_code).toBe(result.code);
      expect(failure.request.path).toMatch(/^\/api\/v1\//);
      if (spec.several) {
        const outcome =
          result.outcome === "unknown" ? "unknown" : [1, 3, 6].includes(result.code) ? "refused" : "not_sent";
        expect(JSON.parse(json.out)).toEqual([expect.objectContaining({ operation, outcome })]);
      } else expect(json.out).toBe("");
      if (result.outcome === "unknown") expect(failure.hint).toMatch(/^Check with: zulipctl /);
      if (result.outcome === "maybe_partial") expect(failure.parameters).toEqual(line.parts);

      const table = await runUnder(make, change, "table");
      expect([table.code, table.requests, table.made]).toEqual([result.code, result.requests, result.made]);
      const wait = /^zulipctl: chat\.example refuses more requests for now \(429\); trying again in (1 min )?\d+ s\n/gm;
      if (!table.err.includes("(429 ")) expect(table.err).not.toMatch(wait);
      // One line describes the failure, another is a hint. Pages and stack traces have more lines.
      expect(table.err.replace(wait, "").replace(line.notes ?? "", "")).toMatch(
        /^(zulipctl: (.* deprecates .*|Current values: .*|cannot read the current state: .*)\n)?zulipctl: [^\n]+\n([^\n]+\n)?$/,
      );
      expect(table.err).not.toMatch(/<(html|h1|title|!)|\bat .*\(|node:/);
    });

    const { ignoring } = line;
    if (!ignoring) return;
    test("a parameter is ignored", async () => {
      const { params, code, made = 0 } = ignoring;
      const make = () => inject(`ignore:param=${params.join("+")},op=${operation}`);
      const run = await runUnder(make, change, "json");
      expect([run.code, run.requests, run.made]).toEqual([code, 1, made]);
      if (code === 5) expect(error(run.err)).toMatchObject({ kind: "partial", ignored: [...params].sort() });
    });
  },
);

describe("a change that is compared with current values", () => {
  const compared = single.filter(
    ({ argv, spec: { operation, several } }) => operation.before && !several && argv[0] !== "api",
  );
  const each = compared.flatMap((change) =>
    faultsByResult.map(([fault]) => [change.name, fault![0], change, fault!] as const),
  );
  test.each(each)("%s --if-changed: %s", async (_, name, change, [, disturb, expected]) => {
    const { line, spec } = change;
    const result = resultFor(line, name, expected);
    const run = await runUnder(
      () => disturb(spec.operation.name),
      { ...change, argv: withFlags(change.argv, ["--if-changed"]) },
      "json",
    );
    const outcome = run.code === 0 ? undefined : error(run.err).outcome;
    expect({ code: run.code, outcome, requests: run.requests, made: run.made }).toEqual({
      outcome: undefined,
      ...result,
    });
  });

  test.each([
    ["500", 4],
    ["drop-before", 4],
    ["page", 4],
    ["429:after=500", 4],
  ])("is not sent if the read meets %s", async (fault, code) => {
    const sandbox = fresh({ disturb: inject(narrow(fault, "folder.list")) });
    for (const flag of ["--if-changed", "--diff"]) {
      const run = await zulipctl(["folder", "update", "1", "--description", "x", flag, "-o", "json"], { sandbox });
      expect(run.code).toBe(code);
      expect(run.sent.filter(({ method }) => method !== "GET")).toEqual([]);
      expect(error(run.err)).toMatchObject({ outcome: "not_sent", request: { method: "GET" } });
    }
  });
});

describe("several changes under different faults", () => {
  const three = changes.find(({ line, spec: { operation } }) => line.of === 3 && operation === removeAttachment)!;

  test.each([
    ["latency:ms=1", 0, undefined, "done done done", 3, 3],
    ["drop-after:nth=1", 7, "unknown", "unknown done done", 3, 3],
    ["drop-before:nth=2", 7, "unknown", "done unknown done", 3, 2],
    ["500:nth=3", 7, "unknown", "done done unknown", 3, 2],
    ["drop-after:p=1", 7, "unknown", "unknown unknown unknown", 3, 3],
    ["429:nth=2,after=1", 0, undefined, "done done done", 4, 3],
    ["429:after=500,nth=2", 5, undefined, "done not_sent not_sent", 2, 1],
    ["429:after=500,p=1", 4, "not_applied", "not_sent not_sent not_sent", 1, 0],
    ["redirect:nth=2", 5, undefined, "done not_sent not_sent", 2, 1],
    ["cut:nth=1 redirect:nth=2", 7, "unknown", "unknown not_sent not_sent", 2, 1],
  ])("%s ends with %i %s: %s, %i requests, %i made", async (faults, code, outcome, outcomes, requests, made) => {
    const make = () => inject(...faults.split(" ").map((fault) => narrow(fault, "attachment.rm")));
    const run = await runUnder(make, three, "json");
    const records: { target: string; outcome: string }[] = JSON.parse(run.out);
    expect(records.map(({ target }) => target)).toEqual(["1", "2", "5"]);
    expect([run.code, run.code ? error(run.err).outcome : undefined]).toEqual([code, outcome]);
    expect(records.map((record) => record.outcome).join(" ")).toBe(outcomes);
    expect([run.requests, run.made]).toEqual([requests, made]);
  });
});

// zulipctl reads the level before it creates the folder.
test.each([
  ["500", 4, 4],
  ["502", 4, 4],
  ["drop-before", 4, 4],
  ["page", 4, 1],
  ["429:after=500", 4, 1],
  ["502:times=3", 0, 4],
])("the fault %s of the first read ends with %i after %i requests", async (fault, code, requests) => {
  const sandbox = fresh({ disturb: inject(narrow(fault, "server.info")) });
  const before = sandbox.state.folders.size;
  const urls: string[] = [];
  const handle: typeof sandbox.handle = (request) => {
    urls.push(request.url);
    return sandbox.handle(request);
  };
  const run = await zulipctl(["folder", "create", "x", "-o", "json"], { sandbox: { ...sandbox, handle } });
  expect(run.code).toBe(code);
  expect(urls.filter((url) => url.endsWith("/server_settings")).length).toBe(requests);
  expect(sandbox.state.folders.size - before).toBe(code === 0 ? 1 : 0);
  if (code) expect(error(run.err)).toMatchObject({ outcome: "not_sent", request: { method: "GET" } });
});

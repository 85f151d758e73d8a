/** Commands that change something, under every fault: exit code, requests, and what the state says was done. */
import { afterAll, describe, expect, test } from "vitest";
import { removeAttachment } from "../../src/api/attachments.ts";
import { type Disturbance, injectFaults, type PendingRequest, parseFault } from "../../src/sandbox/index.ts";
import { type HttpResponse, NoAnswer } from "../../src/world.ts";
import { everyCase, everyLine, isMaking, setup, withFlags } from "../cases/all.ts";
import type { Change, Making } from "../cases/case.ts";
import { fresh, zulipctl } from "../run.ts";
import { answer } from "../world.ts";

interface Told {
  code: number;
  /** Of the JSON error. */
  outcome?: string;
  requests: number;
  /** How often the change was made. */
  made: 0 | 1;
}

const done = (requests = 1): Told => ({ code: 0, requests, made: 1 });
const unknown = (made: 0 | 1): Told => ({ code: 7, outcome: "unknown", requests: 1, made });
const nothing = (code: number, outcome: string, requests = 1): Told => ({ code, outcome, requests, made: 0 });

/** What a fault, narrowed down to the operation, does to a command that makes one change. */
const ordered: [fault: string, told: Told][] = [
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

type Then = (passing: PendingRequest, nth: number) => Promise<HttpResponse>;
const refuse = (passes: number): Then => {
  return async (passing, nth) => {
    if (nth <= passes) throw new NoAnswer("it refused the connection", "refused", false);
    return answer(200, passing.serve().text);
  };
};
const says =
  (status: number, body: unknown): Then =>
  async () =>
    answer(status, body);

/** What no word of `--fault` covers. */
const others: [name: string, then: Then, told: Told][] = [
  ["the connection is refused once", refuse(1), done(2)],
  ["the connection is refused three times", refuse(3), done(4)],
  ["the connection is refused for good", refuse(99), nothing(4, "not_sent", 4)],
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
  ["a VPN wants a log-in", says(403, "<html><title>Sign in</title></html>"), nothing(4, "not_applied")],
  ["a proxy does not know the path", says(404, "<html><h1>Not Found</h1></html>"), nothing(4, "not_applied")],
  ["the server refuses", says(400, { result: "error", msg: "No.", code: "BAD_REQUEST" }), nothing(1, "not_applied")],
  [
    "a parameter is missing",
    says(400, { result: "error", msg: "Missing 'x' argument", code: "REQUEST_VARIABLE_MISSING", var_name: "x" }),
    nothing(1, "not_applied"),
  ],
  [
    "the key is refused",
    says(401, { result: "error", msg: "Invalid API key", code: "UNAUTHORIZED" }),
    nothing(3, "not_applied"),
  ],
  [
    "someone changed it first",
    says(400, { result: "error", msg: "Mismatch.", code: "EXPECTATION_MISMATCH" }),
    nothing(6, "not_applied"),
  ],
  ["another API's success", says(200, { result: "ok", msg: "" }), unknown(0)],
  ["JSON of something else", says(200, { ok: true }), unknown(0)],
  ["a list", says(201, [1, 2]), unknown(0)],
];

let ran = 0;
let requests = 0;
afterAll(() => console.info(`${ran} runs, ${requests} requests`));

/** Puts a disturbance between a command and the operation that it performs. */
const only =
  (operation: string, then: Then): Disturbance =>
  async (passing) =>
    passing.operation === operation ? then(passing, 0) : answer(200, passing.serve().text);

interface Changing {
  name: string;
  argv: string[];
  line: Making;
  stated: Change;
}

const changes: Changing[] = everyLine.flatMap((line) => {
  const { command, argv } = line;
  return isMaking(line) ? [{ name: argv.join(" "), argv, line, stated: everyCase.get(command) as Change }] : [];
});

async function under(make: () => Disturbance, { argv, line }: Changing, form: string) {
  const ready = setup(line, { disturb: make() });
  const { state } = ready.sandbox;
  const before = structuredClone({ ...state }) as typeof state;
  const run = await zulipctl([...argv, "-o", form], ready);
  // Reading the organization is a POST, and lets the queue go that this makes.
  const looks = ({ method, url }: { method: string; url: string }) =>
    method === "GET" || /\/(register|events)$/.test(url);
  const sent = run.sent.filter((request) => !looks(request)).length;
  ran++;
  requests += sent;
  return { ...run, requests: sent, made: Number(line.made(state, before)) };
}

const error = (err: string) => JSON.parse(err.trim().split("\n").at(-1)!).error;

/** Refusals of the server's own leave parts of a channel update in force, or may. */
const adapted = ({ parts }: Making, told: Told): Told =>
  parts && (told.code === 1 || told.code === 6) ? { ...told, outcome: "maybe_partial" } : told;

const noSleep = async () => undefined;

type Fault = readonly [name: string, make: (operation: string) => Disturbance, told: Told];

const faults: readonly Fault[] = [
  ...ordered.map(
    ([fault, told]): Fault => [
      fault,
      (operation) => {
        const narrowed = fault.includes(":") ? `${fault},op=${operation}` : `${fault}:op=${operation}`;
        return injectFaults([parseFault(narrowed)], noSleep);
      },
      told,
    ],
  ),
  ...others.map(
    ([name, then, told]): Fault => [
      name,
      (operation) => {
        let nth = 0;
        return only(operation, (passing) => then(passing, ++nth));
      },
      told,
    ],
  ),
];

/** All that the engine goes by when it judges an end, sends again or merges. */
const kind = ({ line: { parts, ignoring }, stated: { operation, several } }: Changing): string => {
  const { method, merging, memberships, target } = operation;
  const has = [merging, memberships, target, parts, ignoring].map((one) => one !== undefined);
  return JSON.stringify([method, several ?? false, ...has]);
};

function grouped<T>(all: readonly T[], key: (one: T) => string): T[][] {
  const groups = new Map<string, T[]>();
  for (const one of all) groups.set(key(one), [...(groups.get(key(one)) ?? []), one]);
  return [...groups.values()];
}

/** Faults that are to end alike. */
const alike = grouped(faults, ([, , { code, outcome, made }]) => JSON.stringify([code, outcome, made]));

const single = changes.filter(({ line: { of = 1 } }) => of === 1);
const first = new Set(grouped(single, kind).map(([one]) => one));

/**
 * The first change of each kind meets every fault. Another one of its kind meets one fault for each end that there is, and
 * which one it is goes round from change to change: with the number of verbs grows what is met, and the time only a little.
 */
const met = (change: Changing, nth: number): readonly Fault[] =>
  first.has(change) ? faults : alike.map((some) => some[nth % some.length]!);

describe.each(single.map((change, nth) => ({ ...change, faults: met(change, nth) })))(
  "$name",
  ({ faults, ...change }) => {
    const { line, stated } = change;
    const { name: operation } = stated.operation;

    test.each(faults)("%s", async (name, disturb, expected) => {
      const make = () => disturb(operation);
      const missing = name === "a parameter is missing";
      const told = missing ? expected : adapted(line, expected);
      const json = await under(make, change, "json");
      const said = json.code === 0 ? undefined : error(json.err);
      expect({ code: json.code, outcome: said?.outcome, requests: json.requests, made: json.made }).toEqual({
        outcome: undefined,
        ...told,
      });
      if (!said) return;
      expect(said.exit_code).toBe(told.code);
      expect(said.request.path).toMatch(/^\/api\/v1\//);
      if (stated.several) {
        const outcome = told.outcome === "unknown" ? "unknown" : [1, 3, 6].includes(told.code) ? "refused" : "not_sent";
        expect(JSON.parse(json.out)).toEqual([expect.objectContaining({ operation, outcome })]);
      } else expect(json.out).toBe("");
      if (told.outcome === "unknown") expect(said.hint).toMatch(/^Check with: zulipctl /);
      if (told.outcome === "maybe_partial") expect(said.parameters).toEqual(line.parts);

      const people = await under(make, change, "table");
      expect([people.code, people.requests, people.made]).toEqual([told.code, told.requests, told.made]);
      const wait = /^zulipctl: chat\.example refuses more requests for now \(429\); trying again in (1 min )?\d+ s\n/gm;
      if (!people.err.includes("(429 ")) expect(people.err).not.toMatch(wait);
      // One line says what went wrong, another what to do; a page or a stack trace has more.
      // What a line says before it sends, it says whatever becomes of it.
      expect(people.err.replace(wait, "").replace(line.notes ?? "", "")).toMatch(
        /^(zulipctl: (.* deprecates .*|In force now: .*|cannot read the current state: .*)\n)?zulipctl: [^\n]+\n([^\n]+\n)?$/,
      );
      expect(people.err).not.toMatch(/<(html|h1|title|!)|\bat .*\(|node:/);
    });

    const { ignoring } = line;
    if (!ignoring) return;
    test("a parameter is ignored", async () => {
      const { params, code, made = 0 } = ignoring;
      const make = () => injectFaults([parseFault(`ignore:param=${params.join("+")},op=${operation}`)], noSleep);
      const run = await under(make, change, "json");
      expect([run.code, run.requests, run.made]).toEqual([code, 1, made]);
      if (code === 5) expect(error(run.err)).toMatchObject({ kind: "partial", ignored: [...params].sort() });
    });
  },
);

describe("a change that is looked at before", () => {
  const looked = single.filter(
    ({ argv, stated: { operation, several } }) => operation.before && !several && argv[0] !== "api",
  );
  const each = looked.flatMap((change) => alike.map(([fault]) => [change.name, fault![0], change, fault!] as const));
  test.each(each)("%s --if-changed: %s", async (_, name, change, [, disturb, expected]) => {
    const { line, stated } = change;
    const told = name === "a parameter is missing" ? expected : adapted(line, expected);
    const run = await under(
      () => disturb(stated.operation.name),
      { ...change, argv: withFlags(change.argv, ["--if-changed"]) },
      "json",
    );
    const outcome = run.code === 0 ? undefined : error(run.err).outcome;
    expect({ code: run.code, outcome, requests: run.requests, made: run.made }).toEqual({
      outcome: undefined,
      ...told,
    });
  });

  test.each([
    ["500", 4],
    ["drop-before", 4],
    ["page", 4],
    ["429:after=500", 4],
  ])("sends nothing where the look meets %s", async (fault, code) => {
    const narrowed = fault.includes(":") ? `${fault},op=folder.list` : `${fault}:op=folder.list`;
    const sandbox = fresh({ disturb: injectFaults([parseFault(narrowed)], noSleep) });
    for (const flag of ["--if-changed", "--diff"]) {
      const run = await zulipctl(["folder", "update", "1", "--description", "x", flag, "-o", "json"], { sandbox });
      expect(run.code).toBe(code);
      expect(run.sent.filter(({ method }) => method !== "GET")).toEqual([]);
      expect(error(run.err)).toMatchObject({ outcome: "not_sent", request: { method: "GET" } });
    }
  });
});

describe("several changes, each under a fault of its own", () => {
  const three = changes.find(({ line, stated: { operation } }) => line.of === 3 && operation === removeAttachment)!;
  const rm = async (...faults: string[]) => {
    const make = () =>
      injectFaults(
        faults.map((fault) => parseFault(`${fault},op=attachment.rm`)),
        noSleep,
      );
    const run = await under(make, three, "json");
    const records: { target: string; outcome: string }[] = JSON.parse(run.out);
    expect(records.map(({ target }) => target)).toEqual(["1", "2", "5"]);
    return {
      code: run.code,
      outcomes: records.map(({ outcome }) => outcome).join(" "),
      requests: run.requests,
      made: run.made,
      outcome: run.code === 0 ? undefined : error(run.err).outcome,
    };
  };

  test.each<[string[], Awaited<ReturnType<typeof rm>>]>([
    [["latency:ms=1"], { code: 0, outcomes: "done done done", requests: 3, made: 3, outcome: undefined }],
    [["drop-after:nth=1"], { code: 7, outcomes: "unknown done done", requests: 3, made: 3, outcome: "unknown" }],
    [["drop-before:nth=2"], { code: 7, outcomes: "done unknown done", requests: 3, made: 2, outcome: "unknown" }],
    [["500:nth=3"], { code: 7, outcomes: "done done unknown", requests: 3, made: 2, outcome: "unknown" }],
    [["drop-after:p=1"], { code: 7, outcomes: "unknown unknown unknown", requests: 3, made: 3, outcome: "unknown" }],
    [["429:nth=2,after=1"], { code: 0, outcomes: "done done done", requests: 4, made: 3, outcome: undefined }],
    [
      ["429:after=500,nth=2"],
      { code: 5, outcomes: "done not_sent not_sent", requests: 2, made: 1, outcome: undefined },
    ],
    [
      ["429:after=500,p=1"],
      { code: 4, outcomes: "not_sent not_sent not_sent", requests: 1, made: 0, outcome: "not_applied" },
    ],
    [["redirect:nth=2"], { code: 5, outcomes: "done not_sent not_sent", requests: 2, made: 1, outcome: undefined }],
    [
      ["cut:nth=1", "redirect:nth=2"],
      { code: 7, outcomes: "unknown not_sent not_sent", requests: 2, made: 1, outcome: "unknown" },
    ],
  ])("%j", async (faults, told) => {
    expect(await rm(...faults)).toEqual(told);
  });
});

describe("what a command reads first", () => {
  // The level is asked for before the folder is made; nothing was sent when that fails.
  test.each([
    ["500:op=server.info", 4, 1],
    ["502:op=server.info", 4, 4],
    ["drop-before:op=server.info", 4, 4],
    ["page:op=server.info", 4, 1],
    ["429:op=server.info,after=500", 4, 1],
    ["502:op=server.info,times=3", 0, 4],
  ])("%s", async (fault, code, asked) => {
    const sandbox = fresh({ disturb: injectFaults([parseFault(fault)], noSleep) });
    const before = sandbox.state.folders.size;
    const urls: string[] = [];
    const run = await zulipctl(["folder", "create", "x", "-o", "json"], {
      sandbox: {
        ...sandbox,
        handle: (request) => {
          urls.push(request.url);
          return sandbox.handle(request);
        },
      },
    });
    expect(run.code).toBe(code);
    expect(urls.filter((url) => url.endsWith("/server_settings")).length).toBe(asked);
    expect(sandbox.state.folders.size - before).toBe(code === 0 ? 1 : 0);
    if (code) expect(error(run.err)).toMatchObject({ outcome: "not_sent", request: { method: "GET" } });
  });
});

/** The findings of `doctor`, and its exit codes. */
import { describe, expect, test } from "vitest";
import { Usage } from "../../src/errors.ts";
import { main } from "../../src/main.ts";
import { type HttpResponse, KeychainFailure, NoAnswer } from "../../src/world/world.ts";
import { credentials, fresh } from "../run.ts";
import { answer, type Setup, testWorld } from "../world.ts";

const sandbox = fresh();
const env = credentials(sandbox);

type Check = { check: string; status: string; message: string; hint?: string };

/** The checks by name, and the exit code. */
async function examine(setup: Setup = {}, prepare: (world: ReturnType<typeof testWorld>) => void = () => undefined) {
  const world = testWorld({ http: sandbox.handle, env, ...setup });
  prepare(world);
  const code = await main(["doctor", "--json"], world);
  const checks: Check[] = JSON.parse(world.stdout.text);
  return {
    code,
    checks,
    check: (name: string) => checks.find(({ check }) => check === name),
    err: world.stderr.text,
    world,
  };
}

const withHeaders =
  (headers: Record<string, string>) =>
  async (request: Parameters<typeof sandbox.handle>[0]): Promise<HttpResponse> => {
    const response = await sandbox.handle(request);
    return { ...response, headers: { ...response.headers, ...headers } };
  };

describe("ends with the exit code of a failed check, and skips later checks:", () => {
  test.each([
    ["dns", 4, { addressesOf: async () => Promise.reject(new NoAnswer("the name is not known", "dns", false)) }],
    ["tls", 4, { certificateOf: async () => Promise.reject(new NoAnswer("no secure connection", "tls", false)) }],
  ] as const)("%s", async (name, code, peers) => {
    const found = await examine({ peers });
    expect([found.code, found.check(name)?.status, found.checks.at(-1)?.check]).toEqual([code, "fail", name]);
    expect(found.check(name)?.hint).toMatch(/\S/);
    expect(JSON.parse(found.err).error).toMatchObject({ exit_code: code, message: expect.stringContaining(name) });
    expect(found.world.sent).toEqual([]);
  });

  test("an unreadable configuration", async () => {
    const { code, check } = await examine({ config: new Error("it is not valid JSON"), env: {} });
    expect([code, check("configuration")]).toMatchObject([2, { status: "fail", message: "it is not valid JSON" }]);
  });

  test("a server that is not a Zulip server", async () => {
    const { code, check } = await examine({ http: async () => answer(200, "<html>", { "content-type": "text/html" }) });
    expect([code, check("server")?.status, check("login")]).toEqual([4, "fail", undefined]);
  });

  test("a rejected key", async () => {
    const { code, check } = await examine({ env: { ...env, ZULIP_API_KEY: "a".repeat(32) } });
    expect([code, check("server")?.status, check("login")?.status]).toEqual([3, "ok", "fail"]);
  });
});

describe("the keychain", () => {
  const locked = (world: ReturnType<typeof testWorld>) => {
    world.keychain.set = async () => {
      throw new KeychainFailure("the keychain is locked", "locked");
    };
  };

  test("only causes a warning if the credentials in use do not need it", async () => {
    const { code, check } = await examine({}, locked);
    expect([code, check("keychain")]).toMatchObject([0, { status: "warn", message: "the keychain is locked" }]);
  });

  test("fails if the key is in it", async () => {
    const { ZULIP_SITE: site, ZULIP_EMAIL: email, ZULIP_API_KEY: key } = env;
    const profile = { site, email, store: "keychain", account: "work" };
    const config = { current: "work", profiles: { work: profile } };
    const { code, check } = await examine({ env: {}, config, keys: new Map([["work", key!]]) }, locked);
    expect([code, check("credentials")?.status, check("keychain")?.status]).toEqual([3, "ok", "fail"]);
  });
});

describe("warns", () => {
  test("that compiled code cannot be kept", async () => {
    const { code, check } = await examine({}, (world) => {
      const compiledCode = { directory: "/full/compiled", problem: "ENOSPC: no space left on device" };
      world.installation = async () => ({ kind: "executable", path: "/bin/zulipctl", node: "24.0.0", compiledCode });
    });
    expect([code, check("program")]).toEqual([
      0,
      {
        check: "program",
        status: "warn",
        message:
          "zulipctl 0.0.0-test, the executable /bin/zulipctl, with Node 24.0.0; compiled code cannot be kept in /full/compiled: ENOSPC: no space left on device",
        hint: "Each start takes longer. ZULIPCTL_CACHE_DIR can name another cache directory.",
      },
    ]);
  });

  test("of files that others can read", async () => {
    const access = { readable: true, writable: false };
    const { code, check, err } = await examine({ config: {}, access });
    expect([code, err]).toEqual([0, ""]);
    expect(check("configuration")).toEqual({
      check: "configuration",
      status: "warn",
      message: "others can read /config/config.json",
      hint: "make it private with: chmod 600 /config/config.json",
    });
  });

  test("each time of a key file in the environment that others can read", async () => {
    const { ZULIP_API_KEY = "", ...rest } = env;
    const files = new Map([["/keys/key", ZULIP_API_KEY]]);
    const inFile = { files, env: { ...rest, ZULIP_API_KEY_FILE: "/keys/key" } };
    for (let time = 0; time < 2; time++) {
      const { code, checks, err } = await examine(inFile, (world) => {
        const { readWithAccess } = world.files;
        world.files.readWithAccess = async (path) => {
          const found = await readWithAccess.call(world.files, path);
          return found && { ...found, access: { readable: true, writable: false } };
        };
      });
      expect([code, err]).toEqual([0, ""]);
      expect(checks.filter(({ check }) => check === "credentials")).toEqual([
        { check: "credentials", status: "ok", message: expect.stringContaining("by the environment") },
        {
          check: "credentials",
          status: "warn",
          message: "others can read /keys/key",
          hint: "make it private with: chmod 600 /keys/key",
        },
      ]);
    }
  });

  test("of a certificate that expires soon", async () => {
    const { code, check } = await examine({
      peers: { certificateOf: async () => ({ expires: Date.UTC(2026, 0, 18), issuer: "CA" }) },
    });
    expect([code, check("tls")]).toMatchObject([
      0,
      { status: "warn", message: "a certificate of CA, valid for 2 more days" },
    ]);
  });

  test("of a clock that differs", async () => {
    const at = (ms: number) => withHeaders({ date: new Date(Date.UTC(2026, 0, 15, 12) + ms).toUTCString() });
    expect((await examine({ http: at(0) })).check("clock")).toMatchObject({ status: "ok" });
    expect((await examine({ http: at(-3_600_000) })).check("clock")).toMatchObject({
      status: "warn",
      message: "this machine's clock is 3600 seconds ahead of the server's",
    });
  });

  test("of commands that an older server does not support", async () => {
    const { code, check } = await examine({
      http: fresh({ level: 200 }).handle,
      env: credentials(fresh({ level: 200 })),
    });
    expect([code, check("server"), check("abilities")]).toMatchObject([
      0,
      { status: "warn", message: expect.stringMatching(/feature level 200: too old for zulipctl/) },
      { status: "warn", message: expect.stringContaining("folder create") },
    ]);
  });

  test.each([
    [{ began: "2026-01-14T09:30:00.000Z" }, { status: "warn", message: "1 run not finished: 20260114-1" }],
    // A sandbox may be gone, but not the one in use.
    [{ site: "http://127.0.0.1:9991" }, { status: "ok", message: "1 run on other sandboxes not finished: 20260114-1" }],
  ])("of unfinished runs: %j", async (more, found) => {
    const run = "20260114-1";
    const about = {
      site: "https://chat.example",
      account: "ada@chat.example",
      input: "",
      words: "",
      began: "2026-01-14T09:30:00.000Z",
    };
    const header = { journal: "zulipctl batch", version: 1, run, rows: 2, ...about, ...more };
    const files = new Map([[`/state/batch/${run}.jsonl`, `${JSON.stringify(header)}\n`]]);
    expect((await examine({ files })).check("batch")).toMatchObject(found);
  });

  test("of an unfinished run on the sandbox in use", async () => {
    const run = "20260114-1";
    const site = "http://127.0.0.1:9991";
    const times = { began: "2026-01-14T09:30:00.000Z" };
    const header = {
      journal: "zulipctl batch",
      version: 1,
      run,
      site,
      account: "",
      input: "",
      words: "",
      rows: 2,
      ...times,
    };
    const files = new Map([[`/state/batch/${run}.jsonl`, `${JSON.stringify(header)}\n`]]);
    const env = { ...credentials(fresh()), ZULIP_SITE: site };
    expect((await examine({ files, env })).check("batch")).toMatchObject({
      status: "warn",
      message: "1 run not finished: 20260114-1",
    });
  });
});

test("shows the remaining rate limit if the server sends it", async () => {
  const http = withHeaders({ "x-ratelimit-remaining": "150", "x-ratelimit-limit": "200" });
  expect((await examine({ http })).check("rate limit")).toMatchObject({
    status: "ok",
    message: "150 of 200 requests left",
  });
});

test("ends at a proxy variable that is no URL, and at a bug of its own", async () => {
  const wrong = new Usage("HTTPS_PROXY is not the URL of a proxy", { hint: "Fix HTTPS_PROXY, or unset it." });
  const refused = await examine({ peers: { proxyFor: async () => Promise.reject(wrong) } });
  expect([refused.code, refused.check("proxy"), refused.check("dns")]).toEqual([
    2,
    { check: "proxy", status: "fail", message: wrong.message, hint: "Fix HTTPS_PROXY, or unset it." },
    undefined,
  ]);
  const { code, err } = await examine({ peers: { proxyFor: async () => Promise.reject(new Error("odd")) } });
  expect([code, err.includes("everything was done")]).toEqual([70, false]);
});

test("leaves name lookup to a proxy", async () => {
  const peers: Setup["peers"] = {
    proxyFor: async () => "proxy.example:3128",
    addressesOf: async () => Promise.reject(new Error("asked")),
  };
  const { code, check } = await examine({ peers });
  expect([code, check("proxy")?.message, check("dns")?.message]).toEqual([
    0,
    "proxy.example:3128",
    "chat.example is left to the proxy",
  ]);
});

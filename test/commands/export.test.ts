import { describe, expect, test } from "vitest";
import type { Http } from "../../src/world/world.ts";
import { fresh, zulipctl } from "../run.ts";
import { answer } from "../world.ts";

test("export list shows the state of each export", async () => {
  const base = {
    export_time: 1768478400.5,
    pending: false,
    export_url: null,
    failed_timestamp: null,
    deleted_timestamp: null,
  };
  const exports = [
    { ...base, id: 1, pending: true },
    { ...base, id: 2, export_url: "https://chat.example/export.tar.gz" },
    { ...base, id: 3, failed_timestamp: 1768478500 },
    { ...base, id: 4, deleted_timestamp: 1768478500 },
  ];
  const http = async () => answer(200, { result: "success", msg: "", exports });
  expect((await zulipctl(["export", "list"], { http })).out).toBe(
    "ID\tREQUESTED\tBY\tRESULT\n" +
      "1\t2026-01-15 12:00Z\t\tpending\n" +
      "2\t2026-01-15 12:00Z\t\thttps://chat.example/export.tar.gz\n" +
      "3\t2026-01-15 12:00Z\t\tfailed\n" +
      "4\t2026-01-15 12:00Z\t\tdeleted\n",
  );
});

/** A sandbox whose clock advances with each read. */
const withMovingClock = (exportSize?: number) => {
  let time = Date.UTC(2026, 0, 15, 12);
  return fresh({ clock: { now: () => (time += 200) }, exportSize });
};

const urls = ({ sent }: Awaited<ReturnType<typeof zulipctl>>) => sent.map(({ method, url }) => `${method} ${url}`);
const api = "https://chat.example/api/v1";

describe("export create --wait", () => {
  test("reads until the export is ready, and prints its record", async () => {
    const sandbox = withMovingClock();
    const run = await zulipctl(["export", "create", "--wait", "-o", "json"], { sandbox });
    expect(run.code).toBe(0);
    expect(JSON.parse(run.out)).toMatchObject({
      id: 1,
      pending: false,
      export_url: expect.stringContaining("/exports/"),
    });
    expect(run.err).toBe("zulipctl: Requested export 1.\n");
    expect(urls(run)[0]).toBe(`POST ${api}/export/realm`);
    expect(new Set(urls(run).slice(1))).toEqual(new Set([`GET ${api}/export/realm`]));
  });

  test("--to downloads it too", async () => {
    const files = new Map<string, string>();
    const run = await zulipctl(["export", "create", "--wait", "--to", "all.tar.gz", "-q"], {
      sandbox: withMovingClock(100_000),
      files,
    });
    expect(run).toMatchObject({ code: 0, err: "", out: "Export 1 saved as all.tar.gz (97.7 KiB).\n" });
    expect(files.get("all.tar.gz")).toHaveLength(100_000);
    expect(urls(run).at(-1)).toMatch(
      /^GET https:\/\/chat\.example\/user_avatars\/exports\/2\/\w+\/zulip-export-1\.tar\.gz$/,
    );
  });

  test("prints the id even if the export is not ready in time", async () => {
    const late = (...more: string[]) => zulipctl(["export", "create", "--wait", "--wait-timeout", "10", ...more]);
    const err =
      "zulipctl: export 1 was requested, but it is not ready after 10 s\nThe server continues. Wait again with: zulipctl export wait 1\n";
    expect(await late("-q")).toMatchObject({ code: 5, out: "Requested export 1.\n", err });
    // Once.
    expect(await late()).toMatchObject({ code: 5, out: "", err: `zulipctl: Requested export 1.\n${err}` });
    expect(await late("-o", "ids")).toMatchObject({ code: 5, out: "1\n" });
  });

  test("says that it was requested if the server does not answer any more", async () => {
    const sandbox = withMovingClock();
    const http: Http = async (request) =>
      request.method === "GET" && request.url.endsWith("/export/realm")
        ? answer(403, { result: "error", msg: "Not allowed", code: "BAD_REQUEST" })
        : sandbox.handle(request);
    expect(
      await zulipctl(["export", "create", "--wait", "--to", "a", "-q", "-o", "none"], { sandbox, http }),
    ).toMatchObject({
      code: 5,
      err: "zulipctl: export 1 was requested, but Not allowed\nWait for it with: zulipctl export wait 1\n",
    });
  });

  test("checks --to before anything is sent", async () => {
    const run = await zulipctl(["export", "create", "--wait", "--to", "a"], { files: new Map([["a", ""]]) });
    expect(run).toMatchObject({ code: 2, err: expect.stringContaining("a already exists"), sent: [] });
  });
});

const record = { acting_user_id: 1, export_time: 1768478400.5, pending: false, export_url: null };
const listing = (...exports: object[]) => ({
  http: async () =>
    answer(200, { result: "success", msg: "", exports: exports.map((each) => ({ ...record, ...each })) }),
});

describe.each(["wait", "download"])("export %s is refused", (verb) => {
  test.each([
    ["it has failed", { id: 7, failed_timestamp: 1768478400 }, "export 7 failed on the server (2026-01-15 12:00Z)"],
    ["it is deleted", { id: 7, deleted_timestamp: 1768478400 }, "the file of export 7 was deleted (2026-01-15 12:00Z)"],
    ["it has no link", { id: 7 }, "the server sent no link to the file of export 7"],
  ])("if %s", async (_, found, message) => {
    expect(await zulipctl(["export", verb, "7"], listing(found))).toMatchObject({
      code: 1,
      out: "",
      err: `zulipctl: ${message}\nList them with: zulipctl export list\n`,
    });
  });
});

test("export download does not wait", async () => {
  expect(await zulipctl(["export", "download", "7"], listing({ id: 7, pending: true }))).toMatchObject({
    code: 1,
    err: "zulipctl: export 7 is not ready yet\nWait for it with: zulipctl export wait 7\n",
  });
});

test("export wait times out, by default after an hour", async () => {
  const slow = listing({ id: 7, pending: true });
  expect(await zulipctl(["export", "wait", "7", "--wait-timeout", "90"], slow)).toMatchObject({
    code: 4,
    err: "zulipctl: export 7 is not ready after 1 min 30 s\nThe server continues. Wait again with: zulipctl export wait 7\n",
  });
  const run = await zulipctl(["export", "wait", "7"], slow);
  expect(run.err).toContain("after 1 h 0 min");
  // Every half minute but for the beginning.
  expect(run.sent.length).toBeGreaterThan(100);
  expect(run.sent.length).toBeLessThan(150);
});

test.each([
  "http://127.0.0.1/x.tar",
  "https://localhost:8443/x.tar",
  "http://0.0.0.0/x",
  "https://[::ffff:127.0.0.1]/x",
])("export download refuses a link to this machine: %s", async (export_url) => {
  const exports = [{ id: 2, export_time: 1, pending: false, export_url }];
  const http = async () => answer(200, { result: "success", msg: "", exports });
  const { code, err, sent } = await zulipctl(["export", "download", "2"], { http });
  expect([code, err.split("\n")[0]]).toEqual([
    4,
    expect.stringContaining("the file's address leads from chat.example"),
  ]);
  expect(sent).toHaveLength(1);
});

/**
 * A kind of things that is stated for this test alone goes through all ways of the program. `additions.ts` has all places
 * that know it.
 */
import { mkdtemp, rm } from "node:fs/promises";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";
import { build, type Plugin } from "esbuild";
import { afterAll, beforeAll, expect, test } from "vitest";
import { newFiles, withSticker } from "./additions.ts";
import type * as Program from "./program.ts";

const withStickers: Plugin = {
  name: "with-stickers",
  setup: ({ onResolve, onLoad }) => {
    onResolve({ filter: /sticker/ }, ({ path, resolveDir }) => {
      const place = join(resolveDir, path);
      return newFiles.includes(relative(process.cwd(), place)) ? { path: place } : undefined;
    });
    onLoad({ filter: /\.ts$/ }, ({ path }) => {
      const contents = withSticker(relative(process.cwd(), path));
      return contents === undefined ? undefined : { loader: "ts", contents };
    });
  },
};

let directory: string;
let program: typeof Program;

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), "zulipctl-sticker-"));
  const outfile = join(directory, "program.cjs");
  await build({
    bundle: true,
    platform: "node",
    target: "node20.19",
    format: "cjs",
    logLevel: "error",
    loader: { ".css": "text", ".page.js": "text", ".bash": "text", ".fish": "text", "": "text" },
    entryPoints: [join(import.meta.dirname, "program.ts")],
    plugins: [withStickers],
    external: ["@napi-rs/keyring"],
    define: { ZULIPCTL_VERSION: '"0.0.0"' },
    outfile,
  });
  program = createRequire(outfile)(outfile);
});

afterAll(() => rm(directory, { recursive: true }));

const stickersOf = (sandbox: object) => (sandbox as { state: { stickers: object[] } }).state.stickers;

test("is created, listed and removed by its verbs", async () => {
  const sandbox = program.fresh();
  const run = (...words: string[]) => program.zulipctl(words, { sandbox });
  expect(await run("sticker", "add", "Star", "gold")).toMatchObject({ code: 0, out: "Added sticker 1.\n" });
  expect((await run("sticker", "list", "-o", "csv")).out).toBe("id,label,color,holder_ids\r\n1,Star,gold,[]\r\n");
  expect((await run("stickers", "list", "-o", "ids")).out).toBe("1\n");
  expect(await run("sticker", "rm", "1", "--yes")).toMatchObject({ code: 0, out: "Deleted sticker 1.\n" });
  expect(stickersOf(sandbox)).toEqual([]);
});

test("is planned, applied, exported and compared as part of organization files", async () => {
  const sandbox = program.fresh();
  await program.zulipctl(["sticker", "add", "Star", "gold"], { sandbox });
  const files = new Map([
    ["/org.yaml", "complete: [stickers]\nstickers:\n  - label: Moon\n    color: silver\n"],
    ["/changed.yaml", "stickers:\n  - label: Moon\n    color: white\n"],
  ]);
  const run = (...words: string[]) => program.zulipctl(words, { sandbox, files });
  const planned = await run("org", "plan", "/org.yaml", "--prune", "--exit-code");
  expect(planned.code).toBe(8);
  expect(planned.out).toContain("+ sticker Moon");
  expect(planned.out).toContain("- sticker Star");
  expect((await run("org", "apply", "/org.yaml", "--prune", "--yes")).code).toBe(0);
  expect(stickersOf(sandbox)).toMatchObject([{ label: "Moon", color: "silver" }]);
  expect((await run("org", "apply", "/changed.yaml", "--yes")).code).toBe(0);
  expect(stickersOf(sandbox)).toMatchObject([{ label: "Moon", color: "white" }]);
  expect((await run("org", "export")).out).toContain("stickers:\n  - label: Moon\n    color: white\n");
});

test("is watched: new and removed ones, and the members of its list", async () => {
  const { fresh, zulipctl, testWorld, credentials, main, Interrupted } = program;
  const sandbox = fresh();
  const steps = [
    ["sticker", "add", "Star", "gold"],
    ["sticker", "hold", "1", "--add", "9,10"],
    ["sticker", "hold", "1", "--delete", "9", "--yes"],
    ["sticker", "rm", "1", "--yes"],
  ];
  const world = testWorld({
    env: credentials(sandbox),
    http: async (request) => {
      if (request.method === "GET" && request.url.includes("/events?") && !request.url.includes("dont_block")) {
        const step = steps.shift();
        if (step) expect((await zulipctl(step, { sandbox })).code).toBe(0);
        else world.interrupt(new Interrupted("SIGINT"));
      }
      return sandbox.handle(request);
    },
  });
  expect(await main(["watch", "--only", "sticker"], world)).toBe(130);
  const records = world.stdout.text
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line));
  expect(records.map(({ action, target }) => [action, target.name])).toEqual([
    ["sticker.added", "Star"],
    ["sticker.member_added", "Star"],
    ["sticker.member_added", "Star"],
    ["sticker.member_removed", "Star"],
    ["sticker.removed", "Star"],
  ]);
});

test("is completed by the names that were read", async () => {
  const { fresh, zulipctl, testWorld, credentials, main, namesDirectory, site } = program;
  const sandbox = fresh();
  await zulipctl(["sticker", "add", "Star", "gold"], { sandbox });
  const world = testWorld({ http: sandbox.handle, env: credentials(sandbox) });
  expect(await main(["completion", "refresh"], world)).toBe(0);
  expect(world.stdout.text).toContain("1 sticker,");
  const { ZULIP_EMAIL: email = "" } = credentials(sandbox);
  const place = `${namesDirectory(world.directories.cache, { site, email })}/sticker`;
  expect(await world.files.read(place)).toEqual(expect.anything());
});

test("is found in the log of an export", () => {
  const { fresh, AuditLog, Names, logChange, readLogRow, auditLines } = program;
  const { state } = fresh();
  const log = new AuditLog(state);
  const stickers = stickersOf({ state });
  const work = (change: () => void) => log.record(8, 0, change);
  const star = { id: 4, label: "Star", color: "gold", holder_ids: [9] };
  work(() => stickers.push({ ...star, holder_ids: [] }));
  work(() => stickers.splice(0, 1, star));
  work(() => stickers.splice(0, 1, { ...star, holder_ids: [] }));
  work(() => stickers.splice(0));
  const entries = log.rows.slice(-4).flatMap((row) => logChange(readLogRow({ ...row }), new Names()) ?? []);
  expect(entries.map(({ entry, kind }) => [kind, entry.action, entry.target?.name])).toEqual([
    ["sticker", "sticker.added", "Star"],
    ["sticker", "sticker.member_added", "Star"],
    ["sticker", "sticker.member_removed", "Star"],
    ["sticker", "sticker.removed", "Star"],
  ]);
  expect(entries.map(({ entry }) => entry.subject?.id)).toEqual([undefined, 9, 9, undefined]);
  expect([...auditLines(entries)].map(({ change }) => change)).toEqual([
    "added sticker Star",
    "added id:9 to sticker Star",
    "removed id:9 from sticker Star",
    "removed sticker Star",
  ]);
});

test.each([
  ["goes if it was added", [["sticker", "add", "Star", "gold"]], []],
  [
    "is made again if it was removed",
    [
      ["sticker", "add", "Moon", "silver"],
      ["sticker", "rm", "1", "--yes"],
    ],
    [{ id: 2, label: "Moon", color: "silver" }],
  ],
  [
    "loses who was added to its list, and gets back who was removed",
    [
      ["sticker", "add", "Moon", "silver"],
      ["sticker", "hold", "1", "--add", "9,10"],
      ["sticker", "hold", "1", "--add", "11", "--delete", "9"],
    ],
    [{ id: 1, holder_ids: [10, 9] }],
  ],
])("%s, when it is taken back", async (_, lines, after) => {
  const sandbox = program.fresh();
  for (const [n, line] of lines.entries()) {
    const isLast = n === lines.length - 1;
    const [files, logs] = [new Map<string, string>(), new Map<string, string>()];
    expect((await program.zulipctl(line, { sandbox, files, logs })).code).toBe(0);
    if (isLast) expect((await program.zulipctl(["undo", "--yes"], { sandbox, files, logs })).code).toBe(0);
  }
  expect(stickersOf(sandbox)).toMatchObject(after);
  expect(stickersOf(sandbox)).toHaveLength(after.length);
});

test("stays when it is taken back, if people came into its list since", async () => {
  const sandbox = program.fresh();
  const [files, logs] = [new Map<string, string>(), new Map<string, string>()];
  await program.zulipctl(["sticker", "add", "Star", "gold"], { sandbox, files, logs });
  await program.zulipctl(["sticker", "hold", "1", "--add", "9,10"], { sandbox });
  const { code, err } = await program.zulipctl(["undo", "--yes"], { sandbox, files, logs });
  expect({ code, err }).toEqual({ code: 6, err: expect.stringContaining("2 holders were added since") });
});

test("has a list that organization files set, also of a new sticker and of one that is made again", async () => {
  const sandbox = program.fresh();
  const apply = async (text: string) => {
    const files = new Map([["/org.yaml", text]]);
    const run = (...words: string[]) => program.zulipctl(words, { sandbox, files });
    const plan = (await run("org", "plan", "/org.yaml")).out;
    expect((await run("org", "apply", "/org.yaml", "--yes")).code).toBe(0);
    expect((await run("org", "plan", "/org.yaml", "--exit-code")).code).toBe(0);
    return { plan, exported: (await run("org", "export")).out };
  };
  const stickers = (color: string, holders: string) =>
    `stickers:\n  - label: Moon\n    color: ${color}\n    holders: ${holders}\n`;
  const created = await apply(stickers("silver", "[otis@sandbox.example]"));
  expect(created.plan).toContain("holders: + Otis Member");
  expect(created.exported).toContain("holders:\n      - otis@sandbox.example\n");
  const added = await apply(stickers("silver", "{add: [cora@sandbox.example]}"));
  expect(added.plan).toContain("holders: + Cora Member");
  expect(stickersOf(sandbox)).toMatchObject([{ id: 1, holder_ids: [expect.any(Number), expect.any(Number)] }]);
  const changed = await apply("stickers:\n  - label: Moon\n    color: white\n");
  expect(changed.plan).toContain('color: "silver" → "white"');
  expect(stickersOf(sandbox)).toMatchObject([
    { id: 2, color: "white", holder_ids: [expect.any(Number), expect.any(Number)] },
  ]);
});

test("has a list whose losses are judged: the last member, and many at once", async () => {
  const sandbox = program.fresh();
  const run = (...words: string[]) => program.zulipctl(words, { sandbox });
  await run("sticker", "add", "Star", "gold");
  const all = Array.from({ length: 12 }, (_, n) => n + 100).join(",");
  await run("sticker", "hold", "1", "--add", "9");
  const last = await run("sticker", "hold", "1", "--delete", "9", "--yes");
  expect(last.code).toBe(2);
  expect(last.err).toContain('this would remove the only holder of sticker "Star"');
  const files = new Map([["/org.yaml", "stickers:\n  - label: Star\n    holders: []\n"]]);
  const planned = await program.zulipctl(["org", "plan", "/org.yaml"], { sandbox, files });
  expect(planned.out).toContain('takes the last holder of the golden sticker "Star": nobody can get it again');
  expect(planned.out).toContain('this would remove the only holder of sticker "Star"');
  await run("sticker", "hold", "1", "--add", all);
  const many = await run("sticker", "hold", "1", "--delete", all, "--yes");
  expect(many.code).toBe(2);
  expect(many.err).toContain('this would remove 12 of 13 holders of sticker "Star"');
});

test("is judged when it is removed: who has it, and how many go", async () => {
  const sandbox = program.fresh();
  const files = new Map([["/org.yaml", "complete: [stickers]\nstickers: []\n"]]);
  const run = (...words: string[]) => program.zulipctl(words, { sandbox, files });
  await run("sticker", "add", "Star", "gold");
  await run("sticker", "hold", "1", "--add", "9,10");
  expect((await run("org", "plan", "/org.yaml", "--prune")).out).toContain("removes it, with 2 holders");
  const ids = Array.from({ length: 12 }, (_, n) => String(n + 2));
  for (const id of ids) await run("sticker", "add", `Star ${id}`, "silver");
  const { code, err } = await run("sticker", "rm", ids.join(","), "--yes");
  expect({ code, err }).toEqual({
    code: 2,
    err: expect.stringContaining("this would delete 12 of 13 stickers"),
  });
});

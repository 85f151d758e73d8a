/** An incomplete program: upgraded or removed while it runs, or damaged. */
import { copyFileSync, cpSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { directory } from "../node/directory.ts";
import { hostile, refusal, success } from "./hostile-server.ts";
import { environment, isExecutable, program, run } from "./program.ts";

const root = join(import.meta.dirname, "../..");

/** A copy of the program that a test may damage. */
function copy(): { home: string; dist: string; start: [string, ...string[]] } {
  const home = directory();
  if (isExecutable) {
    const file = join(home, "zulipctl");
    copyFileSync(program, file);
    return { home, dist: file, start: [file] };
  }
  const made = join(home, "zulipctl");
  for (const name of ["bin", "dist", "package.json"]) cpSync(join(root, name), join(made, name), { recursive: true });
  return { home, dist: join(made, "dist"), start: [process.execPath, join(made, "bin/zulipctl.js")] };
}

const nobody = { ZULIP_SITE: "http://127.0.0.1:9", ZULIP_EMAIL: "a@x.example", ZULIP_API_KEY: "k" };
const message =
  /^zulipctl: a part of zulipctl (\d[\d.]* )?cannot be loaded: .*\nIt may have been upgraded or removed meanwhile\. .*\n$/;

/** Files that every command opens, and two for one purpose each. */
const files = ["load.cjs", "start.js", "commands.js", "work.js", "src/output/yaml.ts", "src/output/write-csv.ts"];
const spoilt: [string, (file: string) => void][] = [
  ["missing", (file) => rmSync(file)],
  ["empty", (file) => writeFileSync(file, "")],
];

// The executable has its files inside: test/executable/damaged.test.ts.
const testFiles = test.skipIf(isExecutable);

testFiles.each(spoilt)(
  "reports a program file that is %s, or works without it",
  async (_, spoil) => {
    const { parts, files: places } = JSON.parse(readFileSync(join(root, "dist/parts.json"), "utf8"));
    const partOf = (source: string) => Object.keys(parts).find((name) => parts[name].includes(source));
    const found: unknown[] = [];
    let lacking = 0;
    // In parallel: a command tries an address four times, which takes most of the time.
    const tried = files.map(async (name) => {
      const { home, dist, start } = copy();
      const env = { ...environment(home), ...nobody };
      const file = name.startsWith("src/") ? places[partOf(name)!] : name;
      spoil(join(dist, file));
      for (const [argv, code] of [
        [["users", "list", "--feature-level", "442"], 4],
        [["users", "list", "--nothing"], 2],
        [["profile", "list", "-o", "yaml"], 0],
      ] as const) {
        const ended = await run([...start, ...argv], { env });
        if (ended.code === 70) lacking++;
        if (ended.code === 70 ? !message.test(ended.err) : ended.code !== code) found.push({ file, argv, ...ended });
      }
    });
    await Promise.all(tried);
    expect(found).toEqual([]);
    expect(lacking).toBeGreaterThan(5);
  },
  60_000,
);

testFiles.each(
  ["jq-worker.cjs", "jq-web/jq.js", "jq-web/jq.wasm"].flatMap((file) => spoilt.map((how) => [file, ...how] as const)),
)("--jq says that %s is %s", async (file, _, spoil) => {
  const { home, dist, start } = copy();
  spoil(join(dist, file));
  expect(await run([...start, "profile", "list", "--jq", "."], { env: environment(home) })).toMatchObject({
    code: 70,
    out: "",
    err: expect.stringMatching(
      /"a part of zulipctl [\d.]+ cannot be loaded: jq: .*", *"hint":"It may have been upgraded/,
    ),
  });
});

testFiles("reports a failed start as JSON if errors are JSON", async () => {
  const { home, dist, start } = copy();
  rmSync(dist, { recursive: true });
  const { code, out, err } = await run([...start, "users", "list", "-o", "json"], { env: environment(home) });
  expect({ code, out, error: JSON.parse(err).error }).toMatchObject({
    code: 70,
    out: "",
    error: { exit_code: 70, kind: "bug", outcome: "not_sent" },
  });
});

describe("the program is removed during a request", () => {
  /** Runs a command on a server that removes the program before it answers. */
  async function removed(argv: string[], answer: string) {
    const { home, dist, start } = copy();
    const server = await hostile((socket) => {
      rmSync(dist, { recursive: true, force: true });
      socket.write(answer);
    });
    return run([...start, ...argv, "--feature-level", "442"], {
      env: { ...environment(home), ...server.env },
      cwd: home,
    });
  }

  test.each(["table", "json", "csv"])("reports a change that was done as done: %s", async (form) => {
    const ended = await removed(["folder", "create", "A", "-o", form], success({ channel_folder_id: 7 }));
    expect(ended).toMatchObject({ code: 0, err: "" });
    expect(ended.out).toMatch(/7/);
  });

  test("reports a change that was refused as refused", async () => {
    expect(await removed(["folder", "create", "A", "--color", "always"], refusal(400, "BAD_REQUEST"))).toMatchObject({
      code: 1,
      out: "",
      err: expect.stringContaining("No."),
    });
  });
});

/** What old versions of Node say, which npm installs: the launcher, the build and scripts. */
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { directory } from "../node/directory.ts";
import { program, run } from "./program.ts";

const root = join(import.meta.dirname, "../..");
const page = join(root, "docs/compatibility.md");
const { version } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));

const name = `node-${process.platform}-${process.arch}`;
/** The cache of `.ci/versions`. */
const cache = join(process.env.XDG_CACHE_HOME || join(homedir(), ".cache"), "zulipctl-node");

/** Returns the path of a Node of this version, which npm installs. Undefined if it cannot. */
function nodeOf(wanted: string): string | undefined {
  const node = join(cache, wanted, "node_modules", name, "bin/node");
  if (!existsSync(node)) {
    const cwd = join(cache, wanted);
    mkdirSync(cwd, { recursive: true });
    writeFileSync(join(cwd, "package.json"), "{}");
    const words = ["--silent", "--no-save", "--no-package-lock", "--fetch-timeout=20000", "--fetch-retries=0"];
    spawnSync("npm", ["install", ...words, `${name}@${wanted}`], { cwd, stdio: "ignore" });
  }
  const { stdout } = spawnSync(node, ["--version"], { encoding: "utf8" });
  return stdout === `v${wanted}\n` ? node : undefined;
}

describe.each(["12.22.12", "16.20.2", "18.20.8"])("Node %s", (old) => {
  const node = nodeOf(old);
  const note = node ? "" : ` (NOT TESTED: npm does not install ${name}@${old} here)`;
  const message = `zulipctl requires Node 20.19 or newer; this is ${old} (${node}).`;
  const hint = `Install a newer Node: see ${page}`;
  const zulipctl = (...argv: string[]) => run([node!, program, ...argv]);

  test
    .skipIf(!node)
    .each([
      [[]],
      [["--help"]],
      [["help", "channel"]],
      [["channel", "update", "--help"]],
      [["users", "list"]],
      [["--version", "--verbose"]],
      [["nonsense", "-o", "csv"]],
    ])(`%j names it${note}`, async (argv) => {
    expect(await zulipctl(...argv)).toEqual({ code: 2, signal: null, out: "", err: `${message}\n${hint}\n` });
  });

  test
    .skipIf(!node)
    .each([[["users", "list", "--json"]], [["-o", "json", "--help"]], [["users", "list", "-yo", "json"]]])(
    `%j names it in JSON${note}`,
    async (argv) => {
      const { code, out, err } = await zulipctl(...argv);
      expect({ code, out, error: JSON.parse(err).error }).toEqual({
        code: 2,
        out: "",
        error: { exit_code: 2, kind: "usage", message, outcome: "not_sent", hint },
      });
      expect(err.split("\n")).toHaveLength(2);
    },
  );

  test.skipIf(!node).each(["--version", "-V"])(`%s prints the version${note}`, async (flag) => {
    expect(await zulipctl(flag)).toEqual({ code: 0, signal: null, out: `${version}\n`, err: "" });
  });

  test.skipIf(!node)(`completion prints nothing${note}`, async () => {
    expect(await zulipctl("__complete", "--", "")).toEqual({ code: 0, signal: null, out: "", err: "" });
  });

  // Node 12 cannot import node:fs.
  const importing = old.startsWith("12.") ? [] : ["build", "bench", "docs", "sbom", "screenshots", "simulate"];
  test.skipIf(!node).each(importing)(`scripts/%s.mjs names it before it does anything${note}`, async (script) => {
    const empty = directory();
    const ended = await run([node!, join(root, `scripts/${script}.mjs`)], { cwd: empty });
    expect(ended).toEqual({ code: 2, signal: null, out: "", err: `${message}\n${hint}\n` });
  });
});

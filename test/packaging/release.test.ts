/** The scripts that only `.github/workflows/release.yml` calls. */
import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { create } from "tar";
import { describe, expect, test } from "vitest";
import { environment, run } from "../binary/program.ts";
import { directory } from "../node/directory.ts";
import { isThere, serve } from "./machine.ts";

const { version } = JSON.parse(readFileSync("package.json", "utf8"));
const cwd = process.cwd();
const machine = { x64: "x64", arm64: "arm64" }[process.arch as string];
const isMissing = process.platform === "win32" || !isThere("curl");

describe.skipIf(isMissing)("the download of Node", () => {
  const name = `node-v24.0.0-${process.platform}-${machine}`;

  /** A distribution with a Node that says this version. */
  async function distribution(says = "v24.0.0") {
    const home = directory();
    mkdirSync(join(home, name, "bin"), { recursive: true });
    writeFileSync(join(home, name, "bin/node"), `#!/bin/sh\necho ${says}\n`, { mode: 0o755 });
    await create({ cwd: home, file: join(home, "made.tar.gz"), gzip: true }, [name]);
    const bytes = readFileSync(join(home, "made.tar.gz"));
    const sum = createHash("sha256").update(bytes).digest("hex");
    return new Map([
      [`${name}.tar.gz`, bytes],
      ["SHASUMS256.txt", Buffer.from(`00  node-v24.0.0.tar.gz\n${sum}  ${name}.tar.gz\n`)],
    ]);
  }

  async function download(files: Map<string, Buffer>) {
    const { url, asked } = await serve(files);
    const to = join(directory(), "node");
    return {
      ...(await run([".ci/node", "24.0.0", to], { env: { ...environment(), NODE_DIST_URL: url }, cwd })),
      to,
      asked,
    };
  }

  test("checks the sum, and prints the directory of its programs", async () => {
    const { code, out, to, asked } = await download(await distribution());
    expect({ code, out, asked }).toEqual({
      code: 0,
      out: `${to}/${name}/bin\n`,
      asked: ["/v24.0.0/SHASUMS256.txt", `/v24.0.0/${name}.tar.gz`],
    });
  });

  test.each([
    [
      "is cut",
      (files: Map<string, Buffer>) => files.set(`${name}.tar.gz`, Buffer.from("x")),
      /the sum of \S+ is wrong\n$/,
    ],
    [
      "has no sum",
      (files: Map<string, Buffer>) => files.set("SHASUMS256.txt", Buffer.from("")),
      /the sum of \S+ is wrong\n$/,
    ],
    ["is missing", (files: Map<string, Buffer>) => files.delete(`${name}.tar.gz`), /404/],
  ])("fails if the file %s", async (_, spoil, says) => {
    const files = await distribution();
    spoil(files);
    const { code, out, err } = await download(files);
    expect({ code: code === 0, out }).toEqual({ code: false, out: "" });
    expect(err).toMatch(says);
  });

  test("fails if the file has another version", async () => {
    expect(await download(await distribution("v22.0.0"))).toMatchObject({ code: 1, out: "" });
  });
});

const stable = [
  ...["linux-x64", "linux-arm64", "macos-arm64"].flatMap((each) => [
    `zulipctl-${each}.tar.xz`,
    `zulipctl-${each}.tar.gz`,
  ]),
  ...["zulipctl-windows-x64.zip", "zulipctl_amd64.deb", "zulipctl_arm64.deb"],
];

describe.skipIf(!isThere("sha512sum"))("the files of a release", () => {
  const made = [`zulipctl-${version}.tgz`, "zulipctl.cdx.json", ...stable];
  /** What the jobs have made. */
  function files(names: string[]): string {
    const home = directory();
    for (const name of names) writeFileSync(join(home, name.replace(/_(amd64|arm64)\./, `_${version}_$1.`)), name);
    return home;
  }

  test("have stable names and sums, and the notes of their version", async () => {
    const home = files(made);
    const { code, out, err } = await run([".ci/release", home], { env: environment(), cwd });
    expect({ code, err }).toEqual({ code: 0, err: "" });
    expect(out.trim().split("\n").sort()).toEqual([...made, "SHA512SUMS", "install.sh"].sort());
    expect(readdirSync(home).sort()).toEqual([...made, "SHA512SUMS", "install.sh", "notes.md"].sort());
    expect(readFileSync(join(home, "zulipctl_amd64.deb"), "utf8")).toBe("zulipctl_amd64.deb");
    expect(spawnSync("sha512sum", ["--check", "--quiet", "SHA512SUMS"], { cwd: home }).status).toBe(0);
    expect(readFileSync(join(home, "notes.md"), "utf8")).toContain("### Added");
  });

  test("are all there, or nothing is released", async () => {
    const home = files(made.filter((name) => name !== "zulipctl-linux-arm64.tar.gz"));
    const ended = await run([".ci/release", home], { env: environment(), cwd });
    expect(ended).toMatchObject({ code: 1, out: "", err: "missing: zulipctl-linux-arm64.tar.gz\n" });
  });
});

test.runIf(isThere("shellcheck"))("are scripts in which shellcheck finds nothing", async () => {
  expect(await run(["shellcheck", ".ci/node", ".ci/release"], { cwd })).toMatchObject({ code: 0, out: "" });
});

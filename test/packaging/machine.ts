/** Releases on a server on loopback, and machines on which `packaging/install.sh` runs. */
import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { accessSync, constants, existsSync, mkdirSync, readdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { delimiter, join } from "node:path";
import { create } from "tar";
import { expect, onTestFinished } from "vitest";
import { environment, run } from "../binary/program.ts";
import { directory } from "../node/directory.ts";

export const script = join(import.meta.dirname, "../../packaging/install.sh");
const platforms = ["linux-x64", "linux-arm64", "macos-arm64"];

/** A program that says its version. */
export const fake = (version: string) => `#!/bin/sh\n[ "$1" = --version ] && echo ${version}\n`;

const canRun = (path: string): boolean => {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
};

/** The path of a program of this machine, or an empty text. */
export const pathOf = (name: string): string => {
  const directories = (process.env.PATH ?? "").split(delimiter);
  return directories.map((directory) => join(directory, name)).find(canRun) ?? "";
};
export const isThere = (name: string): boolean => pathOf(name) !== "";

const releases = new Map<string, Promise<Map<string, Buffer>>>();

/** Returns the files of a release whose executable is this text. They are made once. */
export async function release(text = fake("1.2.3")): Promise<Map<string, Buffer>> {
  const made = releases.get(text) ?? makeRelease(text);
  releases.set(text, made);
  return new Map(await made);
}

async function makeRelease(text: string): Promise<Map<string, Buffer>> {
  const home = directory();
  writeFileSync(join(home, "zulipctl"), text, { mode: 0o755 });
  await create({ cwd: home, file: join(home, "made.tar") }, ["zulipctl"]);
  const files = new Map<string, Buffer>();
  const compressed = { gz: ["gzip", "-c"], ...(isThere("xz") && { xz: ["xz", "-c"] }) };
  for (const [ending, [program = "", ...argv]] of Object.entries(compressed)) {
    const { stdout } = spawnSync(program, [...argv, join(home, "made.tar")]);
    for (const platform of platforms) files.set(`zulipctl-${platform}.tar.${ending}`, stdout);
  }
  files.set("SHA512SUMS", sumsOf(files));
  return files;
}

export const sumsOf = (files: Map<string, Buffer>) => {
  const sumOf = ([name, bytes]: [string, Buffer]) => `${createHash("sha512").update(bytes).digest("hex")}  ${name}\n`;
  return Buffer.from(
    [...files]
      .filter(([name]) => name !== "SHA512SUMS")
      .map(sumOf)
      .join(""),
  );
};

/** Serves files. Returns the address, and the paths that were asked for. */
export async function serve(files: Map<string, Buffer>) {
  const asked: string[] = [];
  const server = createServer(({ url = "" }, response) => {
    asked.push(url);
    const found = files.get(url.split("/").at(-1)!);
    response.writeHead(found ? 200 : 404).end(found);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void server.close());
  return { asked, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` };
}

interface Machine {
  argv?: string[];
  shell?: string[];
  /** Programs that this machine has, besides the basic ones. */
  programs?: string[];
  /** What `uname` prints for `-s` and `-m`. */
  uname?: [string, string];
  env?: Record<string, string>;
  /** Shell that is a program, by name. */
  fakes?: Record<string, string>;
}

const basic = [
  "awk",
  "cat",
  "chmod",
  "cut",
  "grep",
  "gzip",
  "mkdir",
  "mktemp",
  "mv",
  "rm",
  "sh",
  "sha512sum",
  "tar",
  "uname",
];

/** Runs the script in a home of its own, on a machine with few programs. */
export async function install(
  url: string,
  { argv = [], shell = ["sh"], programs = ["curl", "xz"], uname, env, fakes = {} }: Machine = {},
) {
  const home = directory();
  const bin = join(home, "bin");
  mkdirSync(bin);
  mkdirSync(join(home, "tmp"));
  for (const name of [...basic, ...programs]) if (isThere(name)) symlinkSync(pathOf(name), join(bin, name));
  const all = { ...fakes, ...(uname && { uname: `[ "$1" = -s ] && echo ${uname[0]} || echo ${uname[1]}` }) };
  for (const [name, text] of Object.entries(all)) {
    rmSync(join(bin, name), { force: true });
    writeFileSync(join(bin, name), `#!/bin/sh\n${text}\n`, { mode: 0o755 });
  }
  const [name = "", ...words] = shell;
  const ended = await run([pathOf(name), ...words, script, ...argv.map((word) => word.replace("HOME", home))], {
    env: { ...environment(home), PATH: bin, TMPDIR: join(home, "tmp"), ZULIPCTL_DOWNLOAD_URL: url, ...env },
    cwd: home,
  });
  expect(readdirSync(join(home, "tmp"))).toEqual([]);
  const files = (at: string) => (existsSync(join(home, at)) ? readdirSync(join(home, at)) : []);
  return { ...ended, home, files };
}

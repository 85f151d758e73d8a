// Makes the executable: a copy of Node with the files of the package as assets, and src/node/loader/executable.cjs as its main script.
import { execFileSync } from "node:child_process";
import {
  chmodSync,
  copyFileSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { crc32 } from "node:zlib";
import { withDirectory } from "../bundled.mjs";
import { cannot } from "./one-line.mjs";

const require = createRequire(import.meta.url);
const postject = require.resolve("postject/dist/cli.js");
const { platform, arch } = process;

/** Node finds the blob where this text ends with 1 instead of 0. */
const fuse = "NODE_SEA_FUSE_fce680ab2cc467b6e072b8b5df1996b2";

export const executable = join("single", platform === "win32" ? "zulipctl.exe" : "zulipctl");

/** The library of the keychain for this platform. */
export function keychainLibrary() {
  const system = { linux: "-gnu", win32: "-msvc" }[platform] ?? "";
  try {
    return require.resolve(`@napi-rs/keyring-${platform}-${arch}${system}`);
  } catch {
    return cannot(`the keychain's package for ${platform}-${arch} is not installed: run "npm ci"`);
  }
}

/** The files that are inside, by their names. */
function assets() {
  const dist = readdirSync("dist", { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name !== "parts.json")
    .map(({ parentPath, name }) => join(parentPath, name).replaceAll("\\", "/"));
  const own = Object.fromEntries(
    ["package.json", ...["zulipctl", "node-version"].map((name) => `bin/${name}.js`), ...dist.sort()].map((name) => [
      name,
      name,
    ]),
  );
  return { ...own, "keyring.node": keychainLibrary() };
}

/** Returns the path of the executable. */
export async function makeExecutable() {
  const node = readFileSync(process.execPath);
  if (!node.includes(`${fuse}:0`)) cannot(`${process.execPath} is built without single executable applications`);
  const inside = assets();
  return withDirectory(async (directory) => {
    const config = join(directory, "config.json");
    const blob = join(directory, "blob");
    const sums = join(directory, "sums.json");
    const sumOf = ([name, path]) => [name, crc32(readFileSync(path))];
    writeFileSync(sums, JSON.stringify(Object.fromEntries(Object.entries(inside).map(sumOf))));
    const settings = {
      main: "src/node/loader/executable.cjs",
      output: blob,
      assets: { ...inside, "sums.json": sums },
      disableExperimentalSEAWarning: true,
      // NODE_OPTIONS does not reach the program.
      execArgvExtension: "none",
    };
    writeFileSync(config, JSON.stringify(settings));
    run(process.execPath, ["--experimental-sea-config", config]);
    mkdirSync("single", { recursive: true });
    // A program that runs cannot be written, but replaced.
    const made = join("single", `.${process.pid}`);
    try {
      copyFileSync(process.execPath, made);
      chmodSync(made, 0o755);
      // After the injection it would destroy the executable.
      if (platform === "linux") run("strip", [made]);
      if (platform === "darwin") run("codesign", ["--remove-signature", made]);
      const segment = platform === "darwin" ? ["--macho-segment-name", "NODE_SEA"] : [];
      run(process.execPath, [postject, made, "NODE_SEA_BLOB", blob, "--sentinel-fuse", fuse, ...segment]);
      if (platform === "darwin") run("codesign", ["--sign", "-", made]);
      renameSync(made, executable);
    } finally {
      rmSync(made, { force: true });
    }
    if (platform === "win32") copyFileSync(keychainLibrary(), join("single", "zulipctl-keyring.node"));
    return executable;
  });
}

/** Runs a program whose output matters only if it fails. */
function run(program, argv) {
  try {
    execFileSync(program, argv, { stdio: ["ignore", "ignore", "pipe"], encoding: "utf8" });
  } catch ({ code, stderr }) {
    cannot(`${program}: ${code === "ENOENT" ? "this program is missing" : stderr.trim().split("\n")[0]}`);
  }
}

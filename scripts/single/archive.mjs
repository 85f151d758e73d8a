// The files of a release that `packaging/install.sh` downloads.
import { execFileSync } from "node:child_process";
import {
  chmodSync,
  copyFileSync,
  createReadStream,
  createWriteStream,
  mkdirSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { basename, join, resolve } from "node:path";
import { pipeline } from "node:stream/promises";
import { createGzip } from "node:zlib";
import { create } from "tar";
import { withDirectory } from "../bundled.mjs";
import { executable } from "./executable.mjs";
import { thirdPartyNotices } from "./licenses.mjs";
import { cannot } from "./one-line.mjs";

/** The names of platforms in the names of files. */
const platform = { darwin: "macos", win32: "windows" }[process.platform] ?? process.platform;

const name = `zulipctl-${platform}-${process.arch}`;

/** Returns the paths of the archives. */
export async function archive({ fast }) {
  return withDirectory(async (directory) => {
    copyFileSync(executable, join(directory, basename(executable)));
    chmodSync(join(directory, basename(executable)), 0o755);
    copyFileSync("LICENSE", join(directory, "LICENSE"));
    writeFileSync(join(directory, "THIRD-PARTY-NOTICES"), thirdPartyNotices());
    const files = [basename(executable), "LICENSE", "THIRD-PARTY-NOTICES"];
    mkdirSync("single", { recursive: true });
    if (process.platform === "win32") {
      const library = "zulipctl-keyring.node";
      copyFileSync(join("single", library), join(directory, library));
      return [zip(directory, [...files, library])];
    }
    const mtime = new Date(Number(process.env.SOURCE_DATE_EPOCH ?? 0) * 1000);
    const tar = join("single", `${name}.tar`);
    await create({ cwd: directory, file: tar, portable: true, mtime }, files);
    await pipeline(createReadStream(tar), createGzip({ level: fast ? 1 : 9 }), createWriteStream(`${tar}.gz`));
    rmSync(`${tar}.xz`, { force: true });
    try {
      execFileSync("xz", [fast ? "-0" : "-6", "--threads=2", tar], { stdio: ["ignore", "ignore", "inherit"] });
    } catch ({ code }) {
      cannot(code === "ENOENT" ? "xz: this program is missing" : "xz failed");
    } finally {
      rmSync(tar, { force: true });
    }
    return [`${tar}.xz`, `${tar}.gz`];
  });
}

/** The tar of Windows writes zip files. Git's tar, which may come first on the path, does not. */
function zip(directory, files) {
  const path = resolve("single", `${name}.zip`);
  execFileSync(join(process.env.SystemRoot, "System32", "tar.exe"), ["-a", "-c", "-f", path, ...files], {
    cwd: directory,
  });
  return path;
}

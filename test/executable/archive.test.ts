/** The archive of a release, and its installation with `packaging/install.sh`. */
import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { environment, run } from "../binary/program.ts";
import { install, isThere, serve } from "../packaging/machine.ts";

const { version } = JSON.parse(readFileSync("package.json", "utf8"));
const isMissing = !isThere("xz") || process.platform === "win32";

test.skipIf(isMissing)(
  `has the executable and the licenses, and is installed${isMissing ? " (NOT TESTED: needs xz)" : ""}`,
  async () => {
    const made = await run([process.execPath, "scripts/archive.mjs", "--fast"], {
      env: environment(),
      cwd: process.cwd(),
    });
    expect(made).toMatchObject({ code: 0, err: "" });
    const paths = made.out.trim().split("\n");
    const platform = `${process.platform === "darwin" ? "macos" : process.platform}-${process.arch}`;
    expect(paths).toEqual([`single/zulipctl-${platform}.tar.xz`, `single/zulipctl-${platform}.tar.gz`]);
    const files = new Map(paths.map((path) => [path.split("/").at(-1)!, readFileSync(path)]));
    const sums = [...files].map(([name, bytes]) => `${createHash("sha512").update(bytes).digest("hex")}  ${name}\n`);
    files.set("SHA512SUMS", Buffer.from(sums.join("")));
    for (const path of paths) {
      const { out } = await run(["tar", "-tvf", path], { cwd: process.cwd() });
      const entries = out
        .trim()
        .split("\n")
        .map((line) => [line.slice(0, 10), line.split(" ").at(-1)]);
      expect(entries).toEqual([
        ["-rwxr-xr-x", "zulipctl"],
        ["-rw-r--r--", "LICENSE"],
        ["-rw-r--r--", "THIRD-PARTY-NOTICES"],
      ]);
    }
    const { url } = await serve(files);
    const { code, out, home } = await install(url, { argv: [version] });
    expect({ code, first: out.split("\n")[0] }).toEqual({
      code: 0,
      first: `Installed zulipctl ${version}: ${home}/.local/bin/zulipctl`,
    });
    expect(readdirSync(`${home}/.local/bin`)).toEqual(["zulipctl"]);
  },
  240_000,
);

// The Debian package of the executable.
import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import {
  chmodSync,
  copyFileSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { gzipSync } from "node:zlib";
import { withDirectory } from "../bundled.mjs";
import { debianChangelog, debianVersion } from "./changelog.mjs";
import { executable, keychainLibrary } from "./executable.mjs";
import { thirdPartyNotices } from "./licenses.mjs";
import { cannot } from "./one-line.mjs";

const manifest = JSON.parse(readFileSync("package.json", "utf8"));
const architecture = { x64: "amd64", arm64: "arm64" }[process.arch];
export const maintainer = "zulipctl developers <zulipctl@users.noreply.github.com>";

/** What ldd names, in its packages. The versions are those that Node's own builds require. */
const depends = "libc6 (>= 2.28), libgcc-s1, libstdc++6 (>= 5.2)";

const copyright = () => `Format: https://www.debian.org/doc/packaging-manuals/copyright-format/1.0/
Upstream-Name: zulipctl
Source: ${manifest.homepage}

Files: *
Copyright: zulipctl developers
License: Apache-2.0
 On Debian systems, the text of the license is in /usr/share/common-licenses/Apache-2.0.

Files: usr/lib/zulipctl/*
Copyright: the authors of Node and of the libraries in the executable
License: notices-of-node-and-libraries
${thirdPartyNotices()
  .trimEnd()
  .split("\n")
  .map((line) => (line.trim() ? ` ${line.trimEnd()}` : " ."))
  .join("\n")}
`;

const control = (kibibytes) => `Package: zulipctl
Version: ${debianVersion(manifest.version)}
Architecture: ${architecture}
Maintainer: ${maintainer}
Installed-Size: ${kibibytes}
Depends: ${depends}
Section: net
Priority: optional
Homepage: ${manifest.homepage.replace(/#.*/, "")}
Description: administer a Zulip organization from a terminal
 zulipctl manages people, channels, groups, linkifiers, uploads, exports and
 settings of a Zulip organization from a terminal, a script, cron or CI. It
 never sends a change twice, and its exit code says what is known.
`;

/** Returns the path of the package. */
export async function makePackage({ compression }) {
  if (!architecture || process.platform !== "linux") cannot("a Debian package needs Linux on x64 or arm64");
  const time = Number(process.env.SOURCE_DATE_EPOCH ?? Math.floor(Date.now() / 1000));
  return withDirectory(async (root) => {
    chmodSync(root, 0o755);
    /** Prepares the place of a file. */
    const place = (path) => {
      mkdirSync(dirname(join(root, path)), { recursive: true, mode: 0o755 });
      return join(root, path);
    };
    const copy = (from, to, mode = 0o644) => {
      copyFileSync(from, place(to));
      chmodSync(join(root, to), mode);
    };
    const write = (to, content) => writeFileSync(place(to), content, { mode: 0o644 });
    const compress = (to, content) => write(`${to}.gz`, gzipSync(content, { level: 9 }));
    copy(executable, "usr/lib/zulipctl/zulipctl", 0o755);
    copy(keychainLibrary(), "usr/lib/zulipctl/zulipctl-keyring.node");
    symlinkSync("../lib/zulipctl/zulipctl", place("usr/bin/zulipctl"));
    for (const page of readdirSync("man")) compress(`usr/share/man/man1/${page}`, readFileSync(join("man", page)));
    copy("completions/zulipctl.bash", "usr/share/bash-completion/completions/zulipctl");
    copy("completions/_zulipctl", "usr/share/zsh/vendor-completions/_zulipctl");
    copy("completions/zulipctl.fish", "usr/share/fish/vendor_completions.d/zulipctl.fish");
    write("usr/share/doc/zulipctl/copyright", copyright());
    compress(
      "usr/share/doc/zulipctl/changelog",
      debianChangelog(readFileSync("CHANGELOG.md", "utf8"), maintainer, time),
    );
    const files = readdirSync(root, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name).slice(root.length + 1))
      .sort();
    const sum = (path) =>
      createHash("md5")
        .update(readFileSync(join(root, path)))
        .digest("hex");
    write("DEBIAN/md5sums", files.map((path) => `${sum(path)}  ${path}\n`).join(""));
    const kibibytes = files.reduce((all, path) => all + Math.ceil(statSync(join(root, path)).size / 1024), 0);
    write("DEBIAN/control", control(kibibytes));
    const made = join("single", `zulipctl_${debianVersion(manifest.version)}_${architecture}.deb`);
    try {
      execFileSync("dpkg-deb", ["--root-owner-group", `-Z${compression}`, "--build", root, made], {
        env: { ...process.env, SOURCE_DATE_EPOCH: String(time) },
        stdio: ["ignore", "ignore", "pipe"],
        encoding: "utf8",
      });
    } catch ({ code, stderr }) {
      cannot(`dpkg-deb: ${code === "ENOENT" ? "this program is missing" : stderr.trim().split("\n")[0]}`);
    }
    return made;
  });
}

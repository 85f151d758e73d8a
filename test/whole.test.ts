/** Rules for the whole project: rooms, operations, pages, packages. */
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, test } from "vitest";
import { operationNamed, operations } from "../src/api/registry.ts";
import { files as fileOperations, routes } from "../src/sandbox/index.ts";
import type { AnyOperation } from "../src/wire/operation.ts";
import type { Params } from "../src/wire/params.ts";
import { anchors, pages } from "./pages.ts";
import { everyCommand } from "./tree.ts";

const files = execFileSync("git", ["ls-files", "--cached", "--others", "--exclude-standard"], { encoding: "utf8" })
  .split("\n")
  .filter(Boolean);
const under = (...directories: string[]) => files.filter((path) => directories.some((one) => path.startsWith(one)));
const text = (path: string): string => readFileSync(path, "utf8");
const readme = text("README.md");

const importsOf = new Map<string, string[]>();
/** Returns the modules of this project that a file imports, without those imported as text. */
function imports(path: string): string[] {
  const before = importsOf.get(path);
  if (before) return before;
  const named = text(path).matchAll(/(?:from|import)[\s(]+"(\.{1,2}\/[^"?]+)"/g);
  const paths = [...named].map(([, to]) => join(dirname(path), to!));
  importsOf.set(path, paths);
  return paths;
}

const sources = under("src/").filter((path) => path.endsWith(".ts") && !path.endsWith(".d.ts"));

describe("sources", () => {
  test("are all used by the program", () => {
    const found = new Set<string>();
    const follow = (path: string) => {
      if (found.has(path)) return;
      found.add(path);
      for (const next of imports(path)) follow(next);
    };
    for (const [entry] of text("scripts/build.mjs").matchAll(/src\/[\w/]+\.ts/g)) follow(entry);
    expect(sources.filter((path) => !found.has(path))).toEqual([]);
  });

  const room = (path: string) => path.split("/")[1]!;
  const rooms = new Map<string, Set<string>>();
  for (const path of sources)
    for (const to of imports(path))
      if (room(to) !== room(path)) rooms.set(room(path), (rooms.get(room(path)) ?? new Set()).add(room(to)));

  test("are in rooms without import cycles", () => {
    const reach = (from: string, met = new Set<string>()): Set<string> => {
      for (const to of rooms.get(from) ?? [])
        if (!met.has(to)) {
          met.add(to);
          reach(to, met);
        }
      return met;
    };
    expect([...rooms.keys()].filter((one) => reach(one).has(one))).toEqual([]);
  });

  test("do not import each other in circles, for types neither", () => {
    const reach = (from: string, met = new Set<string>()): Set<string> => {
      for (const to of imports(from))
        if (!met.has(to)) {
          met.add(to);
          reach(to, met);
        }
      return met;
    };
    expect(sources.filter((path) => reach(path).has(path))).toEqual([]);
  });

  /** Names of two things: of a parameter of commands, and of one of operations. No file needs both. */
  const words = {
    text: ["src/cli/value-parameters.ts", "src/wire/params.ts"],
    number: ["src/cli/value-parameters.ts", "src/wire/types.ts"],
    path: ["src/cli/value-parameters.ts", "src/wire/params.ts"],
  };

  test("export each thing under a name of its own", () => {
    const places = new Map<string, string[]>();
    for (const path of sources)
      for (const [, name] of text(path).matchAll(
        /^export (?:declare )?(?:type|interface|(?:abstract )?class|const|let|(?:async )?function\*?) (\w+)/gm,
      ))
        if (!places.get(name!)?.includes(path)) places.set(name!, [...(places.get(name!) ?? []), path]);
    expect(Object.fromEntries([...places].filter(([, paths]) => paths.length > 1))).toEqual(words);
  });

  test("use Node and the sandbox only at the edges", () => {
    const inside = [...rooms].filter(([one]) => one !== "node" && one !== "sandbox");
    expect(inside.filter(([, to]) => to.has("node") || to.has("sandbox")).map(([one]) => one)).toEqual([]);
  });

  test("have at most 300 lines each", () => {
    const lines = (path: string) => text(path).split("\n").length - 1;
    expect(sources.filter((path) => lines(path) > 300).map((path) => `${path}: ${lines(path)} lines`)).toEqual([]);
  });
});

const byName = (a: AnyOperation, b: AnyOperation) => (a.name < b.name ? -1 : 1);

describe("operations", async () => {
  const modules = sources
    .filter((path) => path.startsWith("src/api/") && path !== "src/api/all.ts")
    .map((path) => import(join("..", path)) as Promise<Record<string, unknown>>);
  const isOperation = (value: unknown): value is AnyOperation =>
    typeof value === "object" && value !== null && "method" in value && "path" in value && "params" in value;
  const all = (await Promise.all(modules)).flatMap((module) =>
    Object.entries(module).filter((entry): entry is [string, AnyOperation] => isOperation(entry[1])),
  );
  test("name the kind of thing behind each id parameter", () => {
    const kinds: [RegExp, string][] = [
      [/^stream_ids?$/, "channel"],
      [/^(channel_)?folder_id$/, "folder"],
      [/^(user_group_id|group_ids|subgroups|(add|delete)_subgroups)$/, "group"],
      [/^(user_ids?|members|subscribers)$/, "user"],
      [/^can_\w+_group$/, "who"],
      [/^drafts?$/, "draft"],
    ];
    const missing = all.flatMap(([, { name, params }]) =>
      Object.entries(params as Params).flatMap(([param, { of }]) => {
        const kind = kinds.find(([pattern]) => pattern.test(param))?.[1];
        return kind === undefined || of === kind ? [] : `${name} ${param}`;
      }),
    );
    expect(missing).toEqual([]);
  });

  test("have unique names in a registry", () => {
    expect(operations().toSorted(byName)).toEqual([...new Set(all.map(([, operation]) => operation))].toSorted(byName));
    expect(operations().filter((operation) => operationNamed(operation.name) !== operation)).toEqual([]);
  });

  const outside = sources.filter((path) => !path.startsWith("src/sandbox/") && !path.startsWith("src/api/"));
  const imported = outside.flatMap((path) => [...text(path).matchAll(/^import \{([^}]*)\} from ".*\/api\//gm)]);
  const called = new Set(imported.flatMap(([, names = ""]) => names.split(/[\s,]+/)));
  /** Operations that others of the API read or compose. */
  const related = sources
    .filter((path) => path.startsWith("src/api/"))
    .map((path) => text(path).replaceAll(/^export const \w+/gm, ""))
    .join("\n");
  // No command makes these calls. The sandbox answers them so that scripts can be tested on it.
  const forScripts = new Set(
    `channel.default.add channel.default.rm channel.subscriptions messages.history messages.readers
     messages.render messages.flags messages.flags.narrow messages.read channel.read
     channel.topics.read group.subgroups group.member users.get-by-email users.update-by-email
     users.subscribed users.me.deactivate bots.list bots.key presence.set presence.list
     presence.get status.set status.get attachment.url scheduled.list scheduled.add scheduled.edit
     scheduled.rm`.split(/\s+/),
  );
  const literal = under("test/")
    .filter((path) => path.endsWith(".ts") || path === "test/wire/operations.txt")
    .map(text)
    .join("\n");

  test.each(all)("%s has a command, a sandbox handler and a literal wire test", (name, operation) => {
    const isServed =
      routes.some((route) => route.operation === operation) || fileOperations.some((file) => file === operation);
    const isCalled = called.has(name);
    const isNeeded = isCalled || new RegExp(`\\b${name}\\b`).test(related);
    const isUsed = forScripts.has(operation.name) ? !isCalled : isNeeded;
    const path = operation.path.split(/\{\w+\}/).map((part: string) => part.replace(/[/.]/g, "\\$&"));
    const part = operation.answer === "bytes" ? "\\S+" : "[^/\\s]+";
    const isTested = new RegExp(`${operation.method}[^\\n]{0,40}${path.join(part)}(?![\\w/])`).test(literal);
    expect({ served: isServed, used: isUsed, asked: isTested }).toEqual({ served: true, used: true, asked: true });
  });
});

/** Visible commands by name. */
const commands = everyCommand();

describe("the README", () => {
  test("has the two commands to try and to test that CI looks for", () => {
    expect(readme).toMatch(/^ {4}npm ci && npm run demo( .*)?$/m);
    expect(readme).toMatch(/^ {4}npm ci && npm test( .*)?$/m);
  });

  test("links to every page", () => {
    expect(pages.filter((path) => path !== "README.md" && !readme.includes(`](${path})`))).toEqual([]);
  });
});

test("property tests use the shared seed", () => {
  const direct = under("test/").filter((path) => /^import .* from "fast-check"/m.test(text(path)));
  expect(direct).toEqual(["test/property.ts"]);
});

describe.each([...pages, "CHANGELOG.md"])("%s", (path) => {
  const pageText = text(path);
  const code = [
    ...[...pageText.matchAll(/^```[\s\S]*?^```$/gm)].map(([block]) => block),
    ...[...pageText.matchAll(/(?<!`)`([^`\n]+)`(?!`)/g)].map(([, words]) => words!),
    ...[...pageText.matchAll(/^ {4}.*$/gm)].map(([line]) => line),
  ];

  test("names only existing commands", () => {
    const isCommand = (words: string) => words === "help" || commands.has(words);
    const nouns = [...commands.keys()].map((name) => name.split(" ")).flatMap(([noun, verb]) => (verb ? [noun!] : []));
    const commandsOnPage = code.flatMap((words) => [
      ...words.matchAll(/(?<![\w/.-])zulipctl ([a-z][a-z-]*)(?: ([a-z][a-z-]*))?/g),
      // Running text leaves out the name of the program.
      ...words.matchAll(new RegExp(`^(${[...new Set(nouns)].join("|")}) ([a-z][a-z-]*)`, "g")),
    ]);
    if (path === "README.md") expect(commandsOnPage.length).toBeGreaterThan(10);
    const unknown = commandsOnPage.filter(([, noun, verb]) => !isCommand(noun!) && !isCommand(`${noun} ${verb}`));
    expect(unknown.map(([line]) => line)).toEqual([]);
  });

  test("names only existing flags", () => {
    const flags = new Set([...commands.values()].flatMap(({ options }) => options.map(({ long }) => long)));
    const global = text("src/argv/global-flags.ts") + text("src/cli/program.ts");
    // Flags of npm and docker, which install zulipctl.
    const foreignFlags = ["--ignore-missing", "--verify", "--global", "--tag", "--rm", "--init", "--silent"];
    const named = new Set([...pageText.matchAll(/(?<![\w-])--[a-z][a-z-]*[a-z](?![-\w])/g)].map(([flag]) => flag));
    const unknown = [...named].filter(
      (flag) => !flags.has(flag) && !foreignFlags.includes(flag) && !global.includes(flag),
    );
    expect(unknown).toEqual([]);
  });
});

const prose = [...pages, ...files.filter((path) => /^[A-Z]+\.md$/.test(path) && !pages.includes(path))];

test.each(prose)("%s has no broken link", (path) => {
  const links = [...text(path).matchAll(/\]\(([^)\s]+)\)/g)].map(([, to]) => to!);
  const broken = links.filter((to) => {
    if (to.startsWith("https://")) return false;
    const [file = "", anchor] = to.split("#");
    const target = file ? join(dirname(path), file) : path;
    return !files.includes(target) || (anchor !== undefined && !anchors(text(target)).includes(anchor));
  });
  expect(broken).toEqual([]);
});

test.each(["ARCHITECTURE.md", "CONTRIBUTING.md"])("%s names existing files", (path) => {
  const rooms = "src|test|scripts|bench|bin|docs|completions|man|\\.ci";
  const namedPaths = [...text(path).matchAll(new RegExp(`\`((?:${rooms})(?:/[^\`\\s]*)?)\``, "g"))].map(
    ([, file]) => file!,
  );
  expect(namedPaths.length).toBeGreaterThan(10);
  const isThere = (file: string) => {
    const pattern = new RegExp(`^${file.replaceAll(".", "\\.").replaceAll("*", "[^/]*")}(/|$)`);
    return files.some((each) => pattern.test(each));
  };
  expect(namedPaths.filter((file) => !isThere(file))).toEqual([]);
  // Tables leave out the room: `compare.ts`, `sections/section.ts`.
  const ends = [...text(path).matchAll(/`([\w./-]+\.(?:c|m)?[jt]s)`/g)].map(([, file]) => file!);
  expect(ends.filter((file) => !files.some((each) => `/${each}`.endsWith(`/${file}`)))).toEqual([]);
});

test("code names existing files of the program and of its tests", () => {
  // Made while a test runs: test/kinds/additions.ts.
  const made = /\/stickers?\.ts$/;
  const named = files.flatMap((path) =>
    /^(src|test|scripts|bench)\/.*ts$/.test(path)
      ? (text(path).match(/(?<![\w./}-])(src|test|scripts|bench)\/[\w./-]+\.(ts|mjs)\b/g) ?? [])
      : [],
  );
  expect(named.length).toBeGreaterThan(10);
  expect(named.filter((file) => !files.includes(file) && !made.test(file))).toEqual([]);
});

describe("package-lock.json", () => {
  const lock = JSON.parse(text("package-lock.json")) as { packages: Record<string, Record<string, unknown>> };

  test("has checksums and no addresses", () => {
    const packages = Object.entries(lock.packages).filter(([path]) => path);
    expect(packages.filter(([, { resolved }]) => resolved !== undefined).map(([path]) => path)).toEqual([]);
    expect(packages.filter(([, { integrity }]) => !integrity).map(([path]) => path)).toEqual([]);
  });

  test("has one package with an install script", () => {
    expect(Object.entries(lock.packages).filter(([, { hasInstallScript }]) => hasInstallScript)).toEqual([
      ["node_modules/esbuild", expect.anything()],
    ]);
  });
});

test("files name only hosts of examples, of this machine, and of public documentation", () => {
  const allowedHosts =
    /(^|\.)(example|test|invalid|localhost)$|(^|\.)example\.(com|org|net)$|^(127\.0\.0\.1|\[::1\]|x|host)$|(^|\.)(zulip\.com|nodejs\.org|gravatar\.com|github\.com|twitter\.com|npmjs\.com|jqlang\.org|w3\.org|rfc-editor\.org|json-schema\.org|debian\.org|apache\.org|readthedocs\.io)$/;
  const found = files
    .filter(
      (path) =>
        !path.startsWith("test/") &&
        path !== "package-lock.json" &&
        // The addresses that servers know.
        path !== "src/sandbox/external-accounts.ts" &&
        /\.(ts|mjs|cjs|js|md|json|sh|bash|fish)$|run$/.test(path),
    )
    .flatMap((path) =>
      [...text(path).matchAll(/https?:\/\/(\[[^\]]+\]|[\w.-]+)/g)].map(([, host]) => ({
        path,
        host: host!.toLowerCase(),
      })),
    );
  expect(found.filter(({ host }) => !allowedHosts.test(host))).toEqual([]);
});

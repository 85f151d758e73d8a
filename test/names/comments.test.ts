/** Names in backticks, in comments and on the pages for developers, are names of something. */
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { expect, test } from "vitest";

const listed = (...paths: string[]): string[] =>
  execFileSync("git", ["ls-files", "--cached", "--others", "--exclude-standard", ...paths], { encoding: "utf8" })
    .split("\n")
    .filter(Boolean);

/** A comment of its own, or at the end of a line. */
const comment = /^[ \t]*(?:\/\*[\s\S]*?\*\/|\/\/.*)|[ \t]\/\/ .*$/gm;

const texts = new Map(
  listed("src", "test", "scripts", "bench")
    .filter((path) => /\.(ts|mts|mjs|cjs)$/.test(path))
    .map((path) => [path, readFileSync(path, "utf8")]),
);
const wordsOf = (text: string): string[] => text.match(/[A-Za-z_$][\w$]*/g) ?? [];
const code = new Map([...texts].map(([path, text]) => [path, new Set(wordsOf(text.replace(comment, "")))]));

const exported = new Set(
  [...texts.values()].flatMap((text) =>
    [...text.matchAll(/^export (?:async |abstract )*(?:const|function\*?|class|interface|type) (\w+)/gm)].map(
      ([, name]) => name!,
    ),
  ),
);
const wire = new Set(
  [...code].flatMap(([path, words]) =>
    /^src\/(api|model|wire|sandbox|organization\/sections)\//.test(path) ? [...words] : [],
  ),
);

/** Names outside the program: commands, functions of libraries, examples of values. */
const foreign = new Set(
  `acme awk bob bot_token cut debug Deactivate devs diff doctor ENOENT grep new_users problems recursive ROLE RUN1 RUN2 tour UPPER __complete`.split(
    " ",
  ),
);

/** Returns `thing` and `member` of `thing.member(…)`. Undefined for other texts, such as a command, a file or a value. */
const namesIn = (quoted: string): string[] =>
  /^[A-Za-z_$][\w$]*(?:\.[A-Za-z_$][\w$]*)*(?:\(.*\))?$/.test(quoted) &&
  !/\.(ts|cjs|mjs|json|ndjson|csv|md)$/.test(quoted)
    ? wordsOf(quoted.replace(/\(.*/, ""))
    : [];

const quotedIn = (text: string): string[] =>
  [...text.matchAll(/`([^`\n]+)`/g)].flatMap(([, quoted]) => namesIn(quoted!));

test("comments name only what exists", () => {
  const unknown = [...texts].flatMap(([path, text]) =>
    [...text.matchAll(comment)]
      .flatMap(([words]) => quotedIn(words))
      .filter((name) => !code.get(path)!.has(name) && !exported.has(name) && !wire.has(name) && !foreign.has(name))
      .map((name) => `${path}: ${name}`),
  );
  expect(unknown).toEqual([]);
});

test.each(["ARCHITECTURE.md", "CONTRIBUTING.md"])("%s names only what exists", (path) => {
  const all = new Set([...code.values()].flatMap((words) => [...words]));
  const page = readFileSync(path, "utf8");
  const called = [...page.matchAll(/^ +```ts\n([\s\S]*?)```/gm)].flatMap(([, lines]) =>
    [...lines!.replace(/\/\/.*|"[^"]*"/g, "").matchAll(/\b(\w+)\(/g)].map(([, name]) => name!),
  );
  expect([...quotedIn(page), ...called].filter((name) => !all.has(name) && !foreign.has(name))).toEqual([]);
});

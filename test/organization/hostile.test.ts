/** Hostile and damaged files. Each is reported quickly, with a place. */
import { expect, test } from "vitest";
import { bytesOf, documentOf, problemsIn, problemsOf } from "./documents.ts";

const MiB = 1024 * 1024;
const most = 16 * MiB;

/** Repeats a text up to a size. */
const fill = (text: string, bytes = most - 100): string => text.repeat(Math.floor(bytes / text.length));

const bomb = Array.from({ length: 40 }, (_, n) =>
  n ? `k${n}: &k${n} [*k${n - 1}, *k${n - 1}]\n` : "k0: &k0 [x]\n",
).join("");

test.each<[string, () => string | Uint8Array, string]>([
  ["a NUL", () => "groups:\n  - name: a\0b\n", "2:12: control character: the file is not text"],
  ["a NUL that is written", () => 'groups:\n  - name: "a\\0b"\n', "2:11: invalid character in this text"],
  [
    "half a character that is written",
    () => 'folders: [{ name: "\\ud83d" }]\n',
    "1:19: invalid character in this text",
  ],
  ["UTF-16", () => new Uint8Array([0xff, 0xfe, 0x61, 0, 0x3a, 0]), "1:1: the file is UTF-16 text, not UTF-8"],
  ["Latin-1", () => new Uint8Array([...bytesOf("a: é\nb: "), 0xe9, 0x0a]), "2:4: the file is not UTF-8"],
  ["a control character", () => "groups:\n  - name: a\u0007b\n", "2:12: control character: the file is not text"],
  ["deep lists", () => fill("[", 20_000), "1:1: nested deeper than 50 levels"],
  ["deep blocks", () => fill("- ", 20_000), "1:1: nested deeper than 50 levels"],
  ["a bomb", () => `${bomb}groups: *k39\n`, "1:1: too many aliases"],
  ["an alias in itself", () => "groups: &a\n  - *a\n", "2:5: unknown anchor &a; if it is text, put it in quotes"],
  ["an alias of nothing", () => "groups: *a\n", "1:9: unknown anchor &a; if it is text, put it in quotes"],
  [
    "a merge key",
    () => "groups:\n  - &x { name: a }\n  - <<: *x\n",
    '3:5: unknown key "<<": YAML 1.2 has no merge keys',
  ],
  [
    "__proto__ in an entry",
    () => '{"groups":[{"name":"a","__proto__":{"name":"b"}}]}',
    '1:24: invalid key "__proto__"',
  ],
  [
    "a key twice",
    () => "groups:\n  - name: a\n    name: b\n",
    '3:5: "name" appears twice; first in a.yaml, line 2, column 5',
  ],
  [
    "a backslash in double quotes",
    () => 'linkifiers:\n  - pattern: "(?P<id>\\d+)"\n',
    "2:22: Invalid escape sequence \\d; use single quotes",
  ],
  [
    "a list file without quotes",
    () => "groups: [{ name: a, members: [@all.txt] }]\n",
    "1:31: Plain value cannot start with reserved character @; put the text in quotes",
  ],
  [
    "a colon without quotes",
    () => "channels:\n  - name: a\n    description: b: c\n",
    "3:18: Nested mappings are not allowed in compact mappings; a text with a colon needs quotes",
  ],
  [
    "bold text without quotes",
    () => "channels:\n  - name: a\n    description: **b**\n",
    "3:18: unknown anchor &*b**; if it is text, put it in quotes",
  ],
  [
    "text after brackets",
    () => "channels:\n  - name: a\n    description: [b] c\n",
    "3:22: Unexpected scalar at node end; if it is text, put it in quotes",
  ],
  [
    "a word of another program",
    () => "channels:\n  - name: a\n    private: true\n",
    '3:5: unknown key "private"; did you mean "is_private"?',
  ],
  [
    "the name of a person",
    () => "people: [{ email: a@b.c, name: Ada }]\n",
    '1:26: unknown key "name"; did you mean "full_name"?',
  ],
  ["a section of another program", () => "streams: []\n", '1:1: unknown key "streams"; did you mean "channels"?'],
  ["a name of digits", () => "channels: [{ name: 2026 }]\n", "1:20: name: must be text; put it in quotes"],
  ["a tag", () => "groups: !!set { a }\n", "1:15: unsupported tag !!set; if it is text, put it in quotes"],
  ["two documents", () => "groups: []\n---\nfolders: []\n", "2:1: second YAML document: put it in a file of its own"],
  ["a directive", () => "%YAML 1.1\n---\ngroups: []\n", "1:1: unsupported directive: only %YAML 1.2 is allowed"],
  [
    "a number beyond 2^53",
    () => "settings: { waiting_period_threshold: 9007199254740993 }\n",
    "1:39: waiting_period_threshold: must be a whole number below 2^53",
  ],
  ["a list", () => "- groups\n", "1:1: must be a mapping with organization, complete or settings"],
  ["keys to no end", () => fill("k: 1\n", 5 * MiB), "1:1: the file is too large"],
  ["one more byte than there may be", () => `#${" ".repeat(most)}`, "1:1: more than 16 MiB with this file"],
])("%s", async (_, make, problem) => {
  const file = make();
  const [first] = await problemsOf(file);
  expect(first).toBe(`a.yaml:${problem}`);
});

test("ignores a byte order mark and the line ends of other systems", async () => {
  const text = "\uFEFFgroups:\r\n  - name: a\r\n    description: |\r\n      b\r\n      c\r\n    nam: x\r\n";
  expect(await problemsOf(text)).toEqual(['a.yaml:6:5: unknown key "nam"; did you mean "name"?']);
  const { value } = await documentOf({ "a.yaml": text.replace("    nam: x\r\n", "") });
  expect(value).toEqual({ groups: [{ name: "a", description: "b\nc\n" }] });
});

test("expands aliases and list files", async () => {
  const names = Array.from({ length: 5000 }, (_, n) => `p${n}@a.example`);
  const groups = (count: number) =>
    Array.from({ length: count }, (_, n) => `  - { name: g${n}, members: ${n ? "*all" : "&all ['@all.txt']"} }\n`).join(
      "",
    );
  const lists = { "all.txt": names.join("\n") };
  const { value, count } = await documentOf({ "a.yaml": `groups:\n${groups(100)}` }, lists);
  expect(count).toBe(0);
  expect(value.groups!.every(({ members }) => (members as unknown[]).length === names.length)).toBe(true);
});

test("reports at most 1,000 problems", async () => {
  const { problems, count } = await documentOf({ "a.yaml": fill("a: 1\n", 20_000) });
  expect([problems.length, count]).toEqual([1000, 1001]);
});

test("rejects more than 16 MiB in all files and list files together", async () => {
  const half = fill(`# ${"x".repeat(1000)}\n`, 6 * MiB);
  const document = await documentOf(
    { "a.yaml": half, "b.yaml": `${half}groups:\n  - name: a\n    members: ['@all.txt']\n`, "c.yaml": "x: 1\n" },
    { "all.txt": fill(`${"a".repeat(1000)}@b.example\n`, 5 * MiB) },
  );
  expect(problemsIn(document).map((line) => line.replace(/:\d+:/, ":n:"))).toEqual([
    "b.yaml:n:15: more than 16 MiB with this file",
  ]);
});

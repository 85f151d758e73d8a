import { test } from "vitest";
import { Usage } from "../../src/errors.ts";
import { readDrafts } from "../../src/notation/draft.ts";
import { checkLinkifier } from "../../src/notation/linkifier.ts";
import { linkify } from "../../src/notation/linkify.ts";
import { readNarrow } from "../../src/notation/narrow.ts";
import { readNarrowJson } from "../../src/notation/narrow-json.ts";
import { readGroupSetting } from "../../src/notation/references.ts";
import { readUnixSeconds } from "../../src/notation/time.ts";
import fc, { anyCharacter } from "../property.ts";

/** Throws for errors other than usage errors. */
const readOrRefuse = (read: () => unknown): void => {
  try {
    read();
  } catch (error) {
    if (!(error instanceof Usage)) throw error;
  }
};

const pieces = (...words: string[]) =>
  fc
    .array(fc.oneof(fc.constantFrom(...words), fc.string({ unit: anyCharacter, maxLength: 3 })), { maxLength: 8 })
    .map((all) => all.join(""));

const pattern = pieces("(", ")", "(?P<n>", "[", "]", "\\", "\\p{", "}", "*", "?", "|", "a", "(?i)", "\\Q", "{1000}");
const template = pieces("{", "}", "{n}", "%", ",", "?", "http://", "javascript:", "@", "#", "//", "[");
const message = pieces("`", "```", "\n", "> ", "* ", "|", "[a](b)", "https://x.example/", "a", "$$", "<time:");
const expression = pieces("channel:", "dm:", '"', "-", " ", "is:", "x", ":", "me", ",", "\\", "7", "“");
const json = fc.oneof(fc.json(), pieces("[", "]", "{", "}", '"operator":', '"is"', ",", '"operand":', "null", "1e999"));

test("linkifies any message, or refuses the linkifier", () => {
  fc.assert(
    fc.property(pattern, template, message, (pattern, url_template, text) => {
      if (!checkLinkifier({ pattern, url_template })) readOrRefuse(() => linkify(text, [{ pattern, url_template }]));
    }),
    { numRuns: 300 },
  );
  fc.assert(
    fc.property(
      message,
      (text) => void linkify(text, [{ pattern: "(?P<n>[a-z]+)", url_template: "https://x.example/{n}" }]),
    ),
    { numRuns: 300 },
  );
});

const anything: [string, fc.Arbitrary<string>, (text: string) => unknown][] = [
  ["an expression", expression, (text) => readNarrow(text).terms(5)],
  ["a narrow in JSON", json, (text) => readNarrowJson(text).terms(5)],
  ["drafts", json, (text) => readDrafts(text, "f")],
  ["a group setting", expression, (text) => readGroupSetting(text, "--who")],
  ["a time", pieces("2025-", "01", "T", ":", "Z", "+", "9"), (text) => readUnixSeconds(text, "--timestamp")],
];

test.each(anything)("reads or refuses %s of any kind", (_, texts, read) => {
  fc.assert(
    fc.property(texts, (text) => readOrRefuse(() => read(text))),
    { numRuns: 300 },
  );
});

import { test } from "vitest";
import { Usage } from "../../src/errors.ts";
import { readDrafts } from "../../src/notation/draft.ts";
import { judge } from "../../src/notation/linkifier.ts";
import { linkify } from "../../src/notation/linkify.ts";
import { readNarrow, readNarrowJson } from "../../src/notation/narrow.ts";
import { unixSeconds } from "../../src/notation/time.ts";
import { readUser, readWho } from "../../src/notation/who.ts";
import fc from "../property.ts";

/** Whatever is typed is taken, or refused as a usage error: nothing else is thrown. */
const taken = (read: () => unknown): void => {
  try {
    read();
  } catch (error) {
    if (!(error instanceof Usage)) throw error;
  }
};

const pieces = (...words: string[]) =>
  fc
    .array(fc.oneof(fc.constantFrom(...words), fc.string({ unit: "binary", maxLength: 3 })), { maxLength: 8 })
    .map((all) => all.join(""));

const pattern = pieces(
  "(",
  ")",
  "(?P<n>",
  "[",
  "]",
  "\\",
  "\\p{",
  "{2,",
  "}",
  "*",
  "?",
  "|",
  "a",
  "(?i)",
  "\\Q",
  "{1000}",
  "\\pL",
);
const template = pieces("{", "}", "{n}", "%", ",", "?", "http://", "javascript:", "@", "#", "//", "[");
const message = pieces("`", "```", "\n", "> ", "* ", "|", "[a](b)", "https://x.example/", "a", "$$", "<time:");
const expression = pieces("channel:", "dm:", '"', "-", " ", "is:", "x", ":", "me", ",", "\\", "7", "“");
const json = fc.oneof(fc.json(), pieces("[", "]", "{", "}", '"operator":', '"is"', ",", '"operand":', "null", "1e999"));

test("messages of any kind are linkified, or the linkifier is refused", () => {
  fc.assert(
    fc.property(pattern, template, message, (pattern, url_template, text) => {
      if (!judge({ pattern, url_template })) taken(() => linkify(text, [{ pattern, url_template }]));
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

test("expressions, JSON, drafts, references and times of any kind are taken or refused", () => {
  fc.assert(
    fc.property(expression, (text) => taken(() => readNarrow(text).terms(5))),
    { numRuns: 500 },
  );
  fc.assert(
    fc.property(json, (text) => taken(() => readNarrowJson(text).terms(5))),
    { numRuns: 500 },
  );
  fc.assert(
    fc.property(json, (text) => taken(() => readDrafts(text, "f"))),
    { numRuns: 500 },
  );
  fc.assert(
    fc.property(expression, (text) => taken(() => readWho(text, "--who"))),
    { numRuns: 200 },
  );
  fc.assert(
    fc.property(expression, (text) => taken(() => readUser(text, "--to"))),
    { numRuns: 200 },
  );
  fc.assert(
    fc.property(pieces("2025-", "01", "T", ":", "Z", "+", "9"), (text) =>
      taken(() => unixSeconds(text, "--timestamp")),
    ),
  );
});

test("nesting beyond any stack is refused", () => {
  for (const deep of [
    "[".repeat(100_000),
    "[".repeat(100_000) + "]".repeat(100_000),
    '[{"operator":"topic","operand":'.concat("[".repeat(50_000), "]".repeat(50_000), "}]"),
  ]) {
    taken(() => readNarrowJson(deep));
    taken(() => readDrafts(deep, "f"));
  }
  judge({ pattern: "(".repeat(5000) + ")".repeat(5000), url_template: "https://x.example/" });
  taken(() => linkify("a", [{ pattern: "(".repeat(5000) + ")".repeat(5000), url_template: "https://x.example/" }]));
});

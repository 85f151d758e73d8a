import { expect, test } from "vitest";
import { Search } from "../../../src/sandbox/narrow/search.ts";
import { tokens } from "../../../src/sandbox/narrow/tokens.ts";
import { readReferences } from "../../references.ts";

const unsearched = new Set(["blank", "tag", "entity", "protocol"]);
const stemmed = new Set(["asciiword", "word", "asciihword", "hword", "hword_asciipart", "hword_part"]);

test("1,099 texts are cut into tokens as PostgreSQL cuts them", () => {
  const asked = readReferences<{ t: string; toks: [string, string][] }>("postgresql-tokens");
  const differences = asked.flatMap(({ t, toks }) => {
    const real = toks
      .filter(([, kind]) => !unsearched.has(kind))
      .map(([text, kind]) => `${text} ${stemmed.has(kind) ? "english" : "simple"}`);
    const here = [...tokens(t)].flatMap(({ text, dictionary }) => (dictionary ? [`${text} ${dictionary}`] : []));
    return JSON.stringify(real) === JSON.stringify(here) ? [] : [{ t, real, here }];
  });
  expect(asked).toHaveLength(1099);
  expect(differences).toEqual([]);
});

test("500 searches match and are marked as PostgreSQL does it", () => {
  const asked = readReferences<{ t: string; q: string; m: boolean; h: string }>("postgresql-search");
  const differences = asked.flatMap(({ t, q, m, h }) => {
    const search = new Search(q);
    const real = {
      m,
      h: h.replaceAll("<ts-match>", '<span class="highlight">').replaceAll("</ts-match>", "</span>"),
    };
    const here = { m: search.matches({ topic: "", content: "", html: t }), h: search.highlight(t) };
    return JSON.stringify(real) === JSON.stringify(here) ? [] : [{ t, q, real, here }];
  });
  expect(asked).toHaveLength(500);
  expect(differences).toEqual([]);
});

const found = (operand: string, topic: string, content: string) =>
  new Search(operand).matches({ topic, content, html: `<p>${content}</p>` });

test("words are found by their stems, in the topic too; stop words find nothing", () => {
  expect(found("plan", "plans", "x")).toBe(true);
  expect(found("planning releases", "release", "planned")).toBe(true);
  expect(found("plan missing", "plans", "x")).toBe(false);
  expect(found("the", "the", "the")).toBe(false);
  expect(found("x", "x", "x")).toBe(false);
});

test("what stands in quotes must stand so in the message or its topic, whatever the case", () => {
  expect(found('"Second Thoughts"', "t", "my second thoughts")).toBe(true);
  expect(found('"thoughts second"', "t", "my second thoughts")).toBe(false);
  expect(found('"second thoughts"', "Second thoughts", "none")).toBe(true);
  expect(found('"second thought', "t", "my second thoughts")).toBe(true);
});

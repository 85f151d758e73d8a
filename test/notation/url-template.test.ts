import { expect, test } from "vitest";
import { readUrlTemplate } from "../../src/notation/url-template.ts";
import { readRecords } from "../records.ts";

interface ReferenceTemplate {
  t: string;
  v: Record<string, string | null>;
  ok: boolean;
  names: string[] | null;
  exp: string | null;
}

test("reads and expands 1,500 random templates like the server's library", () => {
  const references = readRecords<ReferenceTemplate>("references/uri-templates");
  const differences = references.flatMap(({ t, v, ok, names, exp }) => {
    const template = readUrlTemplate(t);
    const real = { ok, names, exp };
    const here = {
      ok: template !== undefined,
      names: template?.names ?? null,
      exp: template?.expand(v) ?? null,
    };
    return JSON.stringify(real) === JSON.stringify(here) ? [] : [{ t, v, real, here }];
  });
  expect(references).toHaveLength(1500);
  expect(differences).toEqual([]);
});

test("allows a brace in a default", () => {
  expect(readUrlTemplate("{a={b}c")?.expand({})).toBe("%7Bbc");
  for (const wrong of ["{a}}", "{a", "{}"]) expect(readUrlTemplate(wrong)).toBeUndefined();
});

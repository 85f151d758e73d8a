/** The JSON Schema of the file. */
import { Ajv2020 } from "ajv/dist/2020.js";
import { expect, test } from "vitest";
import { parse } from "yaml";
import { fileSchema } from "../../src/organization/schema.ts";
import { completable, sections } from "../../src/organization/section-registry.ts";
import { fresh, zulipctl } from "../run.ts";
import { right, wrong } from "./files.ts";

const ajv = new Ajv2020({ allErrors: true });
const passes = ajv.compile(fileSchema());

test("is a schema of 2020-12", () => {
  const judges = new Ajv2020();
  expect(judges.validateSchema(fileSchema()), judges.errorsText(judges.errors)).toBe(true);
});

test("prints one line for each member", async () => {
  const { code, out, sent } = await zulipctl(["org", "schema"]);
  expect({ code, sent }).toEqual({ code: 0, sent: [] });
  expect(out).toBe(`${JSON.stringify(fileSchema(), null, 2)}\n`);
  expect(JSON.parse((await zulipctl(["org", "schema", "--json"])).out)).toEqual(fileSchema());
});

test("names the feature level of newer attributes", () => {
  const { folder, name, archived } = sections.channels.members;
  expect([folder?.since, name?.since, archived?.since]).toEqual([389, undefined, undefined]);
  expect(sections.settings.members.can_manage_billing_group).toMatchObject({ since: 363, owner: true });
});

test("lists the sections that can be complete", () => {
  expect([...completable].sort()).toEqual([
    "bots",
    "channels",
    "domains",
    "emoji",
    "folders",
    "groups",
    "linkifiers",
    "playgrounds",
    "profile_fields",
  ]);
});

test.each(Object.entries(right))("lets pass: %s", (_, value) => {
  expect(passes(value), ajv.errorsText(passes.errors)).toBe(true);
});

test.each(Object.entries(wrong))("does not let pass: %s", (_, value) => {
  expect(passes(value)).toBe(false);
});

/** Errors that the schema cannot express. */
const beyond: [what: string, text: string, says: string][] = [
  [
    "a channel that is private and web-public",
    "channels: [{ name: a, is_private: true, is_web_public: true }]",
    "line 1, column 41: a channel cannot be both private and web-public",
  ],
  [
    "a pattern that is no regular expression",
    "linkifiers: [{ pattern: '(?P<id>[0-9]+', url_template: 'https://a.example/{id}' }]",
    "line 1, column 25: the server would refuse it: Bad regular expression: missing ): (?P<id>[0-9]+",
  ],
  [
    "a template that names no group of the pattern",
    "linkifiers: [{ pattern: 'X(?P<id>[0-9]+)', url_template: 'https://a.example/{idd}' }]",
    "line 1, column 25: the server would refuse it: Group 'idd' in URL template is not present in linkifier pattern.",
  ],
  [
    "another template for a linkifier that is there",
    "linkifiers: [{ pattern: '#(?P<id>[0-9]+)', url_template: 'https://a.example/{n' }]",
    "line 1, column 58: the server would refuse it: Invalid URL template.",
  ],
];

test.each(beyond)("is refused by every command, although the schema accepts it: %s", async (_, text, says) => {
  expect(passes(parse(text)), ajv.errorsText(passes.errors)).toBe(true);
  const files = new Map([["org.yaml", text]]);
  for (const words of [
    ["org", "plan"],
    ["org", "apply", "--yes"],
    ["permissions", "diff"],
  ]) {
    const { code, err, sent } = await zulipctl([...words, "org.yaml"], { files });
    expect({ words, code, changed: sent.some(({ url }) => /\/(realm|streams)/.test(new URL(url).pathname)) }).toEqual({
      words,
      code: 2,
      changed: false,
    });
    expect(err).toContain(`  org.yaml, ${says}\n`);
  }
});

test("does not check an unchanged linkifier", async () => {
  const sandbox = fresh();
  sandbox.state.linkifiers[0]!.pattern = "(?P<id>[0-9]+";
  const { url_template } = sandbox.state.linkifiers[0]!;
  const text = JSON.stringify({ linkifiers: [{ pattern: "(?P<id>[0-9]+", url_template }] });
  const { code, err } = await zulipctl(["org", "plan", "org.json", "-q"], {
    sandbox,
    files: new Map([["org.json", text]]),
  });
  expect({ code, err }).toEqual({ code: 0, err: "" });
});

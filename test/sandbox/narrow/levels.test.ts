import { expect, test } from "vitest";
import { createSandbox } from "../../../src/sandbox/index.ts";
import { mulberry } from "../asking.ts";

const site = "https://chat.example";

async function ask(level: number, method: "GET" | "POST", path: string, form: Record<string, string>) {
  const sandbox = createSandbox({ site, clock: { now: () => 0 }, random: mulberry(1), level, rateLimits: false });
  const owner = sandbox.info().users.find(({ role }) => role === 100)!;
  const query = new URLSearchParams(form).toString();
  const { body } = await sandbox.handle({
    method,
    url: `${site}/api/v1${path}${method === "GET" ? `?${query}` : ""}`,
    headers: {
      authorization: `Basic ${Buffer.from(`${owner.email}:${owner.api_key}`).toString("base64")}`,
      "content-type": "application/x-www-form-urlencoded",
    },
    timeout: 1000,
    ...(method === "POST" && { body: query }),
  });
  let text = "";
  for await (const chunk of body) text += new TextDecoder().decode(chunk);
  return JSON.parse(text);
}

const said = async (level: number, ...narrow: unknown[]): Promise<string> =>
  (await ask(level, "GET", "/messages/matches_narrow", { msg_ids: "[]", narrow: JSON.stringify(narrow) })).msg;

test("mentions came with 446", async () => {
  const unknown = "Invalid narrow operator: unknown operator mentions";
  expect(await said(445, { operator: "mentions", operand: "x" })).toBe(unknown);
  expect(await said(445, { operator: "mentions", operand: 5 })).toBe("operand is not a string");
  expect(await said(446, { operator: "mentions", operand: "x" })).toBe("Invalid narrow operator: unknown user x");
});

test("a wrong operand is reported before the wrong shape of an earlier term", async () => {
  expect(await said(371, { operator: "is" }, { operator: "topic", operand: 5 })).toBe("operand is not a string");
  expect(await said(371, { operator: "is" }, 5)).toBe("Invalid narrow[0]: Value error, operand is missing");
});

const add = (level: number, more: Record<string, string>) =>
  ask(level, "POST", "/realm/filters", { pattern: "T(?P<id>[0-9]+)", url_template: "https://t.example/{id}", ...more });

test("linkifiers have examples from 471 and other templates from 478 on", async () => {
  const more = { example_input: "x", alternative_url_templates: '["{"]' };
  expect(await add(470, more)).toMatchObject({
    result: "success",
    ignored_parameters_unsupported: ["alternative_url_templates", "example_input"],
  });
  expect(await add(471, more)).toMatchObject({ msg: "Example input does not match the linkifier pattern." });
  expect(await add(477, { ...more, example_input: "T7", reverse_template: "T{id}" })).toMatchObject({
    result: "success",
    ignored_parameters_unsupported: ["alternative_url_templates"],
  });
  expect(await add(478, { alternative_url_templates: '["{"]' })).toMatchObject({
    msg: "Invalid URL template.",
    errors: { alternative_url_templates: ["Invalid URL template."] },
  });
  expect(await add(478, { alternative_url_templates: "x" })).toMatchObject({
    msg: "alternative_url_templates is not valid JSON",
  });
});

test("before 176 a linkifier had another template", async () => {
  expect(await add(175, {})).toMatchObject({
    msg: "Missing 'url_format_string' argument",
    var_name: "url_format_string",
  });
});

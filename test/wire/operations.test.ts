import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { operationNamed } from "../../src/api/registry.ts";
import { getSubscriptions } from "../../src/api/subscriptions.ts";
import { routes } from "../../src/sandbox/index.ts";
import { call } from "../../src/wire/call.ts";
import { encode } from "../../src/wire/encode.ts";

const literal = readFileSync(`${import.meta.dirname}/operations.txt`, "utf8").matchAll(/^(\w\S*) ?(.*)\n {4}(.+)$/gm);

test.each([...literal].map(([, name, args, request]) => [name!, args || "{}", request!] as const))(
  "%s %s: %s",
  (name, args, request) => {
    const { method, target, body } = encode(call(operationNamed(name)!, JSON.parse(args)));
    const [path, query = ""] = target.split("?");
    const sent = [...new URLSearchParams(body ?? query)].map(([name, value]) => `${name}=${value}`);
    expect([`${method} ${path}`, ...sent].join(" ")).toBe(request);
  },
);

test("older servers get include_subscribers as JSON", () => {
  const { target } = encode(call(getSubscriptions, { include_subscribers: "true" }), 411);
  expect(target).toContain("include_subscribers=true");
});

test("state the role that the sandbox requires", () => {
  const restricted = routes.filter(({ rules: { who } }) => who && who !== "human");
  expect(restricted.length).toBeGreaterThan(40);
  expect(restricted.filter(({ rules, operation }) => operation.who?.role !== rules.who)).toEqual([]);
});

import { expect, test } from "vitest";
import { abilities } from "../../src/commands/server/info.ts";

const withoutFlags = (level: number) => abilities(level, {}).filter(({ without }) => without.length);
const fetchKey = (settings: Parameters<typeof abilities>[1]) =>
  abilities(442, settings).find(({ command }) => command === "fetch-key");

test("the newest servers support everything", () => {
  expect(withoutFlags(512)).toEqual([]);
});

test("fetch-key requires passwords", () => {
  expect(fetchKey({ email_auth_enabled: false })).toMatchObject({ available: false });
  expect(fetchKey({ email_auth_enabled: false, authentication_methods: { ldap: true } })).toMatchObject({
    available: true,
  });
});

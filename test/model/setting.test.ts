import { expect, test } from "vitest";
import { organizationSettings } from "../../src/model/organization.ts";
import { methodStates, type Setting, sentValue, storedValue } from "../../src/model/setting.ts";

const { message_retention_days, message_content_edit_limit_seconds, jitsi_server_url, name } = organizationSettings;

test.each<[Setting, unknown, unknown]>([
  [message_retention_days, -1, "unlimited"],
  [message_content_edit_limit_seconds, null, "unlimited"],
  [message_content_edit_limit_seconds, 600, 600],
  [jitsi_server_url, null, "default"],
  [jitsi_server_url, "https://meet.example", "https://meet.example"],
  [name, "default", "default"],
])("a setting like %o stores %s for %s", (setting, stored, sent) => {
  expect(sentValue(setting, stored)).toBe(sent);
  expect(storedValue(setting, sent)).toBe(stored);
});

test("which sign-in methods are on is read from the answers of every level", () => {
  expect(methodStates({ Email: { enabled: true, available: true }, LDAP: false })).toEqual({
    Email: true,
    LDAP: false,
  });
  expect(methodStates(undefined)).toEqual({});
});

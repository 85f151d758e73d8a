import { expect, test } from "vitest";
import { parseSite } from "../../src/credentials/site.ts";
import { Usage } from "../../src/errors.ts";

test.each([
  ["https://chat.example.com", "https://chat.example.com"],
  ["https://chat.example.com/", "https://chat.example.com"],
  ["https://chat.example.com///", "https://chat.example.com"],
  ["https://chat.example.com/api", "https://chat.example.com"],
  ["https://chat.example.com/api/v1/", "https://chat.example.com"],
  [" HTTPS://Chat.Example.com:443 ", "https://chat.example.com"],
  ["https://chat.example.com.", "https://chat.example.com"],
  ["https://chat.example.com.:8443/", "https://chat.example.com:8443"],
  ["https://chat.example.com:8443", "https://chat.example.com:8443"],
  ["chat.example.com", "https://chat.example.com"],
  ["httpbin.example", "https://httpbin.example"],
  ["localhost:9991", "http://localhost:9991"],
  ["http://localhost:9991", "http://localhost:9991"],
  ["http://127.0.0.1:9991/", "http://127.0.0.1:9991"],
  ["http://127.9.9.9", "http://127.9.9.9"],
  ["http://[::1]:9991", "http://[::1]:9991"],
  ["127.0.0.1:9991", "https://127.0.0.1:9991"],
])("%j is %s", (text, site) => {
  expect(parseSite(text, "--site")).toBe(site);
});

test.each([
  ["", "--site is not the URL of an organization"],
  ["two words", "--site is not the URL of an organization"],
  ["https://", "--site is not the URL of an organization"],
  ["$SITE", "--site is not the URL of an organization"],
  ["https://$HOST.example.com", "--site is not the URL of an organization"],
  ["\u200bhttps://chat.example.com", "--site contains U+200B (zero width space) at the beginning"],
  ["ftp://chat.example.com", "--site is not an https:// URL"],
  ["file:///etc/passwd", "--site is not an https:// URL"],
  ["https://ada:pw@chat.example.com", "--site has a user name or password in it"],
  ["https://chat.example.com/login", "--site has more than the URL of an organization"],
  ["https://chat.example.com/#narrow/x", "--site has more than the URL of an organization"],
  ["https://chat.example.com/?x", "--site has more than the URL of an organization"],
  ['"https://chat.example.com"', "--site has quotes around it"],
  ["'https://chat.example.com'", "--site has quotes around it"],
  ["\u201chttps://chat.example.com\u201d", "--site has quotes around it"],
  ['"https://chat.example.com', "--site has quotes around it"],
  ["https:/chat.example.com", "--site is not an https:// URL"],
  ["https//chat.example.com", "--site is not an https:// URL"],
  ["http:\\\\chat.example.com", "--site is not an https:// URL"],
  ["https://https://chat.example.com", "--site is not an https:// URL"],
  ["http://chat.example.com", "--site is http://, which would show the key to everyone on the way to chat.example.com"],
  ["http://localhost.example.com", /^--site is http:\/\//],
  ["http://128.0.0.1", /^--site is http:\/\//],
  ["http://127.0.0.1.example.com", /^--site is http:\/\//],
])("%j is refused", (text, message) => {
  const error = (() => {
    try {
      return parseSite(text, "--site");
    } catch (reason) {
      return reason;
    }
  })();
  expect(error).toBeInstanceOf(Usage);
  expect((error as Usage).message).toMatch(message);
  expect(JSON.stringify((error as Usage).details)).not.toContain("pw");
});

test.each([
  [
    "https://chat.example.com/zulip",
    "Pass the URL alone: https://chat.example.com (Zulip has no organizations below a path)",
  ],
  ["chat.example.com/?x", "Pass the URL alone: https://chat.example.com"],
  [
    "ttps:/chat.example.com",
    "Pass the URL alone, such as https://chat.example.com (Zulip has no organizations below a path)",
  ],
])("the hint for %j shows a URL that somebody can mean", (text, hint) => {
  expect(() => parseSite(text, "--site")).toThrow(expect.objectContaining({ details: { hint } }));
});

import { expect, test } from "vitest";
import { maskedLine } from "../../src/log/masking.ts";

test.each([
  [["channel", "update", "design team"], [], "zulipctl channel update 'design team'"],
  [["apns", "register", "--token", "deadbeef"], ["deadbeef"], "zulipctl apns register --token '[secret]'"],
  [["apns", "register", "--token=deadbeef"], ["deadbeef"], "zulipctl apns register '--token=[secret]'"],
  // For an unknown endpoint, the name says that a value is secret.
  [["api", "POST", "x", "-f", "password=abc"], [], "zulipctl api POST x -f 'password=[secret]'"],
  [["api", "POST", "x", "-f", "new_api_key=abc=d"], [], "zulipctl api POST x -f 'new_api_key=[secret]'"],
  [["api", "POST", "x", "--field=client-secret=abc"], [], "zulipctl api POST x '--field=client-secret=[secret]'"],
  [["api", "POST", "x", "-f", "key=abc"], [], "zulipctl api POST x -f 'key=[secret]'"],
  [["api", "POST", "x", "-f", "monkey=abc"], [], "zulipctl api POST x -f monkey=abc"],
  // A short secret is not masked inside words: this would reveal it.
  [["api", "POST", "abc", "-f", "pin=ab", "ab"], ["ab"], "zulipctl api POST abc -f 'pin=[secret]' '[secret]'"],
  [["folder", "create", "a\nb"], [], "zulipctl folder create 'a\nb'"],
])("%j is logged without its secrets", (argv, secrets, line) => expect(maskedLine(argv, secrets)).toBe(line));

test("shortens a very long command line", () => {
  const line = maskedLine(["folder", "create", "x".repeat(100_000)], []);
  expect([line.length, line.slice(0, 24), line.at(-1)]).toEqual([4000, "zulipctl folder create x", "…"]);
});

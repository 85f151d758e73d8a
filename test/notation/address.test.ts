import { describe, expect, test } from "vitest";
import { divideAddresses, isAddress, partsOfAddress, readAddress, withoutName } from "../../src/notation/address.ts";

test.each([
  ["ada@example.com", "ada@example.com"],
  ["Ada Lovelace <ada@example.com>", "ada@example.com"],
  ['"Lovelace, Ada" < ada@example.com > ', "ada@example.com"],
  ["ada@example.com <ada@example.com>", "ada@example.com"],
  ["<ada@example.com>", "ada@example.com"],
  ["Ada <ada@example.com>, Bo <bo@example.com>", "Ada <ada@example.com>, Bo <bo@example.com>"],
  ["Ada <ada>", "Ada <ada>"],
  ["Lovelace, Ada <ada@example.com>", "ada@example.com"],
  ["bo@example.com, Ada <ada@example.com>", "bo@example.com, Ada <ada@example.com>"],
  ["bo@example.com, Lovelace, Ada <ada@example.com>", "bo@example.com, Lovelace, Ada <ada@example.com>"],
  ["bo@example.com Ada <ada@example.com>", "bo@example.com Ada <ada@example.com>"],
  ["Bo; Ada <ada@example.com>", "Bo; Ada <ada@example.com>"],
  ["12, Ada <ada@example.com>", "12, Ada <ada@example.com>"],
  [" mailto:ada@example.com", "ada@example.com"],
  ["MailTo:ada@example.com,bo@example.com", "MailTo:ada@example.com,bo@example.com"],
  ["mailto:ada", "mailto:ada"],
])("takes the address out of %s", (text, address) => expect(withoutName(text)).toBe(address));

test.each([
  "ada",
  "a b@example.com",
  '["a@example.com"]',
  '{"email":"a@example.com"}',
  "a@x.org;b@x.org",
  "a@x.org\u200b",
])("takes no address from %j", (text) => {
  expect(isAddress(text)).toBe(false);
  expect(() => readAddress(text, "--email")).toThrow("--email");
});

test.each([
  ["a@x.org, Lovelace, Ada <ada@x.org>,b@x.org", ["a@x.org", " Lovelace, Ada <ada@x.org>", "b@x.org"]],
  ["a@x.org\nBo <b@x.org>\n", ["a@x.org", "Bo <b@x.org>"]],
  ["", []],
])("divides %j", (text, parts) => expect(divideAddresses(text)).toEqual(parts));

describe("a name with a comma before an address", () => {
  test.each([
    [["Lovelace", " Ada <ada@example.com>", "bo@example.com"], 2],
    [['"Lovelace', ' Ada" <ada@example.com>'], 2],
    [["Ada <ada@example.com>", "Bo <bo@example.com>"], 1],
    [["12", "Bo <bo@example.com>"], 1],
    [["me", "Bo <bo@example.com>"], 1],
    [["name:Ada", "Bo <bo@example.com>"], 1],
    [["ada@example.com", "Bo <bo@example.com>"], 1],
    [["Ada", "Bo"], 1],
  ])("%j begins with %i parts of one person", (parts, count) => expect(partsOfAddress(parts)).toBe(count));
});

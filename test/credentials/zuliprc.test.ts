import { expect, test } from "vitest";
import { parseZuliprc } from "../../src/credentials/zuliprc.ts";

const three = "email=ada@chat.example\nkey=abc\nsite=https://chat.example\n";

test("a zuliprc as the web app offers it", () => {
  expect(parseZuliprc(`[api]\n${three}`, "f")).toEqual({
    email: "ada@chat.example",
    key: "abc",
    site: "https://chat.example",
  });
});

test("colons, spaces, capitals, comments, CRLF, a BOM, other sections and unknown keys", () => {
  const text = `\uFEFF; one comment\r\n# another\r\n[other]\r\nkey=wrong\r\nnonsense\r\n\r\n[api]\r\n  Email : ada@chat.example\r\nKEY = abc\r\n;key=no\r\nsite:https://chat.example:8443\r\ncolour=blue\r\n`;
  expect(parseZuliprc(text, "f")).toEqual({ email: "ada@chat.example", key: "abc", site: "https://chat.example:8443" });
});

test("values stay as they are, where other INI dialects would change them", () => {
  const text = `[api]\n${three}cert_bundle=C:\\new\\#1;x.pem\nclient_cert="quoted"\nclient_cert_key=a=b:c\ninsecure=false\n`;
  expect(parseZuliprc(text, "f")).toMatchObject({
    cert_bundle: "C:\\new\\#1;x.pem",
    client_cert: '"quoted"',
    client_cert_key: "a=b:c",
    insecure: "false",
  });
});

test("percent signs are doubled, and other values can be put in", () => {
  const text = `[api]\n${three}host=chat\ncert_bundle=/%%20/%(Host)s-%(key)s.pem\n`;
  expect(parseZuliprc(text, "f").cert_bundle).toBe("/%20/chat-abc.pem");
});

/** `v1` refers to `v2`, and so on up to a value without any percent sign. */
const chain = (length: number) =>
  [...Array.from({ length }, (_, n) => `v${n + 1}=%(v${n + 2})s`), `v${length + 1}=end\n`].join("\n");

test("values may refer to each other ten deep, as with Python's configparser", () => {
  expect(parseZuliprc(`[api]\n${three}${chain(9)}cert_bundle=%(v1)s`, "f").cert_bundle).toBe("end");
});

test("names that mean something to JavaScript mean nothing", () => {
  const text = `[__proto__]\nkey=x\n[constructor.api]\nkey=y\n[api]\n__proto__=z\nconstructor=z\n${three}`;
  expect(parseZuliprc(text, "f")).toEqual({ email: "ada@chat.example", key: "abc", site: "https://chat.example" });
});

test.each([
  ["", "the zuliprc f has no section [api] with anything in it"],
  ["[api]\n", "the zuliprc f has no section [api] with anything in it"],
  ["[other]\nkey=x\n", "the zuliprc f has no section [api] with anything in it"],
  [three, "the zuliprc f, line 1, stands before any section such as [api]"],
  [`[api]\n${three}secret\n`, "the zuliprc f, line 5, is neither a section nor of the form name=value"],
  [`[api]\n${three}=secret\n`, "the zuliprc f, line 5, is neither a section nor of the form name=value"],
  [`[api]\n${three}Key=secret\n`, "the zuliprc f, line 5, gives key twice"],
  ["[api]\nemail=a\nsite=b\n", "the zuliprc f has no key in its section [api]"],
  ["[api]\nemail=a\nsite=b\nkey=\n", "the zuliprc f has no key in its section [api]"],
  ["[api]\nkey=a\nsite=b\n", "the zuliprc f has no email in its section [api]"],
  ["[api]\nkey=a\nemail=b\n", "the zuliprc f has no site in its section [api]"],
  [
    `[api]\n${three}cert_bundle=50%\n`,
    "the zuliprc f, line 5, uses % in cert_bundle in a way that means nothing: a percent sign is %%",
  ],
  [`[api]\n${three}cert_bundle=%(none)s\n`, /^the zuliprc f, line 5, uses % in cert_bundle/],
  [
    `[api]\n${three}cert_bundle=%(cert_bundle)s\n`,
    "the zuliprc f, line 5, has in cert_bundle a value that refers to itself",
  ],
  [
    `[api]\n${three}cert_bundle=%(b)s\na=%(b)s\nb=%(a)s\n`,
    "the zuliprc f, line 7, has in b a value that refers to itself",
  ],
  [
    `[api]\n${three}${chain(10)}cert_bundle=%(v1)s`,
    "the zuliprc f, line 14, has in v10 a value that refers to others more than 10 deep",
  ],
  // The second time v2 stands one level deeper.
  [
    `[api]\n${three}${chain(10)}a=%(v3)s\nb=%(v2)s\ncert_bundle=%(a)s%(b)s`,
    "the zuliprc f, line 7, has in v3 a value that refers to others more than 10 deep",
  ],
  [
    `[api]\n${three}a=${"%(b)s".repeat(300)}\nb=${"%(c)s".repeat(300)}\nc=c\ncert_bundle=%(a)s`,
    "the zuliprc f, line 5, has in a a value of more than 65536 characters",
  ],
])("%j is refused", (text, message) => {
  expect(() => parseZuliprc(text, "f")).toThrow(message);
});

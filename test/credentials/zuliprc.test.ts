import { expect, test } from "vitest";
import { parseZuliprc } from "../../src/credentials/zuliprc.ts";

const three = "email=ada@chat.example\nkey=abc\nsite=https://chat.example\n";

test("reads the zuliprc of the web app", () => {
  expect(parseZuliprc(`[api]\n${three}`, "f")).toEqual({
    email: "ada@chat.example",
    key: "abc",
    site: "https://chat.example",
  });
});

test("reads colons, spaces, capitals, comments, CRLF, a BOM, other sections and unknown keys", () => {
  const text = `\uFEFF; one comment\r\n# another\r\n[other]\r\nkey=wrong\r\nnonsense\r\n\r\n[api]\r\n  Email : ada@chat.example\r\nKEY = abc\r\n;key=no\r\nsite:https://chat.example:8443\r\ncolour=blue\r\n`;
  expect(parseZuliprc(text, "f")).toEqual({ email: "ada@chat.example", key: "abc", site: "https://chat.example:8443" });
});

test("keeps values that other INI dialects would change", () => {
  const text = `[api]\n${three}cert_bundle=C:\\new\\#1;x.pem\nclient_cert="quoted"\nclient_cert_key=a=b:c\ninsecure=false\n`;
  expect(parseZuliprc(text, "f")).toMatchObject({
    cert_bundle: "C:\\new\\#1;x.pem",
    client_cert: '"quoted"',
    client_cert_key: "a=b:c",
    insecure: "false",
  });
});

test("reads doubled percent signs", () => {
  expect(parseZuliprc(`[api]\n${three}cert_bundle=/%%20/x.pem\n`, "f").cert_bundle).toBe("/%20/x.pem");
});

test("reads options of [DEFAULT], which those of [api] replace, and needs no site", () => {
  const text = "[api]\nemail=ada@chat.example\n[DEFAULT]\nkey=abc\nemail=other\n";
  expect(parseZuliprc(text, "f")).toEqual({ email: "ada@chat.example", key: "abc" });
  expect(parseZuliprc(`[DEFAULT]\n${three}[api]\n`, "f").site).toBe("https://chat.example");
});

test("accepts names such as constructor", () => {
  const text = `[__proto__]\nkey=x\n[constructor.api]\nkey=y\n[api]\n__proto__=z\nconstructor=z\n${three}`;
  expect(parseZuliprc(text, "f")).toEqual({ email: "ada@chat.example", key: "abc", site: "https://chat.example" });
});

test.each([
  ["", "the zuliprc f has no section [api] with anything in it"],
  ["[api]\n", "the zuliprc f has no section [api] with anything in it"],
  ["[other]\nkey=x\n", "the zuliprc f has no section [api] with anything in it"],
  [three, "the zuliprc f, line 1, must be below a section such as [api]"],
  [`[api]\n${three}secret\n`, "the zuliprc f, line 5, is neither a section nor of the form name=value"],
  [`[api]\n${three}=secret\n`, "the zuliprc f, line 5, is neither a section nor of the form name=value"],
  [`[api]\n${three}Key=secret\n`, "the zuliprc f, line 5, has key twice"],
  ["[api]\nemail=a\nsite=b\n", "the zuliprc f has no key in its section [api]"],
  ["[api]\nemail=a\nsite=b\nkey=\n", "the zuliprc f has no key in its section [api]"],
  ["[api]\nkey=a\nsite=b\n", "the zuliprc f has no email in its section [api]"],
  ["[DEFAULT]\nkey=a\nemail=b\nsite=c\n", "the zuliprc f has no section [api] with anything in it"],
  ["[DEFAULT]\nkey=a\nKEY=b\n[api]\n", "the zuliprc f, line 3, has key twice"],
  ['[api]\nkey=a\nemail=b\nsite="c"\n', "site in f has quotes around it"],
  ["[api]\nkey='secret'\nemail=b\nsite=c\n", "key in f has quotes around it"],
  ["[api]\nkey=a\nemail=\u201cb\u201d\nsite=c\n", "email in f has quotes around it"],
  [`[api]\n${three}cert_bundle=50%\n`, "the zuliprc f, line 5, has a % in cert_bundle: write a percent sign as %%"],
  [`[api]\n${three}cert_bundle=%(key)s\n`, /^the zuliprc f, line 5, has a % in cert_bundle/],
])("%j is refused", (text, message) => {
  expect(() => parseZuliprc(text, "f")).toThrow(message);
});

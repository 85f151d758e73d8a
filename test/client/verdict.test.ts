import { describe, expect, test } from "vitest";
import { removeAttachment } from "../../src/api/attachments.ts";
import { addLinkifier, getLinkifiers } from "../../src/api/linkifiers.ts";
import { Redactor } from "../../src/client/redactor.ts";
import { classify } from "../../src/client/verdict.ts";
import type { AnyOperation } from "../../src/wire/operation.ts";

const now = Date.UTC(2026, 0, 15, 12);

const verdictOf = (
  operation: AnyOperation,
  status: number,
  text: string | undefined,
  {
    headers = {},
    isCut = false,
    redactor = new Redactor([]),
  }: { headers?: Record<string, string>; isCut?: boolean; redactor?: Redactor } = {},
) => classify(operation, { response: { status, headers }, text, isCut, now, redactor });

const change = (status: number, text: string | undefined, more?: Parameters<typeof verdictOf>[3]) =>
  verdictOf(removeAttachment, status, text, more);

const foreign = (status: number, what: string) => ({ kind: "foreign", status, what, retryAfter: undefined });

describe("an answer that is not the server's is described in one line", () => {
  test.each([
    [200, "", "an empty answer"],
    [200, " \r\n\t", "an empty answer"],
    [204, "", "an empty answer"],
    [200, "<html><head><title>Hotel\n Wi-Fi</title></head><body>…", '"Hotel Wi-Fi"'],
    [200, "<!doctype html><script>var a = '<b>'</script><style>p{}</style><p>Log in</p>", '"Log in"'],
    [200, "<script>never closed", "a page without text"],
    [200, "<img src=x>", "a page without text"],
    [502, "<html>\r\n<head><title>502 Bad Gateway</title></head>", '"502 Bad Gateway"'],
    [403, `<p>${"word ".repeat(100)}</p>`, `"${"word ".repeat(100).slice(0, 79)}…"`],
    [200, "null", '"null"'],
    [200, "7", '"7"'],
    [200, '"success"', '""success""'],
    [200, "[]", '"[]"'],
    [200, "{}", "JSON that is not this API's"],
    [200, '{"result":"success"', "JSON that is broken or cut short"],
    [200, ' {"a":1}<html>', "JSON that is broken or cut short"],
    [200, "\x1F\uFFFD\b\0\0", "something that is not text"],
    [200, '{"result":"error"}', "JSON that is not this API's"],
    [200, '{"result":"error","msg":7}', "JSON that is not this API's"],
    [400, '{"result":"success","msg":""}', "JSON that is not this API's"],
    [500, '{"result":"success","msg":""}', "JSON that is not this API's"],
    [200, '{"result":"partially_completed","msg":""}', "JSON that is not this API's"],
    [200, '\uFEFF{"result":"success","msg":""}', "JSON that is broken or cut short"],
    [200, undefined, "an answer that is too large"],
  ])("%i %j is %s", (status, text, what) => {
    expect(change(status, text)).toEqual(foreign(status, what));
  });

  test.each([
    [{}, "a redirect"],
    [{ location: "https://sso.example/login?next=/" }, "a redirect to https://sso.example/login?next=/"],
    [{ location: `/${"x".repeat(500)}` }, `a redirect to /${"x".repeat(199)}`],
  ])("302 %j is %s, with any body", (headers, what) => {
    expect(change(302, '{"result":"success","msg":""}', { headers })).toEqual(foreign(302, what));
  });

  test("an incomplete body is evaluated as far as it came", () => {
    expect(change(400, '{"result":"error","msg":"No', { isCut: true })).toEqual(
      foreign(400, "an answer that ends too early"),
    );
    expect(change(400, '{"result":"error","msg":"No"}', { isCut: true })).toMatchObject({ kind: "error", msg: "No" });
  });

  test.each([
    [addLinkifier, { id: "7" }, "id: must be a whole number"],
    [addLinkifier, { id: 9007199254740993n }, "id: must be a whole number below 2^53"],
    [addLinkifier, { id: 1.5 }, "id: must be a whole number below 2^53"],
    [addLinkifier, {}, "id: is missing"],
    [getLinkifiers, { linkifiers: { 0: {} } }, "linkifiers: must be a list"],
    [getLinkifiers, { linkifiers: [null] }, "linkifiers[0]: must be an object"],
  ])("another shape: $1", (operation, fields, where) => {
    const members = JSON.stringify(fields, (_, value) => (typeof value === "bigint" ? `#${value}#` : value));
    const text = `{"result":"success","msg":"",${members.slice(1)}`.replaceAll(/"?#"?/g, "").replace(",}", "}");
    expect(verdictOf(operation, 200, text)).toEqual(foreign(200, `an answer of another shape (${where})`));
  });
});

describe("an answer of the server", () => {
  test("has message, code and fields, and only a text is a code", () => {
    expect(change(400, '{"result":"error","msg":"No.","code":"BAD_REQUEST","var_name":"x"}')).toEqual({
      kind: "error",
      status: 400,
      msg: "No.",
      code: "BAD_REQUEST",
      fields: { var_name: "x" },
      retryAfter: undefined,
    });
    expect(change(405, '{"result":"error","msg":"Method Not Allowed","code":7}')).toMatchObject({ code: undefined });
  });

  test("has the names of ignored parameters", () => {
    const text = '{"result":"success","msg":"","id":1,"ignored_parameters_unsupported":["a",7,null,"b"]}';
    expect(change(200, text)).toEqual({ kind: "success", answer: { id: 1 }, ignored: ["a", "b"] });
    expect(change(200, '{"result":"success","msg":"","ignored_parameters_unsupported":"a"}')).toMatchObject({
      ignored: [],
    });
  });

  test.each([
    ["0.5", undefined, 0.5],
    [" 28.706807374954224 ", undefined, 28.706807374954224],
    ["0", undefined, 0],
    ["-1", undefined, undefined],
    ["1e9", undefined, undefined],
    ["NaN", undefined, undefined],
    ["soon", undefined, undefined],
    ["", undefined, undefined],
    ["99999999999", undefined, 99999999999],
    ["Thu, 15 Jan 2026 12:00:30 GMT", undefined, 30],
    ["Thu, 15 Jan 2026 11:00:00 GMT", undefined, 0],
    ["5", 1.25, 1.25],
    ["5", "2.5", 2.5],
    ["5", -3, 5],
    ["5", null, 5],
    [undefined, 7, 7],
    [undefined, undefined, undefined],
  ])("Retry-After %j and the field %j make %j seconds", (header, field, seconds) => {
    const headers: Record<string, string> = header === undefined ? {} : { "retry-after": header };
    const error = { result: "error", msg: "x", code: "RATE_LIMIT_HIT", "retry-after": field };
    expect(change(429, JSON.stringify(error), { headers })).toMatchObject({ retryAfter: seconds });
  });
});

test("removes the secrets of the request from any answer", () => {
  const redactor = new Redactor(['p"w%ö 1', "k".repeat(32), "abc"]);
  const echo = ['p"w%ö 1', "k".repeat(32), "abc", encodeURIComponent('p"w%ö 1'), "p%22w%25%C3%B6+1"].join(" ");
  const clean = "[secret] [secret] abc [secret] [secret]";
  const error = { result: "error", msg: echo, code: "BAD_REQUEST", bad_value: { deep: [echo, 7] } };
  expect(change(400, JSON.stringify(error), { redactor })).toMatchObject({
    msg: clean,
    fields: { bad_value: { deep: [clean, 7] } },
  });
  expect(change(403, `<p>${echo}</p>`, { redactor })).toMatchObject({ what: `"${clean}"` });
  expect(change(403, JSON.stringify([echo]), { redactor })).toMatchObject({ what: `"["${clean}"]"` });
  expect(change(301, "", { redactor, headers: { location: `/?${echo}` } })).toMatchObject({
    what: `a redirect to /?${clean}`,
  });
});

import { expect, test } from "vitest";
import { findByName, sandboxOf, sendRequest } from "./client.ts";

const form = { "content-type": "application/x-www-form-urlencoded" };

test("reads parts of a multipart form as parameters, but not files", async () => {
  const part = (name: string, text: string) => `--b\r\nContent-Disposition: form-data; name=${name}\r\n\r\n${text}\r\n`;
  const body = `${part('"description"', "multi\r\npart")}${part('"zz"; filename="f.txt"', "x")}--b--\r\n`;
  const sandbox = sandboxOf();
  const design = findByName(sandbox.state.channels, "design");
  const headers = { "content-type": "multipart/form-data; boundary=b" };
  const answer = await sendRequest(sandbox, "PATCH", `/streams/${design.stream_id}`, { as: "iris", headers, body });
  expect([answer.body, design.description]).toEqual([{ result: "success", msg: "" }, "multi\r part"]);
});

test("answers a multipart POST without a boundary with a page", async () => {
  const headers = { "content-type": "multipart/form-data" };
  const post = await sendRequest(sandboxOf(), "POST", "/drafts", { as: "cora", headers, body: "x" });
  expect([post.status, post.headers["content-type"]]).toEqual([400, "text/html; charset=utf-8"]);
});

test("answers HEAD like GET, without a body", async () => {
  const sandbox = sandboxOf();
  const get = await sendRequest(sandbox, "GET", "/users/me", { as: "cora" });
  const head = await sendRequest(sandbox, "HEAD", "/users/me", { as: "cora" });
  expect([head.status, head.body, head.headers["content-length"]]).toEqual([200, "", get.headers["content-length"]]);
});

test.each([
  ["POST", "/users/me/avatar", 371],
  ["POST", "/register_client_device", 468],
  ["POST", "/messages/3/reactions", 500],
  ["GET", "/saved_snippets", 500],
])("says that it does not have %s %s", async (method, path, level) => {
  const { status, body } = await sendRequest(sandboxOf({ level }), method, path, { as: "cora" });
  const msg = `The sandbox does not have ${method} ${path}.`;
  expect([status, body]).toEqual([404, { result: "error", msg, code: "BAD_REQUEST" }]);
});

test("has no path that a server of the level does not have", async () => {
  const { status, body } = await sendRequest(sandboxOf({ level: 467 }), "POST", "/register_client_device");
  expect([status, typeof body]).toEqual([404, "string"]);
});

test("refuses long request lines, long headers and large bodies as the proxy does", async () => {
  const long = await sendRequest(sandboxOf(), "GET", `/users/me?x=${"a".repeat(8200)}`, { as: "cora" });
  expect([long.status, long.headers["content-type"]]).toEqual([414, "text/html"]);
  const header = await sendRequest(sandboxOf(), "GET", "/users/me", { headers: { "user-agent": "a".repeat(8200) } });
  expect(header.status).toBe(400);
  const body = await sendRequest(sandboxOf(), "POST", "/drafts", {
    headers: form,
    body: "a".repeat(25 * 1024 * 1024 + 1),
  });
  expect(body.status).toBe(413);
});

test("refuses other methods for events as the proxy does", async () => {
  const sandbox = sandboxOf();
  expect((await sendRequest(sandbox, "POST", "/events", { as: "iris", form: {} })).status).toBe(405);
  expect((await sendRequest(sandbox, "OPTIONS", "/events", { as: "iris" })).headers.allow).toBe("DELETE, GET, HEAD");
});

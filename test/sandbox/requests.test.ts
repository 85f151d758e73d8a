import { expect, test } from "vitest";
import { ask, named, sandboxOf } from "./asking.ts";

const form = { "content-type": "application/x-www-form-urlencoded" };

test("multipart parts are parameters, files are not", async () => {
  const part = (name: string, text: string) => `--b\r\nContent-Disposition: form-data; name=${name}\r\n\r\n${text}\r\n`;
  const body = `${part('"description"', "multi\r\npart")}${part('"zz"; filename="f.txt"', "x")}--b--\r\n`;
  const sandbox = sandboxOf();
  const design = named(sandbox.state.channels, "design");
  const headers = { "content-type": "multipart/form-data; boundary=b" };
  const answer = await ask(sandbox, "PATCH", `/streams/${design.stream_id}`, { as: "iris", headers, body });
  expect([answer.body, design.description]).toEqual([{ result: "success", msg: "" }, "multi\r part"]);
});

test("a POST of multipart without a boundary is answered with a page", async () => {
  const headers = { "content-type": "multipart/form-data" };
  const post = await ask(sandboxOf(), "POST", "/drafts", { as: "cora", headers, body: "x" });
  expect([post.status, post.headers["content-type"]]).toEqual([400, "text/html; charset=utf-8"]);
});

test("HEAD is answered like GET without a body", async () => {
  const sandbox = sandboxOf();
  const get = await ask(sandbox, "GET", "/users/me", { as: "cora" });
  const head = await ask(sandbox, "HEAD", "/users/me", { as: "cora" });
  expect([head.status, head.body, head.headers["content-length"]]).toEqual([200, "", get.headers["content-length"]]);
});

test("an operation that the sandbox does not implement is refused with a message of its own", async () => {
  const { status, body } = await ask(sandboxOf(), "PATCH", "/settings", { as: "cora" });
  expect([status, body.msg]).toEqual([405, "The sandbox does not implement PATCH /settings."]);
});

test("the proxy stops long request lines, long headers and large bodies", async () => {
  const long = await ask(sandboxOf(), "GET", `/users/me?x=${"a".repeat(8200)}`, { as: "cora" });
  expect([long.status, long.headers["content-type"]]).toEqual([414, "text/html"]);
  const header = await ask(sandboxOf(), "GET", "/users/me", { headers: { "user-agent": "a".repeat(8200) } });
  expect(header.status).toBe(400);
  const body = await ask(sandboxOf(), "POST", "/drafts", { headers: form, body: "a".repeat(25 * 1024 * 1024 + 1) });
  expect(body.status).toBe(413);
});

test("the proxy refuses other methods for events", async () => {
  const sandbox = sandboxOf();
  expect((await ask(sandbox, "POST", "/events", { as: "iris", form: {} })).status).toBe(405);
  expect((await ask(sandbox, "OPTIONS", "/events", { as: "iris" })).headers.allow).toBe("DELETE, GET, HEAD");
});

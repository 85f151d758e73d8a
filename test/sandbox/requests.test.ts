import { expect, test } from "vitest";
import { ask, named, sandboxOf } from "./asking.ts";

const form = { "content-type": "application/x-www-form-urlencoded" };
const design = ({ state }: ReturnType<typeof sandboxOf>) => named(state.channels, "design");

async function patched(asked: Parameters<typeof ask>[3]) {
  const sandbox = sandboxOf();
  const channel = design(sandbox);
  const answer = await ask(sandbox, "PATCH", `/streams/${channel.stream_id}`, { as: "iris", ...asked });
  return { ...answer, description: channel.description };
}

test("a parameter in query and body counts as the body has it, an empty one too", async () => {
  const both = await patched({ query: { description: "query" }, form: { description: "" } });
  expect([both.status, both.description]).toEqual([200, ""]);
  expect((await patched({ query: { description: "query" } })).description).toBe("query");
});

test("multipart parts are parameters, files are not", async () => {
  const part = (name: string, text: string) => `--b\r\nContent-Disposition: form-data; name=${name}\r\n\r\n${text}\r\n`;
  const body = `${part('"description"', "multi\r\npart")}${part('"zz"; filename="f.txt"', "x")}--b--\r\n`;
  const { body: answer, description } = await patched({
    headers: { "content-type": "multipart/form-data; boundary=b" },
    body,
  });
  expect([answer, description]).toEqual([{ result: "success", msg: "" }, "multi\r part"]);
});

test("multipart without a boundary breaks a PATCH and is a bad POST", async () => {
  const headers = { "content-type": "multipart/form-data" };
  expect((await patched({ headers, body: "x" })).body).toEqual({ result: "error", msg: "Internal server error" });
  const post = await ask(sandboxOf(), "POST", "/drafts", { as: "cora", headers, body: "x" });
  expect([post.status, post.headers["content-type"]]).toEqual([400, "text/html; charset=utf-8"]);
});

test("HEAD is answered like GET without a body", async () => {
  const sandbox = sandboxOf();
  const get = await ask(sandbox, "GET", "/users/me", { as: "cora" });
  const head = await ask(sandbox, "HEAD", "/users/me", { as: "cora" });
  expect([head.status, head.body, head.headers["content-length"]]).toEqual([200, "", get.headers["content-length"]]);
});

test("what a real server does and the sandbox leaves out is refused in words that say whose refusal it is", async () => {
  const { status, body } = await ask(sandboxOf(), "PATCH", "/settings", { as: "cora" });
  expect([status, body.msg]).toEqual([405, "The sandbox does not implement PATCH /settings."]);
});

test("a bot gets another owner, who must be an active person", async () => {
  const sandbox = sandboxOf();
  const give = (to: number, bot = 14, as = "iris") =>
    ask(sandbox, "PATCH", `/bots/${bot}`, { as, form: { bot_owner_id: String(to) } });
  const said = async (...of: Parameters<typeof give>) => (await give(...of)).body.msg;
  expect(await said(12, 11)).toBe("No such bot");
  expect(await said(12, 14, "otis")).toBe("Insufficient permission");
  expect(await said(99)).toBe("Failed to change owner, no such user");
  expect(await said(15)).toBe("Failed to change owner, user is deactivated");
  expect(await said(14)).toBe("Failed to change owner, bots can't own other bots");
  expect(await give(12)).toMatchObject({
    status: 200,
    body: { full_name: "Beep Bot", bot_owner: "otis@sandbox.example" },
  });
  expect(sandbox.state.users.get(14)!.bot_owner_id).toBe(12);
});

test("the proxy stops long request lines, long headers and large bodies", async () => {
  const long = await ask(sandboxOf(), "GET", `/users/me?x=${"a".repeat(8200)}`, { as: "cora" });
  expect([long.status, long.headers["content-type"]]).toEqual([414, "text/html"]);
  const header = await ask(sandboxOf(), "GET", "/users/me", { headers: { "user-agent": "a".repeat(8200) } });
  expect(header.status).toBe(400);
  const body = await ask(sandboxOf(), "POST", "/drafts", { headers: form, body: "a".repeat(25 * 1024 * 1024 + 1) });
  expect(body.status).toBe(413);
});

test("the proxy lets no other method to the events", async () => {
  const sandbox = sandboxOf();
  expect((await ask(sandbox, "POST", "/events", { as: "iris", form: {} })).status).toBe(405);
  expect((await ask(sandbox, "OPTIONS", "/events", { as: "iris" })).headers.allow).toBe("DELETE, GET, HEAD");
});

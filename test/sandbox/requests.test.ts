import { expect, test } from "vitest";
import { ask, named, person, refusal, sandboxOf } from "./asking.ts";

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

test("of a name given twice the last value counts", async () => {
  expect((await patched({ headers: form, body: "description=a&description=b" })).description).toBe("b");
});

test("a body of another type is not read, and nothing of it is reported", async () => {
  const { status, body, description } = await patched({
    headers: { "content-type": "application/json" },
    body: '{"description":"x","zz":1}',
  });
  expect([status, body, description]).toEqual([200, { result: "success", msg: "" }, "Sketches and **drafts**"]);
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

test("more than a thousand parameters break a PATCH and are a bad POST", async () => {
  const body = Array.from({ length: 1001 }, (_, n) => `p${n}=1`).join("&");
  expect((await patched({ headers: form, body })).status).toBe(500);
  expect((await ask(sandboxOf(), "POST", "/drafts", { as: "cora", headers: form, body })).status).toBe(400);
});

test("a POST may carry another method in its form, and only there", async () => {
  const sandbox = sandboxOf();
  const path = `/streams/${design(sandbox).stream_id}`;
  const patch = await ask(sandbox, "POST", path, { as: "iris", form: { method: "PATCH", description: "x" } });
  expect([patch.status, patch.body.ignored_parameters_unsupported]).toEqual([200, ["method"]]);
  const lower = await ask(sandbox, "POST", path, { as: "iris", form: { method: "patch" } });
  expect([lower.status, lower.body.allowed_methods]).toEqual([405, ["GET", "PATCH", "DELETE", "HEAD"]]);
  const query = await ask(sandbox, "POST", "/drafts", { as: "iris", query: { method: "GET" }, form: { drafts: "[]" } });
  expect(query.body).toEqual({ result: "success", msg: "", ids: [], ignored_parameters_unsupported: ["method"] });
});

test("the client's name is known in the query and in the form of a POST, not in that of a PATCH", async () => {
  expect((await patched({ query: { client: "x" } })).body).toEqual({ result: "success", msg: "" });
  expect((await patched({ form: { client: "x" } })).body.ignored_parameters_unsupported).toEqual(["client"]);
});

test("unknown parameters are reported in the order of their characters, errors report none", async () => {
  const { body } = await patched({ form: { zz: "1", Aa: "2", "": "3", stream_id: "4", é: "5" } });
  expect(body.ignored_parameters_unsupported).toEqual(["", "Aa", "stream_id", "zz", "é"]);
  expect((await patched({ form: { zz: "1", new_name: "" } })).body).toEqual(refusal("Channel name can't be empty."));
});

test("endpoints that declare no parameters report nothing", async () => {
  for (const path of [
    "/users/me",
    "/drafts",
    "/attachments",
    "/realm/linkifiers",
    "/export/realm",
    "/server_settings",
  ]) {
    const { status, body } = await ask(sandboxOf(), "GET", path, { as: "iris", query: { zz: "1" } });
    expect([path, status, "ignored_parameters_unsupported" in body]).toEqual([path, 200, false]);
  }
});

test.each([
  ["1.0", "add[0] is not an integer"],
  ["NaN", "add[0] is not an integer"],
  ["1NaN", "add is not valid JSON"],
  ["-NaN", "add is not valid JSON"],
  ["-Infinity", "add[0] is not an integer"],
  ["true", "add[0] is not an integer"],
  ['"5"', "add[0] is not an integer"],
  ["null", "add[0] is not an integer"],
  ["1e2", "add[0] is not an integer"],
  ["9".repeat(5000), "add is not valid JSON"],
  ["01", "add is not valid JSON"],
  ["[[", "add is not valid JSON"],
  ["[".repeat(300) + "]".repeat(300), "add is not valid JSON"],
  ['"\\ud800"', "add is not valid JSON"],
  ["99999999999999999999", "Invalid user ID: 99999999999999999999"],
])("a list that holds %.20s is refused in the server's words", async (item, msg) => {
  const sandbox = sandboxOf();
  const path = `/user_groups/${named(sandbox.state.groups, "designers").id}/members`;
  const { status, body } = await ask(sandbox, "POST", path, { as: "iris", form: { add: `[${item}]` } });
  expect([status, body]).toEqual([400, refusal(msg)]);
});

test("white space around a value is allowed, and of members with one name the last counts", async () => {
  const update = ' \n{"new": 1, "new": {"direct_members": [], "direct_subgroups": []}} ';
  expect((await patched({ form: { can_send_message_group: update } })).status).toBe(200);
});

test("route and method are judged first, then credentials, role, parameters, and the thing in the path", async () => {
  const sandbox = sandboxOf();
  const post = (path: string, as?: string) => ask(sandbox, "POST", path, { as, form: { name: "x" } });
  expect((await post("/nothing")).status).toBe(404);
  expect((await post("/streams")).status).toBe(405);
  expect((await post("/channel_folders/create")).status).toBe(401);
  expect((await post("/channel_folders/create", "cora")).body.code).toBe("UNAUTHORIZED_PRINCIPAL");
  expect((await post("/channel_folders/create", "adam")).body).toEqual(
    refusal("Missing 'description' argument", { var_name: "description" }, "REQUEST_VARIABLE_MISSING"),
  );
  const malformed = await ask(sandbox, "PATCH", "/streams/999999", { as: "iris", form: { is_private: "x" } });
  expect(malformed.body).toEqual(refusal("is_private is not valid JSON"));
  expect((await ask(sandbox, "PATCH", "/streams/999999", { as: "iris" })).body).toEqual(refusal("Invalid channel ID"));
});

test.each([
  ["/drafts", ["GET", "POST", "HEAD"]],
  ["/export/realm", ["POST", "GET", "HEAD"]],
  ["/streams/1", ["GET", "PATCH", "DELETE", "HEAD"]],
  ["/users/me/apns_device_token", ["POST", "DELETE"]],
  ["/attachments/1", ["DELETE"]],
])("another method on %s is 405, JSON that calls itself HTML, without a code", async (path, allowed_methods) => {
  const { status, headers, body } = await ask(sandboxOf(), "PUT", path);
  expect(status).toBe(405);
  expect(headers.allow).toBe(allowed_methods.join(", "));
  expect(headers["content-type"]).toBe("text/html; charset=utf-8");
  expect(body).toEqual({ result: "error", msg: "Method Not Allowed", allowed_methods });
});

test("OPTIONS tells the methods in the order of the alphabet, but not of the two endpoints of an older kind", async () => {
  const options = async (path: string) => {
    const { status, headers } = await ask(sandboxOf(), "OPTIONS", path);
    return [status, headers.allow];
  };
  expect(await options("/drafts")).toEqual([204, "GET, HEAD, POST"]);
  expect(await options("/fetch_api_key")).toEqual([405, "POST"]);
  expect(await options("/server_settings")).toEqual([405, "GET, HEAD"]);
  expect(await options("/nothing")).toEqual([404, undefined]);
});

test("HEAD is answered like GET without a body", async () => {
  const sandbox = sandboxOf();
  const get = await ask(sandbox, "GET", "/users/me", { as: "cora" });
  const head = await ask(sandbox, "HEAD", "/users/me", { as: "cora" });
  expect([head.status, head.body, head.headers["content-length"]]).toEqual([200, "", get.headers["content-length"]]);
});

test("what a real server does and the sandbox leaves out is refused in words that say whose refusal it is", async () => {
  const { status, body } = await ask(sandboxOf(), "POST", "/messages", { as: "cora" });
  expect([status, body.msg]).toEqual([405, "The sandbox does not implement POST /messages."]);
});

test.each([
  ["/streams/-1", 404],
  ["/streams/1.5", 404],
  ["/streams/1a", 404],
  ["/streams/1/", 404],
  ["/users/a%2Fb", 404],
  ["//users/me", 200],
  ["/streams/../users/me", 200],
  ["/streams/99999999999999999999", 400],
])("the path %s is answered with %i", async (path, status) => {
  expect((await ask(sandboxOf(), "GET", path, { as: "cora" })).status).toBe(status);
});

test("the proxy stops long request lines, long headers and large bodies", async () => {
  const long = await ask(sandboxOf(), "GET", `/users/me?x=${"a".repeat(8200)}`, { as: "cora" });
  expect([long.status, long.headers["content-type"]]).toEqual([414, "text/html"]);
  const header = await ask(sandboxOf(), "GET", "/users/me", { headers: { "user-agent": "a".repeat(8200) } });
  expect(header.status).toBe(400);
  const body = await ask(sandboxOf(), "POST", "/drafts", { headers: form, body: "a".repeat(25 * 1024 * 1024 + 1) });
  expect(body.status).toBe(413);
});

test("two sandboxes of one clock and one row of random numbers are the same", () => {
  const [one, other] = [sandboxOf(), sandboxOf()];
  expect(one.info()).toEqual(other.info());
  expect(person(one, "cora").api_key).toMatch(/^[A-Za-z0-9]{32}$/);
});

/** `api`: any endpoint, with the guarantees of the other commands. */
import { describe, expect, test } from "vitest";
import { main } from "../../src/main.ts";
import { credentials, fresh, person, zulipctl } from "../run.ts";
import { answer, testWorld } from "../world.ts";

const error = (err: string) => JSON.parse(err.trim().split("\n").at(-1)!).error;

describe("refuses the path, and sends nothing:", () => {
  test.each([
    ["https://other.example/api/v1/users", '"https://other.example/api/v1/users" names another host than chat.example'],
    ["https://chat.example@evil.example/users", "names another host than chat.example"],
    ["\\\\evil.example\\users", "names another host than chat.example"],
    ["file:///etc/passwd", "names another host than chat.example"],
    ["/users/../../json/users", '".." leads to another directory'],
    ["/users/%2e%2E/x", '"%2e%2E" leads to another directory'],
    ["/users%2fme", '"users%2fme" has an encoded slash or a backslash'],
    ["/users\\me", '"users\\me" has an encoded slash or a backslash'],
    ["/users\n", "it holds a line break or another control character"],
    ["/users%00", "it holds a line break or another control character"],
    ["/users\u2028", "it holds a line break or another control character"],
    ["/users//me", "it has two slashes in a row, or ends with one"],
    ["/users%zz", '"users%zz" has an invalid % escape'],
    ["/users#x", "it has a #: the text after it would not be sent"],
    ["", "it names no endpoint"],
    ["?a=b", "it names no endpoint"],
  ])("%j", async (path, words) => {
    const { code, out, err, sent } = await zulipctl(["api", "POST", path]);
    expect({ code, out, sent }).toEqual({ code: 2, out: "", sent: [] });
    expect(err).toMatch(/^zulipctl: <path>: /);
    expect(err).toContain(words);
  });
});

describe("refuses invalid flags:", () => {
  test.each([
    [["-f", "x"], '-f must be name=value: "x" has no ='],
    [["-F", "x=y"], '-F x: "y" is not valid JSON\nPass text with -f, or in double quotes.'],
    [["-f", "x=@missing"], "-f x: file not found: missing"],
    [["-f", "x=1", "-F", "x=2"], '-F x: the parameter "x" is given twice'],
    [["-f", "x=-", "-f", "y=-"], "-f y cannot read stdin: another flag reads it"],
    [["--body", "form", "-f", "x=1"], "--body cannot be combined with -f"],
    [["--body", "spaced"], "--body: not a form: it has spaces, line breaks or unescaped characters"],
  ])("%j", async (flags, words) => {
    const files = new Map([
      ["form", "a=b"],
      ["spaced", "a=b c"],
    ]);
    const { code, err, sent } = await zulipctl(["api", "POST", "/x", ...flags], { files, input: "in" });
    expect({ code, sent }).toEqual({ code: 2, sent: [] });
    expect(err).toContain(`zulipctl: ${words}`);
  });

  test("query parameters of a change, and a form of a read", async () => {
    expect(await zulipctl(["api", "POST", "/drafts?a=b"])).toMatchObject({
      code: 2,
      err: "zulipctl: <path>: the parameters of a POST go with -f, -F or --body, not behind a ?\n",
      sent: [],
    });
    const files = new Map([["form", "a=b"]]);
    expect(await zulipctl(["api", "GET", "/drafts", "--body", "form"], { files })).toMatchObject({
      code: 2,
      err: "zulipctl: --body cannot be combined with GET: pass parameters with -f and -F\n",
    });
  });
});

test("reads values from files and stdin", async () => {
  const files = new Map([
    ["d.md", "from a file\n"],
    ["n.json", "[1]\n"],
  ]);
  const flags = ["-f", "a=@d.md", "-f", "b=-", "-f", "c=@@home", "-f", "d=x=y", "-F", "e=@n.json"];
  const { sent } = await zulipctl(["api", "POST", "/x", ...flags], { files, input: "from stdin\n" });
  expect(sent[0]!.body).toBe("a=from+a+file&b=from+stdin&c=%40home&d=x%3Dy&e=%5B1%5D");
});

test("sends a form unchanged, without the final newline", async () => {
  const files = new Map([["form", "a=%7e&b&c=x+y%20z&a=2\n"]]);
  const twice = await zulipctl(["api", "POST", "/x", "--body", "form"], { files });
  expect(twice).toMatchObject({ code: 2, err: 'zulipctl: --body a: the parameter "a" is given twice\n' });
  files.set("form", "a=%7e&b&c=x+y%20z\n");
  const { sent } = await zulipctl(["api", "POST", "/x", "--body", "form"], { files });
  expect(sent[0]).toMatchObject({ method: "POST", body: "a=%7e&b&c=x+y%20z" });
  const piped = await zulipctl(["api", "POST", "/x", "--body", "-"], { input: "a=b" });
  expect(piped.sent[0]!.body).toBe("a=b");
  const shown = await zulipctl(["api", "POST", "/x", "--body", "form", "--dry-run", "--json"], { files });
  expect(JSON.parse(shown.out)).toEqual([
    {
      operation: "api",
      method: "POST",
      url: "https://chat.example/api/v1/x",
      parameters: { a: "~", b: "", c: "x y z" },
      body: "a=%7e&b&c=x+y%20z",
    },
  ]);
  expect(shown.sent).toEqual([]);
});

describe("the output", () => {
  const folder = ["api", "POST", "/channel_folders/create", "-f", "name=Plans", "-f", "description="];

  test("begins with status and headers with --include", async () => {
    for (const argv of [["api", "GET", "/users/me/1/topics"], folder]) {
      const { out } = await zulipctl([...argv, "--include"], { sandbox: fresh({ rateLimits: true }) });
      const [head, body] = out.split("\n\n");
      expect(head).toMatch(/^HTTP 200\n/);
      expect(head).toMatch(/^content-type: application\/json$/m);
      expect(head).toMatch(/^x-ratelimit-remaining: \d+$/m);
      expect(() => JSON.parse(body!)).not.toThrow();
    }
  });
});

describe("--curl", () => {
  test.each([
    [
      ["GET", "/users?a=b c", "-f", "d='"],
      "curl --user iris@sandbox.example:\"$ZULIP_API_KEY\" 'https://chat.example/api/v1/users?a=b+c&d=%27'",
    ],
    [
      ["POST", "/x", "-f", "a='b"],
      'curl --request POST --user iris@sandbox.example:"$ZULIP_API_KEY" --data-raw a=%27b https://chat.example/api/v1/x',
    ],
    [["DELETE", "/streams/1", "--include"], "curl --include --request DELETE --user"],
  ])("prints %j for a shell and sends nothing", async (argv, words) => {
    const sandbox = fresh();
    const { code, out, sent } = await zulipctl(["api", ...argv, "--curl"], { sandbox });
    expect({ code, sent }).toEqual({ code: 0, sent: [] });
    expect(out).toContain(words);
    expect(out).toContain('"$ZULIP_API_KEY"');
    expect(out).not.toContain(person(sandbox, 100).api_key);
    expect(out.split("\n")).toHaveLength(2);
  });
});

describe("reports only known outcomes:", () => {
  const says = (body: object) => async () => answer(400, { result: "error", msg: "No.", code: "BAD_REQUEST", ...body });

  test("a refusal of an unknown endpoint may be partial", async () => {
    const { code, err } = await zulipctl(["api", "POST", "/unheard/of", "-f", "a=1", "-f", "b=2", "--json"], {
      http: says({}),
    });
    expect(code).toBe(1);
    expect(error(err)).toMatchObject({
      outcome: "maybe_partial",
      message: "No. Parts of the change may have been applied, in an unknown order: a, b",
      hint: "Check the server before you try again.",
      parameters: ["a", "b"],
    });
    const one = await zulipctl(["api", "POST", "/unheard/of", "-f", "a=1", "--json"], { http: says({}) });
    expect(error(one.err)).toMatchObject({ outcome: "not_applied", message: "No." });
  });

  test("a refusal of a known endpoint is partial only if the endpoint can be", async () => {
    const update = ["api", "PATCH", "/streams/2", "-f", "new_name=x", "-f", "description=y", "--json"];
    expect(error((await zulipctl(update, { http: says({}) })).err)).toMatchObject({
      outcome: "maybe_partial",
      message: "No. Earlier parts may have been applied, in this order: description, new_name",
      hint: "Check with: zulipctl api GET /streams/2",
    });
    const create = ["api", "POST", "/channel_folders/create", "-f", "name=x", "-f", "description=y", "--json"];
    expect(error((await zulipctl(create, { http: says({}) })).err)).toMatchObject({ outcome: "not_applied" });
  });

  test("a missing endpoint counts as unreachable", async () => {
    const { code, err } = await zulipctl(["api", "GET", "/unheard/of", "--json"]);
    expect(code).toBe(4);
    expect(error(err)).toMatchObject({
      http_status: 404,
      kind: "unreachable",
      hint: "The endpoint may not exist: check the method and the path.",
    });
    expect(error(err)).not.toHaveProperty("outcome");
    const post = await zulipctl(["api", "POST", "/unheard/of", "--json"]);
    expect([post.code, error(post.err).outcome]).toEqual([4, "not_applied"]);
  });

  test("names an ignored parameter as typed", async () => {
    const { code, err } = await zulipctl(["api", "GET", "/streams", "-f", "nonsense=1"]);
    expect(code).toBe(5);
    expect(err).toContain("ignored nonsense: that part was not applied");
    const change = await zulipctl(["api", "PATCH", "/streams/1", "-f", "nonsense=1"]);
    expect(change).toMatchObject({ code: 5, out: "{}\n" });
    expect(change.err).toContain("ignored -f nonsense: that part was not applied");
  });
});

describe("in a batch", () => {
  test("makes changes, and column values are never files", async () => {
    const sandbox = fresh();
    const input = "id,text\n1,one\n2,@missing\n";
    const argv = ["batch", "-", "--format", "csv", "-o", "json", "--", "api", "PATCH", "/streams/{id}"];
    const { code, out } = await zulipctl([...argv, "-f", "description={text}"], { sandbox, input });
    expect(code).toBe(0);
    expect(
      JSON.parse(out).map(({ operation, target, outcome }: Record<string, string>) => [operation, target, outcome]),
    ).toEqual([
      ["api", "PATCH /streams/1", "done"],
      ["api", "PATCH /streams/2", "done"],
    ]);
    // A value of a column is data, also after a typed name.
    expect(sandbox.state.channels.get(2)!.description).toBe("@missing");
  });

  test("checks a path from a column", async () => {
    const argv = ["batch", "-", "--format", "csv", "--", "api", "DELETE", "/streams/{id}"];
    const { code, sent } = await zulipctl(argv, { input: "id\n1\n../users/9\n" });
    expect({ code, sent }).toEqual({ code: 2, sent: [] });
  });
});

test("never prints the key or a secret", async () => {
  const sandbox = fresh();
  const { email, api_key } = person(sandbox, 100);
  const secret = "correct horse battery";
  const lines = [
    ["POST", "/fetch_api_key", "-f", `username=${email}`, "-f", `password=${secret}`],
    ["POST", "/users/me/apns_device_token", "-f", `token=${secret}`, "-f", "appid=x"],
    // For unknown endpoints and parameters, the name decides.
    ["POST", "/nobody/knows", "-f", `bot_api_key=${secret}`],
    ["PATCH", "/users/me/apns_device_token", "-F", `new_password="${secret}"`],
    ["GET", "/nobody/knows", "-f", `key=${secret}`],
  ];
  for (const line of lines)
    for (const flags of [["--dry-run"], ["--dry-run", "--json"], ["--curl"], ["--verbose"], ["--verbose", "--json"]]) {
      const world = testWorld({
        http: async ({ url, headers, body }) =>
          answer(400, { result: "error", msg: `${url} ${JSON.stringify(headers)} ${body}`, code: "BAD_REQUEST" }),
        env: credentials(sandbox),
      });
      await main(["api", ...line, ...flags], world);
      const said = world.stdout.text + world.stderr.text;
      for (const hidden of [
        api_key,
        secret,
        secret.replaceAll(" ", "+"),
        Buffer.from(`${email}:${api_key}`).toString("base64"),
      ])
        expect(said).not.toContain(hidden);
    }
});

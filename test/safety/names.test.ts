/** Names of JavaScript's own members, such as `constructor`, are ordinary text in arguments, files and answers. */
import { createServer } from "node:net";
import { describe, expect, onTestFinished, test } from "vitest";
import { main } from "../../src/main.ts";
import type { HttpRequest } from "../../src/world/world.ts";
import { zulipctl as built, environment } from "../binary/program.ts";
import { everyCase, everyLine, kept, setup, withFlags } from "../cases/all.ts";
import { credentials, fresh, site, zulipctl } from "../run.ts";
import { answer, testWorld } from "../world.ts";

const names = [...Object.getOwnPropertyNames(Object.prototype), "prototype"];
const owner = credentials(fresh());

/** Runs a command, by default as an owner of a fresh sandbox. */
async function run(argv: string[], setup: Parameters<typeof testWorld>[0] = {}) {
  const world = testWorld({ http: fresh().handle, env: owner, ...setup });
  const code = await main(argv, world);
  return { code, out: world.stdout.text, err: world.stderr.text, world };
}

describe.each(names)("%s", (name) => {
  test.each<[string, string[], string]>([
    ["a noun", [name], `unknown command "${name}"`],
    ["a verb", ["channel", name], `unknown command "channel ${name}"`],
    ["a topic of help", ["help", name], `unknown command "${name}"`],
    ["a shell", ["completion", name], `unknown command "completion ${name}"`],
    ["a flag", ["users", "list", `--${name}`], `unknown flag: --${name}`],
    ["a role", ["users", "list", "--role", name], `--role: unknown role "${name}"`],
    ["a field", ["users", "list", "--fields", name], `--fields: unknown field "${name}"`],
    ["a missing profile", ["users", "list", "-p", name], "--profile: profile not found"],
    ["a setting", ["channel", "update", "1", "--expect", `${name}=1`], `--expect: unknown setting "${name}"`],
    ["an operand", ["messages", "match", "--ids", "1", "--narrow", `is:${name}`], "--narrow, column 1: is: must be "],
    [
      "a member of a term",
      ["messages", "match", "--ids", "1", "--narrow-json", `[{${JSON.stringify(name)}: "x"}]`],
      `--narrow-json[0]: unknown member "${name}" of a term`,
    ],
    [
      "a variable of a template",
      ["linkifier", "add", "A(?P<id>[0-9]+)", `https://x.example/{id}{?${name}}`],
      `Group '${name}' in URL template is not present in linkifier pattern.`,
    ],
    ["a channel", ["channel", "update", `name:${name}`, "--description", "x"], `channel "${name}" not found`],
    ["a group", ["group", "members", `name:${name}`], `group "${name}" not found`],
    ["a user", ["users", "list", "--ids", `name:${name}`], "--ids"],
    ["a fault", ["sandbox", "exec", "--fault", name, "--", "true"], `unknown fault "${name}"`],
    [
      "a setting of a fault",
      ["sandbox", "exec", "--fault", `hang:${name}=1`, "--", "true"],
      `has no setting "${name}"`,
    ],
  ])("as %s is unknown", async (_, argv, message) => {
    const { code, err } = await run(argv);
    expect([code, err.split("\n")[0]]).toEqual([2, expect.stringContaining(message)]);
  });

  test("as an operator is for the server to judge", async () => {
    const terms = JSON.stringify([{ operator: name, operand: "x" }]);
    const { code, err } = await run(["messages", "match", "--ids", "1", "--narrow-json", terms]);
    expect([code, err.split("\n")[0]]).toEqual([1, `zulipctl: Invalid narrow operator: unknown operator ${name}`]);
  });

  test("can be the name of a profile if it is a valid one, and the configuration stays intact", async () => {
    const account = { site: "https://chat.example", email: "a@b.example", store: "file", key_file: "keys/a" };
    const config = { current: "work", profiles: { work: account } };
    const renamed = await run(["profile", "rename", "work", name], { config });
    if (/^_/.test(name)) return expect([renamed.code, renamed.world.config()]).toEqual([2, config]);
    const later = { config: renamed.world.config(), env: {}, files: new Map([["/config/keys/a", "k"]]) };
    const list = await run(["profile", "list", "--jq", ".[] | [.name, .current]"], later);
    expect([renamed.code, list.code, list.out]).toEqual([0, 0, `["${name}",true]\n`]);
    const removed = await run(["auth", "logout"], later);
    expect([removed.code, removed.world.config(), [...removed.world.files.content]]).toEqual([0, { profiles: {} }, []]);
  });

  test("can be the name of a column", async () => {
    const files = new Map([
      ["rows.csv", `id,${name}\n1,sketches\n`],
      ["rows.ndjson", `{"id": 1, ${JSON.stringify(name)}: "sketches"}\n`],
      ["bare.csv", "id\n1\n"],
      ["bare.ndjson", '{"id": 1}\n'],
    ]);
    const words = ["--", "channel", "update", "{id}", "--new-name", `{${name}}`];
    for (const file of ["rows.csv", "rows.ndjson"]) {
      const { code, world } = await run(["batch", file, ...words], { files });
      expect([code, world.sent.at(-1)?.body]).toEqual([0, "new_name=sketches"]);
    }
    expect(await run(["batch", "bare.csv", ...words], { files })).toMatchObject({
      code: 2,
      err: expect.stringContaining(`bare.csv has no column "${name}"`),
    });
    expect(await run(["batch", "bare.ndjson", ...words], { files })).toMatchObject({
      code: 2,
      err: expect.stringContaining(`"${name}" is missing`),
    });
  });

  test("can be the name of a field in an answer, in every output format", async () => {
    const record = `"user_id": 7, "full_name": "A", "email": "a@b.example", "role": 100, "is_active": true, "is_bot": false`;
    // A name that is no known field may be a profile field.
    const http = async ({ url }: HttpRequest) =>
      answer(
        200,
        url.endsWith("/realm/profile_fields")
          ? `{"result": "success", "msg": "", "custom_fields": []}`
          : `{"result": "success", "msg": "", "${name}": 1, "members": [{${record}, "${name}": "own"}, {${record}}]}`,
      );
    const list = (...more: string[]) => run(["users", "list", ...more], { http });
    expect((await list("--fields", name, "-o", "json")).out.replaceAll(/\s/g, "")).toBe(`[{"${name}":"own"},{}]`);
    expect((await list("--fields", name, "-o", "ndjson")).out).toBe(`{"${name}":"own"}\n{}\n`);
    expect((await list("--fields", name, "-o", "csv")).out).toBe(`${name}\r\nown\r\n""\r\n`);
    expect((await list("--fields", name)).out).toBe(`${name}\nown\n\n`);
    expect((await list("-o", "json")).out).toContain(`"${name}":"own"`);
    expect((await list("-o", "yaml")).out).toContain(`${name}: own`);
    expect((await list("--jq", `.[0]["${name}"]`)).out).toBe("own\n");
  });

  test("is shown in a refusal and as an ignored parameter", async () => {
    const answers = (body: string) => async () => answer(400, body);
    const refusal = await run(["users", "list", "-o", "json"], {
      http: answers(`{"result": "error", "msg": "No", "code": "${name}", "${name}": [1]}`),
    });
    expect(JSON.parse(refusal.err).error).toMatchObject({ exit_code: 1, message: "No", code: name });
    expect(refusal.err).toContain(`"${name}":[1]`);
    const ignored = await run(["folder", "create", "x", "--feature-level", "442"], {
      http: async () =>
        answer(
          200,
          `{"result": "success", "msg": "", "channel_folder_id": 1, "ignored_parameters_unsupported": ["${name}"]}`,
        ),
    });
    expect([ignored.code, ignored.err]).toEqual([5, expect.stringContaining(name)]);
  });

  test("can be the name of people, channels and groups", async () => {
    const key = JSON.stringify(name);
    const organization = `{
      "users": [{"key": ${key}, "full_name": ${key}, "email": "a@b.example", "role": 100}],
      "channels": [{"name": ${key}, "subscribers": [${key}], "creator": ${key}}],
      "groups": [{"name": ${key}, "members": [${key}], "subgroups": []}]
    }`;
    const { readWorld } = await import("../../src/sandbox/index.ts");
    const sandbox = fresh({ world: readWorld(organization) });
    const who = sandbox.info().users.find(({ full_name }) => full_name === name)!;
    const env = { ZULIP_SITE: site, ZULIP_EMAIL: who.email, ZULIP_API_KEY: who.api_key };
    const argv = [
      "channel",
      "update",
      name,
      "--description",
      "x",
      "--can-subscribe-group",
      `user:name:${name},group:${name}`,
    ];
    expect(await zulipctl(argv, { sandbox, env })).toMatchObject({ code: 0, err: "" });
    const listed = await zulipctl(["group", "members", name, "-o", "ids"], { sandbox, env });
    expect([listed.code, listed.out]).toEqual([0, `${who.user_id}\n`]);
  });
});

const lines = everyLine.filter(({ command }) => command !== "__complete");

test.each(lines.map((line) => [line.argv.join(" "), line] as const))("%s has no such flag", async (_, line) => {
  const { http, env } = setup(line);
  for (const name of names) {
    const world = testWorld({ ...kept(line), input: line.input, env, http });
    const code = await main(withFlags(line.argv, [`--${name}`]), world);
    expect([code, world.stderr.text.split("\n")[0]]).toEqual([2, expect.stringContaining(`unknown flag: --${name}`)]);
    expect(world.sent).toEqual([]);
  }
});

const runLine = async (line: (typeof lines)[number], more: string[]) => {
  const world = testWorld(setup(line));
  return { code: await main(withFlags(line.argv, more), world), out: world.stdout.text, err: world.stderr.text };
};
const reads = lines.filter(
  ({ command, argv }) =>
    everyCase.get(command)!.kind === "read" &&
    !argv.some((word) => ["-o", "--json", "--fields", "--jq"].includes(word)),
);

test.each(reads.map((line) => [line.argv.join(" "), line] as const))("%s has no such field", async (_, line) => {
  // Fields are known only from records.
  if ((await runLine(line, ["-o", "json"])).out === "[]\n") return;
  for (const name of names)
    expect(await runLine(line, ["--fields", name])).toMatchObject({
      code: 2,
      err: expect.stringContaining(`--fields: unknown field "${name}"`),
    });
});

test("can be names of headers in an answer to the built program", async () => {
  const body = '{"result": "success", "msg": "", "members": []}';
  const headers = names.flatMap((name) => [`${name}: a`, `${name}: b`]);
  const server = createServer((socket) => {
    socket.on("error", () => undefined);
    socket.on("data", () => {
      socket.end(
        ["HTTP/1.1 200 OK", ...headers, `Content-Length: ${body.length}`, "Connection: close", "", body].join("\r\n"),
      );
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void server.close());
  const { port } = server.address() as { port: number };
  const env = { ...environment(), ...owner, ZULIP_SITE: `http://127.0.0.1:${port}` };
  expect(await built(["users", "list", "-o", "json", "--feature-level", "442"], { env })).toMatchObject({
    code: 0,
    out: "[]\n",
    err: "",
  });
});

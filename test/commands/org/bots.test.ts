/** Bots in organization files: made, renamed, given away and deactivated; their keys are nowhere. */
import { expect, test } from "vitest";
import type { Sandbox } from "../../../src/sandbox/index.ts";
import { fresh, person, zulipctl } from "../../run.ts";

const org = (text: string, words: readonly string[], sandbox: Sandbox = fresh(), files = new Map<string, string>()) =>
  zulipctl(["org", ...words], { sandbox, files: files.set("organization.yaml", text) });

const plan = ["plan", "organization.yaml"];
const apply = ["apply", "organization.yaml", "--yes", "--quiet"];

const problem = (line: number, column: number, says: string): string =>
  `zulipctl: 1 problem in organization.yaml\n  organization.yaml, line ${line}, column ${column}: ${says}\n`;

const botOf = ({ state }: Sandbox, email: string) =>
  [...state.users.values()].find((user) => user.delivery_email === email)!;

test("exports address, name, owner and kind of each bot, and no key", async () => {
  const sandbox = fresh();
  const { out } = await org("", ["export", "--only", "bots"], sandbox);
  expect(out).toBe(`# yaml-language-server: $schema=organization.schema.json
organization: https://chat.example

bots:
  - email: beep-bot@sandbox.example
    name: Beep Bot
    owner: iris@sandbox.example
    kind: generic
`);
  expect(await org(out, [...plan, "--exit-code"], sandbox)).toMatchObject({ code: 0, err: "" });
  botOf(sandbox, "beep-bot@sandbox.example").is_active = false;
  const away = await org("", ["export", "--only", "bots", "-o", "json"], sandbox);
  expect(JSON.parse(away.out).bots).toEqual([{ email: "beep-bot@sandbox.example", active: false }]);
});

const build = `bots:
  - email: build-bot@chat.example
    name: Build
    owner: otis@sandbox.example
    kind: incoming-webhook
  - { email: beep-bot@sandbox.example, name: Boop, owner: 'name:Cora Member' }
`;

test("a plan names bots with their addresses", async () => {
  const { code, out } = await org(build, plan);
  expect(code).toBe(0);
  expect(out.split("\n").slice(2, 9)).toEqual([
    "+ bot build-bot@chat.example",
    '    name: "Build"',
    "    kind: incoming-webhook",
    "    owner: Otis Member",
    "~ bot Beep Bot (beep-bot@sandbox.example)",
    '    name: "Beep Bot" → "Boop"',
    "    owner: Iris Owner → Cora Member",
  ]);
});

test("a dry run shows the requests", async () => {
  expect((await org(build, ["apply", "organization.yaml", "--dry-run"])).out).toBe(
    `POST https://chat.example/api/v1/bots  bots.create
  full_name = "Build"
  short_name = "build"
  bot_type = 2
PATCH https://chat.example/api/v1/bots/<id of bot build-bot@chat.example>  bots.update
  bot_owner_id = 12
PATCH https://chat.example/api/v1/bots/14  bots.update
  full_name = "Boop"
  bot_owner_id = 11
`,
  );
});

test("a new bot's key is neither printed nor kept, and the result says how to get one", async () => {
  const sandbox = fresh();
  const files = new Map<string, string>();
  const words = ["apply", "organization.yaml", "--yes", "--verbose", "--journal", "run.ndjson"];
  const { code, out, err, sent } = await org(build, words, sandbox, files);
  expect({ code, out }).toEqual({
    code: 0,
    out:
      "ROW\tTARGET\tOUTCOME\tRESULT\n" +
      '1\tbot build-bot@chat.example\tdone\tcreated (get its key with "zulipctl bots rotate-key build-bot@chat.example --store keychain"). owner.\n' +
      "2\tbot beep-bot@sandbox.example\tdone\tname, owner.\n",
  });
  expect(
    sent
      .filter(({ url }) => url.includes("/bots"))
      .map(({ method, url, body }) => `${method} ${new URL(url).pathname} ${body}`),
  ).toEqual([
    "POST /api/v1/bots full_name=Build&short_name=build&bot_type=2",
    "PATCH /api/v1/bots/16 bot_owner_id=12",
    "PATCH /api/v1/bots/14 full_name=Boop&bot_owner_id=11",
  ]);
  const { api_key, bot_owner_id } = botOf(sandbox, "build-bot@chat.example");
  expect(bot_owner_id).toBe(12);
  expect([...files.keys()]).toContain("run.ndjson");
  for (const text of [out, err, ...files.values()]) expect(text).not.toContain(api_key);
  const json = await org(build.replaceAll("uild", "uilt"), [...apply, "-o", "json"], sandbox, files);
  expect(json.code).toBe(0);
  for (const text of [json.out, json.err, ...files.values()])
    expect(text).not.toContain(botOf(sandbox, "built-bot@chat.example").api_key);
});

test("deactivates bots that a complete list leaves out with --prune, and reactivates one with active: true", async () => {
  const sandbox = fresh();
  const text = "complete: [bots]\nbots: [{ email: build-bot@chat.example, name: Build }]\n";
  expect((await org(text, plan, sandbox)).out).toContain(
    "- bot Beep Bot (beep-bot@sandbox.example): deactivated, only with --prune\n  ! deactivates it\n",
  );
  expect(await org(text, [...apply, "--prune"], sandbox)).toMatchObject({ code: 0 });
  expect(botOf(sandbox, "beep-bot@sandbox.example").is_active).toBe(false);
  const entry = "bots: [{ email: beep-bot@sandbox.example, name: Beeper }]\n";
  expect(await org(entry, plan, sandbox)).toMatchObject({
    code: 2,
    err: problem(
      1,
      8,
      'bot "beep-bot@sandbox.example" is archived or deactivated: add "active: true" to restore it, or "active: false"',
    ),
  });
  const { code, sent } = await org(entry.replace(" }", ", active: true }"), apply, sandbox);
  expect(code).toBe(0);
  expect(sent.filter(({ url }) => /\/(bots|users)\//.test(url)).map(({ method, url }) => `${method} ${url}`)).toEqual([
    "PATCH https://chat.example/api/v1/bots/14",
    "POST https://chat.example/api/v1/users/14/reactivate",
  ]);
});

test("adds a new bot to lists in the next run, and says so in the first", async () => {
  const sandbox = fresh();
  const text =
    "bots: [{ email: x-bot@chat.example, name: X }]\n" +
    "channels: [{ name: design, subscribers: { add: [x-bot@chat.example] } }]\n";
  expect((await org(text, plan, sandbox)).err).toBe(
    "zulipctl: organization.yaml:2:49: x-bot@chat.example can be named here after it is created\n",
  );
  const first = await org(text, apply, sandbox);
  expect({ code: first.code, err: first.err }).toEqual({
    code: 5,
    err:
      "zulipctl: bots were created, and this differs from the files now: channel design\n" + "Apply the files again.\n",
  });
  expect(await org(text, apply, sandbox)).toMatchObject({ code: 0 });
  expect((await org(text, plan, sandbox)).out).toContain("matches the file");
});

test("bots of somebody who is deactivated need another owner", async () => {
  const sandbox = fresh();
  botOf(sandbox, "beep-bot@sandbox.example").bot_owner_id = person(sandbox, "otis@sandbox.example").user_id;
  const text =
    "people: [{ email: otis@sandbox.example, active: false }]\nbots: [{ email: beep-bot@sandbox.example, name: Boop }]\n";
  const says = "the owner Otis Member is deactivated: name another owner";
  expect(await org(text, plan, sandbox)).toMatchObject({ code: 2, err: problem(2, 8, says) });
  expect(await org(text.replace("name: Boop", "active: false"), apply, sandbox)).toMatchObject({ code: 0 });
  const back = "bots: [{ email: beep-bot@sandbox.example, active: true }]\n";
  expect(await org(back, plan, sandbox)).toMatchObject({ code: 2, err: problem(1, 8, says) });
  const owned = back.replace("true }", "true, owner: cora@sandbox.example }");
  expect(await org(owned, apply, sandbox)).toMatchObject({ code: 0 });
  expect(botOf(sandbox, "beep-bot@sandbox.example")).toMatchObject({ is_active: true, bot_owner_id: 11 });
});

test("the kind of a bot cannot be changed", async () => {
  const { code, err, out } = await org(
    "bots: [{ email: beep-bot@sandbox.example, kind: incoming-webhook, name: Boop }]\n",
    apply,
  );
  expect({ code, out, err }).toEqual({
    code: 1,
    out: "",
    err: "zulipctl: nothing was sent: the server would refuse some of it: bot beep-bot@sandbox.example: is of the kind generic: the kind of a bot cannot be changed\n",
  });
});

test.each([
  [
    "{ email: build@chat.example, name: B }",
    "no bot with the address build@chat.example: a new one has the form <short name>-bot@chat.example",
  ],
  [
    "{ email: build-bot@other.example, name: B }",
    "no bot with the address build-bot@other.example: a new one has the form <short name>-bot@chat.example",
  ],
  ["{ email: build-bot@chat.example }", 'missing "name": required for a new bot'],
  ["{ email: build-bot@chat.example, name: B, kind: embedded }", "files cannot create embedded bots"],
  [
    "{ email: build-bot@chat.example, name: B, kind: outgoing-webhook }",
    'missing "payload_url": required for a new outgoing webhook',
  ],
  [
    "{ email: build-bot@chat.example, name: B, payload_url: 'https://o.example' }",
    '"payload_url" requires "kind: outgoing-webhook"',
  ],
])("a new bot that servers would not make so: %s", async (entry, says) => {
  expect(await org(`bots: [${entry}]\n`, plan)).toMatchObject({ code: 2, err: problem(1, 8, says) });
});

test.each([
  ["beep-bot@sandbox.example", "Beep Bot is a bot: bots cannot own bots"],
  ["dora@sandbox.example", "the owner Dora Departed is deactivated: name another owner"],
  [
    "otia@sandbox.example",
    "no person with the e-mail address otia@sandbox.example; did you mean otis@sandbox.example?",
  ],
])("an owner who can be none: %s", async (owner, says) => {
  const text = `bots: [{ email: beep-bot@sandbox.example, owner: ${owner} }]\n`;
  expect(await org(text, plan)).toMatchObject({ code: 2, err: problem(1, 50, says) });
});

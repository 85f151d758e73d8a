/** `users list` of large or broken answers. `test/transcripts/users.txt` has the rest. */
import { describe, expect, test } from "vitest";
import { getUsers } from "../../src/api/users.ts";
import { namesDirectory } from "../../src/resolve/names-directory.ts";
import { saveNames } from "../../src/resolve/saved-names.ts";
import { readWorld } from "../../src/sandbox/world-file.ts";
import { call } from "../../src/wire/call.ts";
import { type HttpResponse, NoAnswer } from "../../src/world/world.ts";
import { fresh, type Run, site, zulipctl } from "../run.ts";
import { answer, testWorld } from "../world.ts";

const env = { ZULIP_SITE: site, ZULIP_EMAIL: "ada@chat.example", ZULIP_API_KEY: "k".repeat(32) };
const user = (user_id: number) => ({ user_id, email: `u${user_id}@x`, full_name: "Ada", is_bot: false, role: 400 });
const whole = () => answer(200, { result: "success", msg: "", members: [user(1), user(2)] });

/** An answer that is cut after its second person. */
const cut = (): HttpResponse => ({
  status: 200,
  headers: {},
  body: (async function* () {
    yield Buffer.from(`{"result":"success","members":[${JSON.stringify(user(1))},${JSON.stringify(user(2))},{"user_`);
    throw new NoAnswer("chat.example broke off its answer", "cut", true);
  })(),
});

const listing = (answers: HttpResponse[], ...words: string[]) =>
  zulipctl(["users", "list", ...words], { env, http: async () => answers.shift()! });

describe("a list of people that is cut", () => {
  test("is printed up to the cut, with a count, in forms that stream records", async () => {
    const out = { ids: "1\n2\n", ndjson: `${JSON.stringify(user(1))}\n${JSON.stringify(user(2))}\n` };
    for (const [form, text] of Object.entries(out))
      expect(await listing([cut(), whole()], "-o", form)).toMatchObject({
        code: 4,
        out: text,
        err: expect.stringContaining("chat.example broke off its answer; 2 records were printed before that\n"),
      });
    expect(await listing([cut(), whole()], "-o", "csv")).toMatchObject({
      code: 4,
      out: expect.stringMatching(/^user_id,.*\r\n1,.*\r\n2,.*\r\n$/),
    });
  });

  test("is read again in other forms, and nothing is printed twice", async () => {
    for (const form of ["json", "yaml", "table", "none"]) {
      const steady = await listing([whole()], "-o", form);
      expect(steady.code).toBe(0);
      expect(await listing([cut(), whole()], "-o", form)).toMatchObject({ code: 0, out: steady.out, err: "" });
    }
  });

  test("prints nothing in other forms if no answer is complete", async () => {
    expect(await listing([cut(), cut(), cut(), cut()], "-o", "json")).toMatchObject({ code: 4, out: "" });
  });
});

test("fields of bots have columns in CSV even if the first people are not bots", async () => {
  const bot = { ...user(400), is_bot: true, bot_type: 1, bot_owner_id: 7 };
  const members = [...Array.from({ length: 300 }, (_, n) => user(n + 1)), bot];
  const { out } = await listing([answer(200, { result: "success", msg: "", members })], "-o", "csv");
  const lines = out.split("\r\n");
  expect(lines[0]).toBe("user_id,email,full_name,is_bot,role,bot_type,bot_owner_id,is_deleted");
  expect(lines[301]).toBe("400,u400@x,Ada,true,400,1,7,");
});

test("splits many ids into requests of less than 8,000 bytes, and prints one result", async () => {
  const ids = Array.from({ length: 3000 }, (_, n) => 100_000 + n);
  const { out, sent } = await zulipctl(["users", "list", "--ids", ids.join(","), "--json"], {
    http: async ({ url }) => {
      if (url.endsWith("/server_settings"))
        return answer(200, { result: "success", msg: "", zulip_version: "x", zulip_feature_level: 442 });
      const requested: number[] = JSON.parse(new URL(url).searchParams.get("user_ids")!);
      const members = requested.map((user_id) => ({ user_id, full_name: "x", email: "x", is_bot: false, role: 400 }));
      return answer(200, { result: "success", msg: "", members });
    },
  });
  expect(JSON.parse(out).map(({ user_id }: { user_id: number }) => user_id)).toEqual(ids);
  expect(sent.length).toBe(4);
  for (const { url } of sent) expect(`GET ${url} HTTP/1.1`.length).toBeLessThan(8000);
  const lengths = sent.map(({ url }) => JSON.parse(new URL(url).searchParams.get("user_ids")!).length);
  expect(lengths.reduce((sum, length) => sum + length, 0)).toBe(3000);
});

test("completion offers ids in place of hidden addresses", async () => {
  const world = testWorld();
  const otis = "otis@sandbox.example";
  const account = { site, email: otis };
  const members = [
    { user_id: 11, full_name: "Cora Member", email: "user11@chat.example", delivery_email: null, is_bot: false },
    { user_id: 12, full_name: "Otis Member", email: "user12@chat.example", delivery_email: otis, is_bot: false },
  ];
  await saveNames(world, [{ account, call: call(getUsers, {}), answer: { members } }]);
  const saved = await world.files.read(`${namesDirectory(world.directories.cache, account)}/user`);
  expect(String(saved)).toBe(`11\tCora Member\n${otis}\tOtis Member\n`);
});

test("an account of a world file with can_create_users creates people, and others are refused before the first row", async () => {
  const owner = { key: "boss", full_name: "Bo Boss", email: "boss@x.example", role: 100 };
  const create = async (user: object) => {
    const sandbox = fresh({ world: readWorld(JSON.stringify({ users: [user], channels: [], messages: [] })) });
    const files = new Map([["new.csv", "email,name\nada@new.example,Ada\nbob@new.example,Bob\n"]]);
    const argv = [
      "batch",
      "new.csv",
      "--yes",
      "--",
      "users",
      "create",
      "--email",
      "{email}",
      "--full-name",
      "{name}",
      "--random-password",
    ];
    return zulipctl(argv, { sandbox, files });
  };
  const creations = ({ sent }: Run) =>
    sent.filter(
      ({ method, url, body }) => method === "POST" && url.endsWith("/users") && String(body).includes("new.example"),
    );
  const allowed = await create({ ...owner, can_create_users: true });
  expect(allowed).toMatchObject({ code: 0, err: expect.stringContaining("2 of 2 rows done") });
  expect(creations(allowed)).toHaveLength(2);
  const refused = await create(owner);
  expect(refused.code).toBe(1);
  expect(creations(refused)).toEqual([]);
});

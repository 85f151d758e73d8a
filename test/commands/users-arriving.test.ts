import { describe, expect, test } from "vitest";
import type { HttpResponse } from "../../src/world.ts";
import { NoAnswer } from "../../src/world.ts";
import { site, zulipctl } from "../run.ts";
import { answer } from "../world.ts";

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
  expect(lines[0]).toBe("user_id,email,full_name,is_bot,role,bot_type,bot_owner_id");
  expect(lines[301]).toBe("400,u400@x,Ada,true,400,1,7");
});

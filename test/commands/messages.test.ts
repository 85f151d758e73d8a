import { describe, expect, test } from "vitest";
import { zulipctl } from "../run.ts";
import { answer, type Setup } from "../world.ts";

const hit = (word: string) => `<span class="highlight">${word}</span>`;

/** A server on which the messages with these ids match. */
const matching = (matches: Record<number, { match_content: string; match_subject: string }>): Setup => ({
  http: async ({ url }) => {
    if (url.endsWith("/server_settings"))
      return answer(200, { result: "success", msg: "", zulip_version: "x", zulip_feature_level: 442 });
    if (url.endsWith("/users/me"))
      return answer(200, { result: "success", msg: "", user_id: 8, email: "x@y", full_name: "x", role: 400 });
    const asked: number[] = JSON.parse(new URL(url).searchParams.get("msg_ids")!);
    const messages = Object.fromEntries(asked.flatMap((id) => (matches[id] ? [[id, matches[id]]] : [])));
    return answer(200, { result: "success", msg: "", messages });
  },
});

const lunch = {
  31: { match_content: `<p>Fish &amp; ${hit("chips")} <em>today</em></p>`, match_subject: `${hit("lunch")} &lt;3` },
  33: { match_content: "<p>Soup</p>", match_subject: "" },
};

test("messages match prints a record for each id, in the order of the ids", async () => {
  const { out } = await zulipctl(
    ["messages", "match", "--ids", "33,32,31", "--narrow", "chips", "--json"],
    matching(lunch),
  );
  expect(JSON.parse(out)).toEqual([
    { id: 33, match: true, ...lunch[33] },
    { id: 32, match: false },
    { id: 31, match: true, ...lunch[31] },
  ]);
});

test('messages match prints text without tags, and explains "no" in a note', async () => {
  const argv = ["messages", "match", "--ids", "31,32", "--ids", "33", "--narrow", "chips"];
  expect(await zulipctl(argv, matching(lunch))).toMatchObject({
    code: 0,
    out: "ID\tMATCH\tTOPIC\tCONTENT\n31\tyes\tlunch <3\tFish & chips today\n32\tno\t\t\n33\tyes\t\tSoup\n",
    err: '"no": it does not match, or this account cannot see it.\n',
  });
  expect((await zulipctl([...argv, "--quiet"], matching(lunch))).err).toBe("");
  expect((await zulipctl(["messages", "match", "--ids", "31", "--narrow", "x"], matching(lunch))).err).toBe("");
});

test("messages match sends an expression as terms, with numbers as ids and me as the account's id", async () => {
  const expression = 'channel:general topic:"release plan" -is:resolved sender:me dm:9 hello "big world"';
  const { sent } = await zulipctl(["messages", "match", "--ids", "1", "--narrow", expression], matching({}));
  expect(JSON.parse(new URL(sent.at(-1)!.url).searchParams.get("narrow")!)).toEqual([
    { operator: "channel", operand: "general" },
    { operator: "topic", operand: "release plan" },
    { operator: "is", operand: "resolved", negated: true },
    { operator: "sender", operand: 8 },
    { operator: "dm", operand: [9] },
    { operator: "search", operand: 'hello "big world"' },
  ]);
});

test("messages match splits many ids into several requests", async () => {
  const ids = Array.from({ length: 2500 }, (_, n) => 1_000_000 + n);
  const some = Object.fromEntries(ids.filter((id) => id % 1000 === 0).map((id) => [id, lunch[33]]));
  const argv = ["messages", "match", "--ids", "-", "--narrow", `has:link ${"word ".repeat(100)}`];
  const { out, sent } = await zulipctl([...argv, "--json"], { ...matching(some), input: ids.join("\n") });
  expect(JSON.parse(out).map(({ id }: { id: number }) => id)).toEqual(ids);
  expect(JSON.parse(out).filter(({ match }: { match: boolean }) => match).length).toBe(3);
  for (const { method, url } of sent) expect(`${method} ${url} HTTP/1.1`.length).toBeLessThan(8000);
  expect(sent.length).toBe(4);
  const dry = await zulipctl([...argv, "--dry-run", "--json"], { ...matching(some), input: ids.join("\n") });
  expect(JSON.parse(dry.out).map(({ url }: { url: string }) => url)).toEqual(sent.map(({ url }) => url));
  expect(dry.sent).toEqual([]);
});

describe("messages find", () => {
  const message = (id: number) => ({
    id,
    sender_id: 8,
    sender_full_name: "Ada",
    timestamp: 1768478400,
    type: "stream",
    display_recipient: "design",
    subject: "blue",
    content: `\n${id} first\nsecond`,
  });

  /** A server with messages of these ids, and its requests. */
  const serverWith = (ids: number[]) => {
    const requests: string[] = [];
    const http: NonNullable<Parameters<typeof zulipctl>[1]>["http"] = async ({ url }) => {
      const query = new URL(url).searchParams;
      requests.push(`${query.get("anchor")} ${query.get("num_before")}`);
      const anchor = query.get("anchor") === "newest" ? Number.POSITIVE_INFINITY : Number(query.get("anchor"));
      const before = ids.filter((id) => id < anchor).slice(-Number(query.get("num_before")));
      const messages = [...before, ...ids.filter((id) => id === anchor)].map(message);
      return answer(200, { result: "success", msg: "", messages });
    };
    return { http, requests };
  };
  const upTo = (last: number) => Array.from({ length: last }, (_, n) => n + 1);

  test("shows the newest first, a line each", async () => {
    const { http } = serverWith([7, 9]);
    expect((await zulipctl(["messages", "find"], { http })).out).toBe(
      "ID\tTIME\tSENDER\tCHANNEL\tTOPIC\tFIRST LINE\n" +
        "9\t2026-01-15 12:00Z\tAda\tdesign\tblue\t9 first\n" +
        "7\t2026-01-15 12:00Z\tAda\tdesign\tblue\t7 first\n",
    );
  });

  test.each([
    [[], 250, ["newest 100"], [250, 151, 100]],
    [["--limit", "12000"], 13_000, ["newest 5000", "8000 5000", "2999 1999"], [13_000, 1001, 12_000]],
    [["--limit", "12000", "--after", "12990"], 13_000, ["newest 5000"], [13_000, 12_991, 10]],
    [["--before", "50"], 250, ["49 100"], [49, 1, 49]],
    [["--before", "50", "--after", "40"], 250, ["49 100"], [49, 41, 9]],
    [["--before", "200", "--limit", "10"], 250, ["199 10"], [199, 190, 10]],
  ])("%j of %i", async (flags, last, expected, [first, final, count]) => {
    const { http, requests } = serverWith(upTo(last));
    const { out } = await zulipctl(["messages", "find", "-o", "ids", "--feature-level", "442", ...flags], { http });
    const ids = out.trim().split("\n").map(Number);
    expect([ids[0], ids.at(-1), ids.length, new Set(ids).size]).toEqual([first, final, count, count]);
    expect(requests).toEqual(expected);
  });

  test("shows the people of a direct message", async () => {
    const http = async () =>
      answer(200, {
        result: "success",
        msg: "",
        messages: [{ ...message(1), display_recipient: [{ full_name: "Ada" }, { full_name: "Otis" }], subject: "" }],
      });
    expect((await zulipctl(["messages", "find", "--fields", "channel"], { http })).out).toBe(
      "CHANNEL\n(direct: Ada, Otis)\n",
    );
  });
});

test("messages find stops at a server that repeats a page", async () => {
  const messages = Array.from({ length: 1000 }, (_, n) => ({
    ...{ id: n + 1, content: "x", sender_id: 8, timestamp: 4_000_000_000, type: "stream" },
    ...{ subject: "logo", stream_id: 1, display_recipient: "design" },
  }));
  const repeating: Setup = {
    http: async ({ url }) => {
      if (url.includes("/messages?")) return answer(200, { result: "success", msg: "", messages, found_oldest: false });
      return answer(200, {
        ...{ result: "success", msg: "", zulip_version: "x", zulip_feature_level: 442 },
        ...{ user_id: 8, email: "x@y", full_name: "x", role: 400 },
      });
    },
  };
  const { code, err, sent } = await zulipctl(["messages", "find", "--since", "2d", "-o", "ids"], repeating);
  expect({ code, err, pages: sent.filter(({ url }) => url.includes("/messages?")).length }).toEqual({
    code: 4,
    err: "zulipctl: chat.example sends the same messages again and again; 1000 records were printed before that\n",
    pages: 2,
  });
});

import { describe, expect, test } from "vitest";
import { fresh, zulipctl, zulipctlAsking } from "../run.ts";
import { answer, memoryFiles } from "../world.ts";

const spam = ["--narrow", "channel:design sender:otis@sandbox.example"];
const between = ["--since", "2026-01-15T12:02:00Z", "--until", "2026-01-15T12:04:00Z"];

/** A sandbox in which Otis sent so many more messages to #design. */
function spammed(count: number) {
  const sandbox = fresh();
  const { messages } = sandbox.state;
  const like = messages.get(3)!;
  for (let n = 0; n < count; n++)
    messages.set(100 + n, {
      ...like,
      id: 100 + n,
      topic: n % 2 ? "buy" : "sell",
      content: `spam ${n}`,
      date_sent: like.date_sent + n * 60_000,
    });
  return sandbox;
}

describe("messages delete", () => {
  test("shows the messages, and asks once", async () => {
    const sandbox = spammed(4);
    const { code, asked, err } = await zulipctlAsking(["messages", "delete", ...spam], {
      sandbox,
      terminal: true,
      confirm: [true],
    });
    expect(code).toBe(0);
    expect(asked).toEqual(["Delete 5 messages on chat.example? This cannot be undone."]);
    expect(err).toContain(
      [
        "5 messages, 2026-01-15 12:00Z to 2026-01-15 12:03Z",
        "From:",
        "       5  Otis Member",
        "In:",
        "       2  #design > sell",
        "       2  #design > buy",
        "       1  #design > ✔ colours",
        'First: 2026-01-15 12:00Z Otis Member in #design > ✔ colours: "Settled: green & white"',
        'Last:  2026-01-15 12:03Z Otis Member in #design > buy: "spam 3"',
      ].join("\n"),
    );
    expect([...sandbox.state.messages.values()].filter(({ content }) => content.startsWith("spam"))).toEqual([]);
  });

  test("sends nothing after a no", async () => {
    const { code, sent } = await zulipctl(["messages", "delete", ...spam], { terminal: true, confirm: [false] });
    expect({ code, methods: sent.filter(({ method }) => method !== "GET") }).toEqual({ code: 130, methods: [] });
  });

  test("keeps the whole messages in a new file before the first request", async () => {
    const sandbox = spammed(2);
    const files = memoryFiles();
    const argv = ["messages", "delete", ...spam, "--keep", "spam.ndjson", "--yes", "-q"];
    let copied = "";
    const http: typeof sandbox.handle = async (request) => {
      if (request.method === "DELETE") copied ||= files.content.get("spam.ndjson") ?? "";
      return sandbox.handle(request);
    };
    expect(await zulipctl(argv, { sandbox, http, files: files.content })).toMatchObject({ code: 0 });
    const kept = copied
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line));
    expect(kept).toMatchObject([
      { id: 3, content: "Settled: green & white", subject: "✔ colours", sender_full_name: "Otis Member" },
      { id: 100, content: "spam 0" },
      { id: 101, content: "spam 1" },
    ]);
    const again = await zulipctl(argv, { sandbox: spammed(2), files: files.content });
    expect(again).toMatchObject({ code: 2, err: "zulipctl: --keep: spam.ndjson already exists\n" });
    expect(again.sent.filter(({ method }) => method === "DELETE")).toEqual([]);
  });

  test("requires --keep or --no-keep for more than 20 messages without a terminal", async () => {
    const argv = ["messages", "delete", ...spam, "--yes", "-q"];
    const refused = await zulipctl(argv, { sandbox: spammed(20) });
    expect(refused).toMatchObject({
      code: 2,
      err: "zulipctl: deleting 21 messages without a terminal requires --keep <file>\nPass --no-keep to delete them without a copy.\n",
    });
    expect(refused.sent.filter(({ method }) => method === "DELETE")).toEqual([]);
    expect(await zulipctl([...argv, "--no-keep"], { sandbox: spammed(20) })).toMatchObject({ code: 0 });
    expect(await zulipctl(argv, { sandbox: spammed(19) })).toMatchObject({ code: 0 });
  });

  test("resumes an interrupted run with only the messages of that run", async () => {
    const sandbox = spammed(5);
    const files = new Map<string, string>();
    let left = 2;
    const http: typeof sandbox.handle = async (request) => {
      if (request.method === "DELETE" && request.url.includes("/messages/") && left-- <= 0)
        return answer(401, { result: "error", msg: "Invalid API key", code: "INVALID_API_KEY" });
      return sandbox.handle(request);
    };
    const first = await zulipctl(["messages", "delete", ...spam, "--yes", "-q"], { sandbox, http, files });
    expect(first.err).toContain("Go on with: zulipctl messages delete --yes -q --resume ");
    const like = sandbox.state.messages.get(104)!;
    sandbox.state.messages.set(200, { ...like, id: 200 });
    const { code, out } = await zulipctl(["messages", "delete", "--resume", "last", "--yes", "-o", "json"], {
      sandbox,
      files,
    });
    expect({
      code,
      outcomes: JSON.parse(out).map(({ target, outcome }: Record<string, string>) => `${target} ${outcome}`),
    }).toEqual({
      code: 0,
      outcomes: ["3 done", "100 done", "101 done", "102 done", "103 done", "104 done"],
    });
    expect(sandbox.state.messages.has(200)).toBe(true);
    expect([...sandbox.state.messages.keys()].filter((id) => id >= 100)).toEqual([200]);
  });

  test("refuses to resume a run whose list was cut by a crash", async () => {
    const journal = { journal: "zulipctl messages delete", version: 1, run: "x", site: "https://chat.example" };
    const files = new Map([["j.jsonl", `${JSON.stringify(journal)}\n{"found":[{"message_id":3},{"mess`]]);
    const { code, out, err, sent } = await zulipctl(["messages", "delete", "--resume", "j.jsonl", "--yes"], { files });
    expect({ code, out, sent }).toEqual({ code: 2, out: "", sent: [] });
    expect(err).toBe(
      "zulipctl: the journal j.jsonl has no list of messages: that run sent nothing\nStart a new run without --resume.\n",
    );
  });

  test("counts messages that somebody else deleted as done", async () => {
    const sandbox = spammed(2);
    const http: typeof sandbox.handle = async (request) => {
      if (request.method === "DELETE") sandbox.state.messages.delete(101);
      return sandbox.handle(request);
    };
    const { code, out } = await zulipctl(["messages", "delete", ...spam, "--yes", "-q", "-o", "json"], {
      sandbox,
      http,
    });
    expect(code).toBe(0);
    expect(JSON.parse(out).at(-1)).toEqual({
      row: 3,
      operation: "messages.delete",
      target: "101",
      outcome: "done",
      unchanged: true,
    });
  });

  test("stops at the first refusal if the account may not delete messages of others", async () => {
    const run = await zulipctl(["messages", "delete", "--ids", "1,2,3", "--yes", "-q"], { as: "mona@sandbox.example" });
    expect(run.code).toBe(5);
    expect(run.err).toContain("permission denied: this account may not delete messages of others");
    expect(run.sent.filter(({ method, url }) => method === "DELETE" && url.includes("/messages/"))).toHaveLength(1);
  });

  test("counts ids that are not found", async () => {
    const { code, err, sent } = await zulipctl("messages delete --ids 3,999 --yes --dry-run -o json".split(" "));
    expect(code).toBe(0);
    expect(err).toContain("zulipctl: 1 message not found, or not visible: skipped\n");
    expect(sent.filter(({ method }) => method === "DELETE")).toEqual([]);
  });

  test("prints a note if the search covers only received messages", async () => {
    const { err } = await zulipctl(["messages", "delete", "--narrow", "sender:otis@sandbox.example", "--dry-run"]);
    expect(err).toContain("Add channels:public to search all public channels.");
  });

  test("selects messages between two times", async () => {
    const sandbox = spammed(6);
    await zulipctl(["messages", "delete", ...spam, ...between, "-y", "-q"], { sandbox });
    expect([...sandbox.state.messages.keys()].filter((id) => id >= 100)).toEqual([100, 101, 104, 105]);
  });

  test("is allowed in a batch only with --ids", async () => {
    const input = "id\n1\n3\n";
    const batch = (...row: string[]) =>
      zulipctl(["batch", "-", "--format", "csv", "--yes", "--", "messages", "delete", ...row], { input });
    expect(await batch("--ids", "{id}")).toMatchObject({ code: 0 });
    expect(await batch("--narrow", "id:{id}")).toMatchObject({ code: 2 });
  });
});

describe("messages move", () => {
  test("moves each message, and notifies each topic once with --notify", async () => {
    const sandbox = spammed(4);
    const argv = ["messages", "move", ...spam, "--to-topic", "spam", "--notify", "--yes", "-q"];
    const { code, sent } = await zulipctl(argv, { sandbox });
    expect(code).toBe(0);
    const notices = sent.flatMap(({ method, body = "" }) =>
      method === "PATCH" ? [/new_thread=(\w+)/.exec(body)?.[1]] : [],
    );
    expect(notices).toEqual(["true", "true", "true", "false", "false"]);
    for (const id of [3, 100, 101, 102, 103]) expect(sandbox.state.messages.get(id)?.topic).toBe("spam");
  });

  test("skips messages that are there already, and omits an unchanged channel", async () => {
    const sandbox = spammed(2);
    const argv = ["messages", "move", ...spam, "--to-topic", "buy", "--to-channel", "design", "--yes", "-q"];
    const { sent } = await zulipctl(argv, { sandbox });
    const moved = sent.filter(({ method }) => method === "PATCH");
    expect(moved.map(({ url }) => url.split("/").at(-1))).toEqual(["3", "100"]);
    for (const { body } of moved) expect(body).not.toContain("stream_id");
  });
});

describe("messages find", () => {
  test("streams all pages with --all", async () => {
    const sandbox = spammed(6000);
    const { out, sent } = await zulipctl(["messages", "find", ...spam, "--all", "-o", "ids"], { sandbox });
    expect(out.trim().split("\n").map(Number)).toEqual([...Array.from({ length: 6000 }, (_, n) => 6099 - n), 3]);
    expect(sent.filter(({ url }) => url.includes("/messages?"))).toHaveLength(2);
  });

  test("prints a note if there are more than 100", async () => {
    const { out, err } = await zulipctl(["messages", "find", ...spam], { sandbox: spammed(150) });
    expect(out.trim().split("\n")).toHaveLength(101);
    expect(err).toBe("Only the newest 100 are shown. Pass --limit or --all for more.\n");
  });

  test("selects messages between two times", async () => {
    const argv = ["messages", "find", ...spam, ...between, "-o", "ids"];
    expect((await zulipctl(argv, { sandbox: spammed(6) })).out).toBe("103\n102\n");
  });
});

describe("letters", () => {
  const letter = ["messages", "send", "--to", "{email}", "--content", "Dear {name}"];
  const batch = (input: string, ...more: string[]) =>
    zulipctl(["batch", "-", "--format", "csv", ...more, "--", ...letter], { input });

  test("go to each row's people", async () => {
    const { code, sent } = await batch("email,name\ncora@sandbox.example,Cora\notis@sandbox.example,Otis\n", "-q");
    expect(code).toBe(0);
    expect(sent.flatMap(({ method, body }) => (method === "POST" ? [body] : []))).toEqual([
      "type=direct&to=%5B11%5D&content=Dear+Cora",
      "type=direct&to=%5B12%5D&content=Dear+Otis",
    ]);
  });

  test("are not sent twice to the same people by two equal rows", async () => {
    const { code, err, sent } = await batch("email,name\ncora@sandbox.example,Cora\n11,Cora\n");
    expect(code).toBe(2);
    expect(err).toContain("line 2 does the same already");
    expect(sent.filter(({ method }) => method === "POST")).toEqual([]);
  });
});

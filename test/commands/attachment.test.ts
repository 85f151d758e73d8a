import { describe, expect, test } from "vitest";
import { main } from "../../src/main.ts";
import { credentials, fresh, zulipctl } from "../run.ts";
import { answer, testWorld } from "../world.ts";

test("ids come from stdin, blank or comma separated, each once", async () => {
  const { sent } = await zulipctl(["attachment", "rm", "-", "--dry-run", "-o", "ids"], { input: "1, 2\n2 1\n" });
  expect(sent).toEqual([]);
  const { out } = await zulipctl(["attachment", "rm", "-", "--dry-run", "-o", "json"], { input: "1, 2\n2 1\n" });
  expect(JSON.parse(out)).toEqual(
    [1, 2].map((id) => ({
      operation: "attachment.rm",
      method: "DELETE",
      url: `https://chat.example/api/v1/attachments/${id}`,
      parameters: {},
      body: "",
    })),
  );
});

describe("the question of attachment rm", () => {
  const ask = async (ids: string[], options: Parameters<typeof zulipctl>[1] = {}) => {
    const sandbox = options.sandbox ?? fresh();
    const world = testWorld({
      http: sandbox.handle,
      env: credentials(sandbox),
      terminal: true,
      confirm: [false],
      ...options,
    });
    const code = await main(["attachment", "rm", ...ids], world);
    return {
      code,
      asked: world.asked,
      sent: world.sent.map(({ method, url }) => `${method} ${new URL(url).pathname}`),
    };
  };

  test("tells names, sizes and the messages that use a file, which are read for it", async () => {
    expect(await ask(["2"])).toEqual({
      code: 130,
      asked: ["Delete attachment 2 (budget.csv, 5.2 KiB, used by no message) on chat.example? This cannot be undone."],
      sent: ["GET /api/v1/attachments"],
    });
    const sandbox = fresh();
    sandbox.state.attachments.get(1)!.message_ids = [3, 4];
    expect((await ask(["1", "99"], { sandbox })).asked).toEqual([
      "Delete 2 attachments on chat.example? 1 (minutes.txt, 1.2 KiB, used by messages 3, 4), 99 (not found). This cannot be undone.",
    ]);
    const [question] = (await ask(["90", "91", "92", "93", "94", "95", "96"])).asked;
    expect(question).toMatch(
      /^Delete 7 attachments on chat\.example\? 90 .*, 94 \(not found\) and 2 more\. This cannot be undone\.$/,
    );
  });

  test("tells ids where names cannot be read", async () => {
    const http = async () => answer(403, { result: "error", msg: "Not for you", code: "BAD_REQUEST" });
    expect((await ask(["2"], { http })).asked).toEqual(["Delete attachment 2 on chat.example? This cannot be undone."]);
  });
});

describe("attachment list", () => {
  const old = Date.UTC(2025, 0, 1);
  const records = [
    { id: 1, name: "small.txt", size: 1000, create_time: old, messages: [] },
    { id: 2, name: "large.txt", size: 10_000_001, create_time: old, messages: [{ id: 5, date_sent: old }] },
    { id: 3, name: "edge.txt", size: 10_000_000, create_time: Date.UTC(2026, 0, 15, 11), messages: [] },
  ].map((record) => ({ ...record, path_id: `2/x/${record.name}` }));
  const listed = async (flags: string[], attachments: object[] = records) => {
    const http = async () => answer(200, { result: "success", msg: "", attachments, upload_space_used: 5_000_000 });
    return (await zulipctl(["attachment", "list", "-o", "ids", ...flags], { http })).out.split("\n").filter(Boolean);
  };

  test("shows what is larger, older, and referred to by no message", async () => {
    expect(await listed([])).toEqual(["1", "2", "3"]);
    expect(await listed(["--larger-than", "10MB"])).toEqual(["2"]);
    expect(await listed(["--larger-than", "999"])).toEqual(["1", "2", "3"]);
    expect(await listed(["--older-than", "90d"])).toEqual(["1", "2"]);
    expect(await listed(["--older-than", "2h"])).toEqual(["1", "2"]);
    expect(await listed(["--older-than", "0h"])).toEqual(["1", "2", "3"]);
    expect(await listed(["--unused"])).toEqual(["1", "3"]);
    expect(await listed(["--unused", "--older-than", "90d", "--larger-than", "500"])).toEqual(["1"]);
  });

  test("reads times and messages of newer servers alike", async () => {
    const newer = records.map(({ messages, create_time, ...record }) => ({
      ...record,
      create_time: create_time / 1000,
      message_ids: messages.map(({ id }) => id),
    }));
    expect(await listed(["--older-than", "90d"], newer)).toEqual(["1", "2"]);
    expect(await listed(["--unused"], newer)).toEqual(["1", "3"]);
  });

  test("calls none unused of which the server does not tell the messages", async () => {
    expect(
      await listed(
        ["--unused"],
        records.map(({ messages, ...record }) => record),
      ),
    ).toEqual([]);
  });
});

test("attachment download writes no file to a terminal", async () => {
  expect(await zulipctl(["attachment", "download", "2", "--to", "-"], { terminal: true })).toMatchObject({
    code: 2,
    err: expect.stringContaining("--to - would write the file to the terminal"),
    sent: [],
  });
});

test("attachment download leaves no directory by ..", async () => {
  const attachments = [{ id: 2, name: "a.txt", path_id: "../../api/v1/users", size: 1, create_time: 1, messages: [] }];
  const http = async () => answer(200, { result: "success", msg: "", attachments, upload_space_used: 1 });
  const { code, err, sent } = await zulipctl(["attachment", "download", "2"], { http });
  expect([code, err.split("\n")[0]]).toEqual([4, "zulipctl: the file's address leads to another directory with .."]);
  expect(sent).toHaveLength(1);
});

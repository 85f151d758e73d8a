import { describe, expect, test } from "vitest";
import { zulipctl, zulipctlAsking } from "../run.ts";
import { answer } from "../world.ts";

test("attachment rm asks with ids if the server refuses to list the files", async () => {
  const http = async () => answer(403, { result: "error", msg: "Not for you", code: "BAD_REQUEST" });
  const { asked } = await zulipctlAsking(["attachment", "rm", "2"], { http, terminal: true, confirm: [false] });
  expect(asked).toEqual(["Delete attachment 2 on chat.example? This cannot be undone."]);
});

describe("attachment list", () => {
  const old = Date.UTC(2025, 0, 1);
  const records = [
    { id: 1, name: "small.txt", size: 1000, create_time: old, messages: [] },
    { id: 2, name: "large.txt", size: 10_000_001, create_time: old, messages: [{ id: 5, date_sent: old }] },
    { id: 3, name: "edge.txt", size: 10_000_000, create_time: Date.UTC(2026, 0, 15, 11), messages: [] },
  ].map((record) => ({ ...record, path_id: `2/x/${record.name}` }));
  const listed = async (flags: string, attachments: object[] = records) => {
    const http = async () => answer(200, { result: "success", msg: "", attachments, upload_space_used: 5_000_000 });
    const argv = ["attachment", "list", "-o", "ids", ...flags.split(" ").filter(Boolean)];
    return (await zulipctl(argv, { http })).out.trim().split("\n").join(" ");
  };

  test.each([
    ["", "1 2 3"],
    ["--larger-than 10MB", "2"],
    ["--larger-than 999", "1 2 3"],
    ["--older-than 90d", "1 2"],
    ["--older-than 2h", "1 2"],
    ["--older-than 0h", "1 2 3"],
    ["--unused", "1 3"],
    ["--unused --older-than 90d --larger-than 500", "1"],
  ])("with %j shows %s", async (flags, ids) => expect(await listed(flags)).toBe(ids));

  test("reads times and messages of newer servers alike", async () => {
    const newer = records.map(({ messages, create_time, ...record }) => ({
      ...record,
      create_time: create_time / 1000,
      message_ids: messages.map(({ id }) => id),
    }));
    expect(await listed("--older-than 90d", newer)).toBe("1 2");
    expect(await listed("--unused", newer)).toBe("1 3");
  });

  test("shows no file as unused if the server does not list its messages", async () => {
    const unknown = records.map(({ messages, ...record }) => record);
    expect(await listed("--unused", unknown)).toBe("");
  });
});

test("attachment download refuses an address with ..", async () => {
  const attachments = [{ id: 2, name: "a.txt", path_id: "../../api/v1/users", size: 1, create_time: 1, messages: [] }];
  const http = async () => answer(200, { result: "success", msg: "", attachments, upload_space_used: 1 });
  const { code, err, sent } = await zulipctl(["attachment", "download", "2"], { http });
  expect([code, err.split("\n")[0]]).toEqual([4, "zulipctl: the file's address leads to another directory with .."]);
  expect(sent).toHaveLength(1);
});

/** What a dry run prints: decoded values, with names beside the ids that were looked up. */
import { expect, test } from "vitest";
import { zulipctl } from "../run.ts";

const dry = async (line: string, input?: string) => {
  const { code, out, err, sent } = await zulipctl([...line.split(" "), "--dry-run"], { input });
  expect({ code, err }).toEqual({ code: 0, err: "" });
  expect(sent.every(({ method }) => method === "GET")).toBe(true);
  return out;
};

test("names are shown beside the ids of a list", async () => {
  expect(
    await dry("channel update 2 --can-send-message-group user:me,user:cora@sandbox.example,group:designers"),
  ).toContain(
    '  can_send_message_group = {"new":{"direct_members":[8 (Iris Owner),11 (Cora Member)],"direct_subgroups":[17 (designers)]}}\n',
  );
});

test("typed ids stay ids, and nothing is read", async () => {
  const { out, sent } = await zulipctl(["channel", "update", "2", "--folder", "1", "--dry-run"]);
  expect(out).toBe("PATCH https://chat.example/api/v1/streams/2  channel.update\n  folder_id = 1\n");
  expect(sent).toEqual([]);
});

test("ids in drafts have names too", async () => {
  expect(await dry("drafts add --channel general --topic t --content hello")).toContain(
    '"to":[2 (general)],"topic":"t"',
  );
  expect(await dry("drafts add --to cora@sandbox.example --content hello")).toContain('"to":[11 (Cora Member)]');
});

test("rows of a batch are named from the look-ups of the run", async () => {
  const input = "group,email\ndesigners,cora@sandbox.example\n";
  const line = "batch - --format csv --dry-run -- group members {group} --add {email}";
  const { code, out } = await zulipctl(line.split(" "), { input });
  expect(code).toBe(0);
  expect(out).toContain("  user_group_id = 17 (designers)\n  add = [11 (Cora Member)]\n");
});

test("--verbose adds what goes over the wire", async () => {
  const { out } = await zulipctl(["channel", "update", "2", "--description", "Größe", "--dry-run", "--verbose"]);
  expect(out).toBe(
    [
      "PATCH https://chat.example/api/v1/streams/2  channel.update",
      '  description = "Größe"',
      "  body: description=Gr%C3%B6%C3%9Fe",
      "",
    ].join("\n"),
  );
  const read = await zulipctl(["users", "list", "--ids", "8", "--dry-run", "--verbose"]);
  expect(read.out).toBe("GET https://chat.example/api/v1/users?user_ids=%5B8%5D  users.list\n  user_ids = [8]\n");
});

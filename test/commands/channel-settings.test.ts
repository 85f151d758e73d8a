/** The sentence after `channel update` says what was set. */
import { describe, expect, test } from "vitest";
import { zulipctl } from "../run.ts";

const told = async (...words: string[]) => {
  const { code, out, sent } = await zulipctl(["channel", "update", ...words, "--yes"]);
  return { code, out, reads: sent.filter(({ method }) => method === "GET").length };
};

describe("channel update says", () => {
  test.each([
    [
      ["design", "--can-send-message-group", "user:adam@sandbox.example"],
      '"design": can_send_message_group set to Adam Admin',
    ],
    [
      ["design", "--can-send-message-group", "user:me,group:writers"],
      '"design": can_send_message_group set to Iris Owner, writers',
    ],
    [["design", "--can-send-message-group", "nobody"], '"design": can_send_message_group set to role:nobody'],
    [["design", "--folder", "projects"], '"design": folder set to Projects'],
    [["design", "--no-folder"], '"design": folder set to none'],
    [["design", "--new-name", "drawing"], '"design": name set to "drawing"'],
    [["design", "--message-retention-days", "1"], '"design": message_retention_days set to 1 day'],
    [["design", "--description", 'a {target} "b"'], '"design": description set to "a {target} "b""'],
    [
      ["design", "--description", `${"long ".repeat(20)}`],
      `"design": description set to "${"long ".repeat(12).slice(0, 59)}…"`,
    ],
    [
      ["design", "--can-send-message-group", "role:members", "--folder", "1", "--can-subscribe-group", "role:members"],
      '"design": folder set to 1; can_send_message_group, can_subscribe_group set to role:members',
    ],
  ])("of %j: Updated channel %s.", async (words, sentence) => {
    expect(await told(...words)).toMatchObject({ code: 0, out: `Updated channel ${sentence}.\n` });
  });

  test("ids for what was typed as ids, and reads nothing for it", async () => {
    expect(await told("1", "--can-send-message-group", "user:9,group:17", "--folder", "1")).toEqual({
      code: 0,
      out: "Updated channel 1: folder set to 1; can_send_message_group set to user 9, group 17.\n",
      reads: 0,
    });
    expect(await told("1", "--can-send-message-group", '{"direct_members":[],"direct_subgroups":[]}')).toEqual({
      code: 0,
      out: "Updated channel 1: can_send_message_group set to nobody.\n",
      reads: 0,
    });
  });
});

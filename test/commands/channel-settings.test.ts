/** The sentence after `channel update` names what was set. */
import { expect, test } from "vitest";
import { words } from "../cases/all.ts";
import { zulipctl } from "../run.ts";

const update = async (line: string) => {
  const { code, out, sent } = await zulipctl(["channel", "update", ...words(line), "--yes"]);
  return { code, out, reads: sent.filter(({ method }) => method === "GET").length };
};

test.each([
  ["--can-send-message-group user:adam@sandbox.example", "can_send_message_group set to Adam Admin"],
  ["--can-send-message-group user:me,group:writers", "can_send_message_group set to Iris Owner, writers"],
  ["--can-send-message-group nobody", "can_send_message_group set to role:nobody"],
  ["--folder projects", "folder set to Projects"],
  ["--no-folder", "folder set to none"],
  ["--new-name drawing", 'name set to "drawing"'],
  ["--message-retention-days 1", "message_retention_days set to 1 day"],
  [`--description 'a {target} "b"'`, 'description set to "a {target} "b""'],
  [`--description '${"long ".repeat(20)}'`, `description set to "${"long ".repeat(12).slice(0, 59)}…"`],
  [
    "--can-send-message-group role:members --folder 1 --can-subscribe-group role:members",
    "folder set to 1; can_send_message_group, can_subscribe_group set to role:members",
  ],
])("channel update design %s: %s", async (line, sentence) => {
  expect(await update(`design ${line}`)).toMatchObject({ code: 0, out: `Updated channel "design": ${sentence}.\n` });
});

test.each([
  [
    "--can-send-message-group user:9,group:17 --folder 1",
    "folder set to 1; can_send_message_group set to user 9, group 17",
  ],
  [`--can-send-message-group '{"direct_members":[],"direct_subgroups":[]}'`, "can_send_message_group set to nobody"],
])("channel update 1 %s reads nothing: %s", async (line, sentence) => {
  expect(await update(`1 ${line}`)).toEqual({ code: 0, out: `Updated channel 1: ${sentence}.\n`, reads: 0 });
});

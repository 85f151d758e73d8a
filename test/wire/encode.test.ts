import { expect, test } from "vitest";
import { updateChannel } from "../../src/api/channels.ts";
import { createExport } from "../../src/api/exports.ts";
import { addLinkifier } from "../../src/api/linkifiers.ts";
import { addApnsToken } from "../../src/api/push.ts";
import { getUsers } from "../../src/api/users.ts";
import { BadArgument, type Call, call, type Spelling } from "../../src/wire/call.ts";
import { dependsOnLevel, encode, flagsIn, unsupportedParts } from "../../src/wire/encode.ts";
import type { ArgsOf } from "../../src/wire/operation.ts";

test("sends text unchanged in a form", () => {
  expect(encode(call(addLinkifier, { pattern: "#(?P<id>[0-9]+)", url_template: "https://example.com/{id}" }))).toEqual({
    method: "POST",
    target: "/api/v1/realm/filters",
    body: "pattern=%23%28%3FP%3Cid%3E%5B0-9%5D%2B%29&url_template=https%3A%2F%2Fexample.com%2F%7Bid%7D",
    parameters: { pattern: "#(?P<id>[0-9]+)", url_template: "https://example.com/{id}" },
    masked: {
      target: "/api/v1/realm/filters",
      body: "pattern=%23%28%3FP%3Cid%3E%5B0-9%5D%2B%29&url_template=https%3A%2F%2Fexample.com%2F%7Bid%7D",
    },
  });
});

test("distinguishes null, absent and words", () => {
  const body = (args: ArgsOf<typeof updateChannel>) => encode(call(updateChannel, args)).body;
  expect(body({ stream_id: 7 })).toBe("");
  expect(body({ stream_id: 7, folder_id: null })).toBe("folder_id=null");
  expect(body({ stream_id: 7, description: "" })).toBe("description=");
  expect(body({ stream_id: 7, message_retention_days: "unlimited" })).toBe("message_retention_days=%22unlimited%22");
  expect(body({ stream_id: 7, topics_policy: "inherit" })).toBe("topics_policy=inherit");
  expect(
    body({ stream_id: 7, can_send_message_group: { new: 15, old: { direct_members: [1], direct_subgroups: [] } } }),
  ).toBe(
    "can_send_message_group=%7B%22new%22%3A15%2C%22old%22%3A%7B%22direct_members%22%3A%5B1%5D%2C%22direct_subgroups%22%3A%5B%5D%7D%7D",
  );
});

test("encodes parameters as older servers expect them", () => {
  expect(encode(call(updateChannel, { stream_id: 7, new_name: "a" }), 63).body).toBe("new_name=%22a%22");
  expect(encode(call(updateChannel, { stream_id: 7, new_name: "a" }), 64).body).toBe("new_name=a");
  expect(encode(call(updateChannel, { stream_id: 7, message_retention_days: "unlimited" }), 90).body).toBe(
    "message_retention_days=%22forever%22",
  );
  expect(encode(call(updateChannel, { stream_id: 7, can_remove_subscribers_group: { new: 5 } }), 180).body).toBe(
    "can_remove_subscribers_group_id=5",
  );
  expect(encode(call(createExport, { export_type: "full_with_consent" }), 448).body).toBe("export_type=2");
  expect(encode(call(createExport, { export_type: "full_with_consent" }), 449).body).toBe(
    "export_type=full_with_consent",
  );
});

const gapsOf = (call: Call, level: number, spelled?: Spelling) =>
  unsupportedParts(call.operation, flagsIn(call, spelled), level);

test("gaps name the flag or parameter, and the level", () => {
  expect(
    gapsOf(call(updateChannel, { stream_id: 7, folder_id: 3, topics_policy: "empty_topic_only" }), 371, {
      flags: { folder_id: "--folder", topics_policy: "--topics-policy" },
    }),
  ).toEqual([
    { flag: "--folder", needs: 389 },
    { flag: "--topics-policy", needs: 404 },
  ]);
  expect(gapsOf(call(createExport, { export_type: "full_without_consent" }), 448)).toEqual([
    { flag: "export_type", needs: 449 },
  ]);
  const old = { direct_members: [1], direct_subgroups: [] };
  expect(gapsOf(call(updateChannel, { stream_id: 7, can_remove_subscribers_group: { new: old } }), 300)).toEqual([
    { flag: "can_remove_subscribers_group", needs: 320 },
  ]);
});

test("reads have a query and no body", () => {
  expect(encode(call(getUsers, { client_gravatar: false, user_ids: [8, 15] }))).toMatchObject({
    target: "/api/v1/users?client_gravatar=false&user_ids=%5B8%2C15%5D",
    parameters: { client_gravatar: false, user_ids: [8, 15] },
  });
  expect(dependsOnLevel(call(getUsers, { user_ids: [8] }))).toBe(false);
});

test("masks secrets in shown requests", () => {
  expect(encode(call(addApnsToken, { token: "abcd", appid: "org.zulip.Zulip" }))).toMatchObject({
    body: "token=abcd&appid=org.zulip.Zulip",
    parameters: { token: "[secret]", appid: "org.zulip.Zulip" },
    masked: { body: "token=[secret]&appid=org.zulip.Zulip" },
  });
});

test("throws for arguments of another type", () => {
  expect(() => encode(call(getUsers, { user_ids: ["8"] as unknown as number[] }))).toThrow(BadArgument);
  expect(() => encode(call(getUsers, { ids: [8] } as never))).toThrow("users.list has no parameter ids");
});

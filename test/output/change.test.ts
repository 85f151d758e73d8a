import { describe, expect, test } from "vitest";
import type { Choice, Form, Result } from "../../src/output/form.ts";
import { print } from "../../src/output/present.ts";
import { place, terminal } from "./world.ts";

const printed = async (result: Result, form: Form, more: Partial<Choice> = {}, world = place()) => {
  await print(result, { form, color: "auto", ...more }, world);
  return world.stdout.text;
};

const added: Result = { kind: "change", sentence: "Added linkifier 7.", answer: { id: 7 }, ids: [7] };
const removed: Result = {
  kind: "changes",
  sentences: ["Attachment 1 removed.", "Attachment 2 was refused: Invalid\u001b[1m attachment"],
  outcomes: [
    { operation: "attachment.rm", target: "1", outcome: "done", answer: {} },
    { operation: "attachment.rm", target: "2", outcome: "refused", error: { code: "BAD_REQUEST" } },
  ],
  ids: [],
};
const server: Result = {
  kind: "single",
  record: { zulip_version: "12.0", zulip_feature_level: 442, realm_name: "Zoë\u202E" },
  columns: [
    { head: "VERSION", value: ({ zulip_version }) => zulip_version },
    { head: "LEVEL", value: ({ zulip_feature_level }) => zulip_feature_level },
    { head: "NAME", value: ({ realm_name }) => realm_name },
  ],
  id: ({ zulip_feature_level }) => zulip_feature_level,
};

describe("a change", () => {
  test.each([
    ["table", "Added linkifier 7.\n"],
    ["json", '{"id":7}\n'],
    ["csv", "id\r\n7\r\n"],
    ["ids", "7\n"],
    ["none", ""],
  ] as const)("as %s", async (form, text) => {
    expect(await printed(added, form)).toBe(text);
  });

  test.each([
    ["json", "{}\n"],
    ["csv", ""],
    ["yaml", "{}\n"],
    ["ids", ""],
  ] as const)("with an empty answer as %s", async (form, text) => {
    expect(await printed({ ...added, answer: {}, ids: [] }, form)).toBe(text);
  });
});

describe("several changes", () => {
  test.each([
    ["table", "Attachment 1 removed.\nAttachment 2 was refused: Invalid attachment\n"],
    [
      "json",
      '[{"operation":"attachment.rm","target":"1","outcome":"done","answer":{}},\n' +
        '{"operation":"attachment.rm","target":"2","outcome":"refused","error":{"code":"BAD_REQUEST"}}]\n',
    ],
    [
      "csv",
      "operation,target,outcome,answer,error\r\nattachment.rm,1,done,{},\r\n" +
        'attachment.rm,2,refused,,"{""code"":""BAD_REQUEST""}"\r\n',
    ],
    ["ids", ""],
  ] as const)("as %s", async (form, text) => {
    expect(await printed(removed, form)).toBe(text);
  });
});

describe("one object", () => {
  test.each([
    ["table", "FIELD\tVALUE\nVERSION\t12.0\nLEVEL\t442\nNAME\tZoë\n"],
    ["json", '{"zulip_version":"12.0","zulip_feature_level":442,"realm_name":"Zoë\\u202e"}\n'],
    ["ndjson", '{"zulip_version":"12.0","zulip_feature_level":442,"realm_name":"Zoë\\u202e"}\n'],
    ["csv", "zulip_version,zulip_feature_level,realm_name\r\n12.0,442,Zoë\r\n"],
    ["yaml", '"zulip_version": "12.0"\n"zulip_feature_level": 442\n"realm_name": "Zoë\\U0000202e"\n'],
    ["ids", "442\n"],
    ["none", ""],
  ] as const)("as %s", async (form, text) => {
    expect(await printed(server, form)).toBe(text);
  });

  test("on a terminal has a field a line", async () => {
    expect(await printed(server, "table", { color: "never" }, place(terminal()))).toBe(
      "VERSION  12.0\nLEVEL    442\nNAME     Zoë\n",
    );
  });
});

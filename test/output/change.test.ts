import { expect, test } from "vitest";
import type { OutputForm, Result } from "../../src/output/form.ts";
import { place, printed, terminal } from "./world.ts";

const added: Result = { kind: "change", sentence: "Added linkifier 7.", answer: { id: 7 }, ids: [7] };
const empty: Result = { ...added, answer: {}, ids: [] };
const removed = {
  kind: "changes" as const,
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

const one = "Zoë\\u202e";

test.each([
  ["a change", added, "table", "Added linkifier 7.\n"],
  ["a change", added, "json", '{"id":7}\n'],
  ["a change", added, "csv", "id\r\n7\r\n"],
  ["a change", added, "ids", "7\n"],
  ["a change", added, "none", ""],
  ["an empty answer", empty, "json", "{}\n"],
  ["an empty answer", empty, "csv", ""],
  ["an empty answer", empty, "yaml", "{}\n"],
  ["an empty answer", empty, "ids", ""],
  ["several changes", removed, "table", "Attachment 1 removed.\nAttachment 2 was refused: Invalid attachment\n"],
  ["several changes", removed, "json", `[${removed.outcomes.map((each) => JSON.stringify(each)).join(",\n")}]\n`],
  [
    "several changes",
    removed,
    "csv",
    "operation,target,outcome,answer,error\r\nattachment.rm,1,done,{},\r\n" +
      'attachment.rm,2,refused,,"{""code"":""BAD_REQUEST""}"\r\n',
  ],
  ["several changes", removed, "ids", ""],
  ["one object", server, "table", "FIELD\tVALUE\nVERSION\t12.0\nLEVEL\t442\nNAME\tZoë\n"],
  ["one object", server, "json", `{"zulip_version":"12.0","zulip_feature_level":442,"realm_name":"${one}"}\n`],
  ["one object", server, "ndjson", `{"zulip_version":"12.0","zulip_feature_level":442,"realm_name":"${one}"}\n`],
  ["one object", server, "csv", "zulip_version,zulip_feature_level,realm_name\r\n12.0,442,Zoë\r\n"],
  [
    "one object",
    server,
    "yaml",
    '"zulip_version": "12.0"\n"zulip_feature_level": 442\n"realm_name": "Zoë\\U0000202e"\n',
  ],
  ["one object", server, "ids", "442\n"],
  ["one object", server, "none", ""],
] as [string, Result, OutputForm, string][])("%s: %o as %s", async (_, result, form, text) => {
  expect(await printed(result, { form })).toBe(text);
});

test("prints one object on a terminal, a field on each line", async () => {
  expect(await printed(server, { color: "never" }, place(terminal()))).toBe(
    "VERSION  12.0\nLEVEL    442\nNAME     Zoë\n",
  );
});

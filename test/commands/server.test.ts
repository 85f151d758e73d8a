import { describe, expect, test } from "vitest";
import { abilities } from "../../src/commands/server/info.ts";
import { zulipctl } from "../run.ts";

test("server info needs no credentials, and lists supported commands", async () => {
  const argv = ["server", "info", "--site", "https://chat.example"];
  expect(await zulipctl(argv, { env: {} })).toMatchObject({
    code: 0,
    err: "",
    out: [
      "FIELD\tVALUE",
      "Organization\tSandbox",
      "Site\thttps://chat.example",
      "Version\t11.0",
      "Feature level\t442",
      "Log in with\te-mail and password",
      "channel update\tyes",
      "messages match\tyes",
      "fetch-key\tyes",
      "folder create\tyes",
      "drafts add\tyes",
      "users list\tyes",
      "apns register\tyes; the server deprecates it",
      "group members\tyes",
      "linkifier add\tyes",
      "attachment rm\tyes",
      "export create\tyes",
      "",
    ].join("\n"),
  });
});

test("server info reports a server that is too old", async () => {
  expect((await zulipctl(["server", "info"], { level: 370 })).out).toContain(
    "370: too old for zulipctl, which requires Zulip 10 (feature level 371) for all other commands",
  );
});

test("server info prints the server's answer and the operations as JSON", async () => {
  const record = JSON.parse((await zulipctl(["server", "info", "--json"], { level: 371 })).out);
  expect(record.zulip_feature_level).toBe(371);
  expect(record.operations.map(({ operation }: { operation: string }) => operation).join(" ")).toBe(
    "channel.update messages.match fetch-key folder.create drafts.add users.list apns.register group.members linkifier.add attachment.rm export.create",
  );
  expect(record.operations[3]).toEqual({
    operation: "folder.create",
    command: "folder create",
    deprecated: false,
    available: false,
    without: [{ flag: "folder create", needs: 389 }],
  });
});

describe("commands that a server supports:", () => {
  const supported = (level: number, settings = {}) =>
    Object.fromEntries(
      abilities(level, settings).map(({ command, available, without }) => [
        command,
        available ? without.map(({ flag }) => flag).join(" ") : "no",
      ]),
    );

  test("all on the newest", () => {
    expect(Object.values(supported(512))).toEqual(Array(11).fill(""));
  });

  test("no folders and fewer flags at level 371", () => {
    expect(supported(371)).toMatchObject({
      "folder create": "no",
      "users list": "--ids",
      "channel update":
        "--no-archived --folder --topics-policy --can-delete-any-message-group --can-delete-own-message-group " +
        "--can-move-messages-out-of-channel-group --can-move-messages-within-channel-group --can-resolve-topics-group --can-create-topic-group",
    });
  });

  test("fetch-key only with passwords", () => {
    expect(supported(442, { email_auth_enabled: false })["fetch-key"]).toBe("no");
    expect(supported(442, { email_auth_enabled: false, authentication_methods: { ldap: true } })["fetch-key"]).toBe("");
  });
});

test("server info uses --feature-level", async () => {
  const { out } = await zulipctl(["server", "info", "--feature-level", "371"]);
  expect(out).toContain("Feature level\t442, taken as 371\n");
  expect(out).toContain("folder create\tno: requires feature level 389\n");
});

import { describe, expect, test } from "vitest";
import { zulipctl } from "../run.ts";

/** Returns the candidates for the last word, without descriptions. */
async function candidates(words: string[]): Promise<string[]> {
  const { code, out, err, sent } = await zulipctl(["__complete", "--", ...words]);
  expect({ code, err, sent }).toEqual({ code: 0, err: "", sent: [] });
  return out
    .split("\n")
    .slice(0, -1)
    .map((line) => (line.startsWith("\tfiles") ? ":files" : line.split("\t")[0]!));
}

describe("after the -- of batch, completion offers", () => {
  const row = (...words: string[]) => candidates(["batch", "rows.csv", "--", ...words]);

  test("only commands that are allowed in a row", async () => {
    const nouns =
      "channel messages topic folder group users profile-field bots invite linkifier playground emoji drafts attachment";
    expect((await row("")).join(" ")).toBe(`${nouns} domain export settings apns api sandbox`);
    expect(await row("channel", "")).toEqual(expect.arrayContaining(["update", "subscribers"]));
    expect(await row("channel", "")).not.toContain("list");
    expect(await row("group", "")).toEqual(expect.arrayContaining(["members"]));
    expect(await row("users", "")).toEqual(["create", "update", "deactivate", "reactivate"]);
    expect(await row("auth", "")).toEqual([]);
  });

  test("their flags and values, but no global flags", async () => {
    expect(await row("-")).toEqual([]);
    expect(await row("folder", "create", "{name}", "-")).toEqual([
      "--description",
      "--or-update",
      "--allow-empty",
      "--max-removals",
    ]);
    expect(await row("folder", "create", "{name}", "--re")).toEqual([]);
    expect(await row("export", "create", "--type", "")).toEqual(["public", "standard", "full_without_consent"]);
  });

  test("no command that batch refuses", async () => {
    const nouns = await row("");
    const verbs = await Promise.all(nouns.map(async (noun) => (await row(noun, "")).map((verb) => [noun, verb])));
    expect(verbs.flat().length).toBeGreaterThan(40);
    for (const words of verbs.flat()) {
      const { err } = await zulipctl(["batch", "-", "--format", "csv", "--", ...words], { input: "a\n1\n" });
      expect(err).not.toContain("is not allowed in a batch");
    }
  });
});

describe("completes", () => {
  test.each([
    ["cha", "channel"],
    ["he", "help"],
    ["help cha", "channel"],
    ["help he", ""],
    ["help profile ", "list use rename rm"],
    ["help channel update ", ""],
    ["channel help up", "update"],
    ["-ojson fold", "folder"],
    ["channel update x --topics-policy ", "inherit allow_empty_topic disable_empty_topic empty_topic_only"],
    ["channel update x --topics-policy=e", "--topics-policy=empty_topic_only"],
    ["channel update x --message-retention-days ", "realm_default unlimited"],
    ["channel update x --can-send-message-group role:m", "role:moderators role:members"],
    ["channel update x --expect can_s", "can_send_message_group= can_subscribe_group="],
    ["channel update x --default --no-def", "--no-default-push-notifications"],
    ["channel update x --arch", ""],
    ["users list --role ", "owner administrator moderator member guest"],
    ["-o ", "table json ndjson csv tsv yaml markdown ids none"],
    ["users list --color a", "auto always"],
    ["--zuliprc ", ":files"],
    ["drafts add --content ", ""],
    ["drafts add --content @", ":files"],
    ["drafts add --content @@", ""],
    ["group members x --add=@list", ":files"],
    ["api POST /x -f text=@", ":files"],
    ["org plan a.yaml ", ":files"],
    [
      "folder list --fields ",
      "archived creator_id date_created description id is_archived name order rendered_description",
    ],
    ["folder list --fields=id,na", "--fields=id,name"],
    ["folder list --fields id,name,i", "id,name,is_archived"],
    ["--fields ", ""],
    ["org export --without members,", "members,people members,subscribers"],
    ["settings update invite_required=", "invite_required=true invite_required=false"],
    ["settings update can_create_groups=role:own", "can_create_groups=role:owners"],
    ["settings update signup_announcements_stream_id=n", "signup_announcements_stream_id=none"],
    ["settings update --new-users color_sch", "color_scheme="],
    ["settings update --expect can_create_gr", "can_create_groups="],
    ["group update x --expect can_man", "can_manage_group="],
    ["permissions check me read", "read"],
    ["batch show l", "last"],
    ["undo l", "last"],
    ["log show l", "last"],
    ["batch --resume ./j", ":files"],
    ["invite add --expires ", "never"],
    ["-ojs", "-ojson"],
    ["group members x --add 8 --ad", "--add --add-subgroups"],
    ["group members role:own", "role:owners"],
    ["channel update -- --pr", ""],
    ["nonsense ", ""],
    ["channel update x --nonsense ", ""],
  ])("%s", async (line, expected) =>
    expect(await candidates(line.split(" "))).toEqual(expected.split(" ").filter(Boolean)),
  );

  test("nouns with their descriptions, without hidden ones", async () => {
    const { out } = await zulipctl(["__complete", "--", ""]);
    expect(out).toContain("channel\tChannels and their settings\n");
    expect(out).not.toContain("__complete");
  });
});

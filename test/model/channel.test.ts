import { expect, test } from "vitest";
import { channelPermissions, isDropped, retentionInWords, storedRetention } from "../../src/model/channel.ts";
import { person, sandboxOf, sendRequest } from "../sandbox/client.ts";

test.each([
  [null, "realm_default"],
  [-1, "unlimited"],
  [30, 30],
])("the retention %s is %s in words", (stored, words) => {
  expect(retentionInWords(stored)).toBe(words);
  expect(storedRetention(words)).toBe(stored);
});

test.each([442, 512])(
  "a sandbox of level %i drops the same permissions of a new channel as the program",
  async (level) => {
    const sandbox = sandboxOf({ level });
    const owner = person(sandbox, "iris");
    const who = JSON.stringify({ direct_members: [owner.user_id], direct_subgroups: [] });
    const form = Object.fromEntries(channelPermissions.map((name) => [name, who]));
    const { body } = await sendRequest(sandbox, "POST", "/channels/create", {
      as: "iris",
      form: { name: "new", subscribers: "[]", ...form },
    });
    const { settings } = sandbox.state.channels.get(body.id)!;
    expect(channelPermissions.filter((name) => typeof settings[name] === "number")).toEqual(
      channelPermissions.filter(isDropped),
    );
  },
);

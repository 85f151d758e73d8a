import { expect, test } from "vitest";
import { channelUpdateFlags } from "../../src/commands/channel/flags.ts";
import {
  channelPermissions,
  channelRisk,
  channelToggleRules,
  channelToggles,
  flagOf,
  isDropped,
  memberOf,
  plainToggles,
  retentionInWords,
  storedRetention,
} from "../../src/model/channel.ts";
import { sections } from "../../src/organization/section-registry.ts";
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

test.each(channelToggles)("%s has a flag, a key in organization files, and its first value in the sandbox", (name) => {
  const { flagDocs, initial } = channelToggleRules[name];
  const flag = flagOf(name).replace(/_./g, (text) => text.slice(1).toUpperCase());
  expect(channelUpdateFlags).toHaveProperty(flag, { doc: flagDocs[0], negated: flagDocs[1] });
  expect(sections.channels.members).toHaveProperty(name);
  const sandbox = sandboxOf({ level: 512 });
  expect([...sandbox.state.channels.values()].some((channel) => channel[memberOf(name)] === initial)).toBe(true);
});

test.each(plainToggles)("a sandbox keeps %s of a new channel", async (name) => {
  const sandbox = sandboxOf({ level: 512 });
  const { body } = await sendRequest(sandbox, "POST", "/channels/create", {
    as: "iris",
    form: { name: "new", subscribers: "[]", [name]: String(!channelToggleRules[name].initial) },
  });
  expect(sandbox.state.channels.get(body.id)?.[name]).toBe(!channelToggleRules[name].initial);
});

test.each([
  ["is_private", false, true, undefined],
  ["is_private", true, false, "opens it to everybody but guests"],
  ["is_web_public", false, true, "makes it readable without an account"],
  ["message_retention_days", "realm_default", 30, "deletes messages older than 30 days"],
  ["message_retention_days", 30, 60, undefined],
  ["topics_policy", "inherit", "empty_topic_only", undefined],
  ["constructor", 1, 2, undefined],
])("the question about %s from %s to %s", (name, from, to, question) => {
  expect(channelRisk(name, from, to)?.question).toBe(question);
});

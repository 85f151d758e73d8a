import { expect, test } from "vitest";
import { readWorld } from "../../src/sandbox/world-file.ts";
import { sandboxOf } from "./client.ts";

const boss = { key: "boss", full_name: "Bo Boss", email: "boss@x.example", role: 100 };
const temp = { key: "temp", full_name: "Tess Temp", email: "temp@x.example", role: 400, active: false, password: "t" };

const world = {
  web_public: true,
  users: [boss, { key: "robot", full_name: "Robot", email: "robot-bot@x.example", role: 400, bot: true }, temp],
  channels: [
    { name: "zebra", privacy: "shared", subscribers: ["temp", "boss"], creator: "temp" },
    { name: "ant", privacy: "web", default: true, archived: true },
    { name: "cat", privacy: "web", default: true },
    { name: "bee", privacy: "private", description: "Hidden" },
  ],
  groups: [
    { name: "outer", subgroups: ["inner"] },
    { name: "inner", members: ["temp", "robot"], subgroups: ["role:moderators"] },
  ],
  messages: [
    { channel: "zebra", topic: "t", sender: "temp", content: "**raw**" },
    { channel: "ant", sender: "boss", content: "nobody reads this" },
  ],
};

test("makes the things of a world file in their order, with the system groups last", () => {
  const sandbox = sandboxOf({ world: readWorld(JSON.stringify(world)) });
  const line = sandbox.info();
  expect(line.users.map(({ email, is_bot, is_active }) => [email, is_bot, is_active])).toEqual([
    ["boss@x.example", false, true],
    ["robot-bot@x.example", true, true],
    ["temp@x.example", false, false],
  ]);
  expect(line.users.map(({ password }) => password.length)).toEqual([20, 0, 1]);
  expect(line.channels.map(({ name }) => name)).toEqual(["zebra", "ant", "cat", "bee"]);
  expect(line.channels[1]).toMatchObject({ is_private: false, is_web_public: true, is_archived: true });
  expect(line.groups.map(({ name }) => name)).toEqual([
    "outer",
    "inner",
    "role:nobody",
    "role:owners",
    "role:administrators",
    "role:moderators",
    "role:fullmembers",
    "role:members",
    "role:everyone",
    "role:internet",
  ]);
  expect(line.messages.map(({ content }) => content)).toEqual(["**raw**", "nobody reads this"]);
  expect([line.attachments, sandbox.state.folders.size, sandbox.state.linkifiers]).toEqual([[], 0, []]);
});

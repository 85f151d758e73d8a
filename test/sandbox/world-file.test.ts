import { expect, test } from "vitest";
import { Usage } from "../../src/errors.ts";
import { readWorld } from "../../src/sandbox/world-file.ts";
import { sandboxOf } from "./asking.ts";

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

const read = (change: object) => {
  try {
    readWorld(JSON.stringify({ ...world, ...change }));
    return "accepted";
  } catch (error) {
    if (!(error instanceof Usage)) throw error;
    return error.message.replace(/^--world: world\.json: /, "");
  }
};

test("the sandbox lists things in the order of the file, system groups last, and nothing else", () => {
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

test.each([
  ["people without a list", { users: "x" }, "users: must be a list"],
  ["nobody", { users: [] }, "users: must name somebody"],
  ["a person without a role", { users: [{ ...boss, role: undefined }] }, "users[0].role: is missing"],
  ["another role", { users: [{ ...boss, role: 500 }] }, "users[0].role: must be one of 100, 200, 300, 400, 600"],
  ["a member that is not known", { users: [{ ...boss, nick: "b" }] }, "users[0].nick: is an unknown member"],
  ["an address without @", { users: [{ ...boss, email: "boss" }] }, "users[0].email: must be an e-mail address"],
  [
    "a first person who is no owner",
    { users: [temp] },
    "users[0]: must be an active owner, who makes everything that names no creator",
  ],
  ["a key twice", { users: [boss, { ...temp, key: "boss" }] }, "users[1].key: users[0] has it already"],
  [
    "an address twice",
    { users: [boss, { ...temp, email: "BOSS@x.example" }] },
    "users[1].email: users[0] has it already",
  ],
  ["a channel twice", { channels: [{ name: "a" }, { name: "A" }] }, "channels[1].name: channels[0] has it already"],
  ["a channel without a name", { channels: [{ name: "" }] }, "channels[0].name: must not be empty"],
  ["an unknown creator", { groups: [{ name: "g", creator: "bo" }] }, 'groups[0].creator: nobody has the key "bo"'],
  ["an unknown member", { groups: [{ name: "g", members: ["bo"] }] }, 'groups[0].members[0]: nobody has the key "bo"'],
  [
    "an unknown sender",
    { messages: [{ channel: "ant", sender: "bo", content: "c" }] },
    'messages[0].sender: nobody has the key "bo"',
  ],
  ["a flag that is none", { web_public: "yes" }, "web_public: must be true or false"],
  ["a person that is none", { users: [boss, "temp"] }, "users[1]: must be an object"],
  [
    "another privacy",
    { channels: [{ name: "a", privacy: "open" }] },
    "channels[0].privacy: must be one of public, private, shared, web",
  ],
  [
    "a stranger subscribed",
    { channels: [{ name: "a", subscribers: ["boss", "bo"] }] },
    'channels[0].subscribers[1]: nobody has the key "bo"',
  ],
  [
    "an unknown subgroup",
    { groups: [{ name: "a", subgroups: ["b"] }] },
    'groups[0].subgroups[0]: no group is called "b"',
  ],
  [
    "a message to nowhere",
    { messages: [{ channel: "x", sender: "boss", content: "c" }] },
    'messages[0].channel: no channel is called "x"',
  ],
  ["a world that is right", {}, "accepted"],
])("an invalid description is refused with its place: %s", (_, change, message) => {
  expect(read(change)).toBe(message);
});

test("invalid JSON is refused with its line and column", () => {
  expect(() => readWorld('{\n  "users": [,]\n}')).toThrow(/^--world: world\.json: line 2, column 13: not valid JSON/);
  expect(() => readWorld("[1]")).toThrow(new Usage("--world: world.json: the document: must be an object"));
  expect(() => readWorld("{}")).toThrow(new Usage("--world: world.json: users: is missing"));
});

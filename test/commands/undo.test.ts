/** Takes runs back, and what it leaves alone. */
import { describe, expect, test } from "vitest";
import { main } from "../../src/main.ts";
import { partsOf } from "../../src/undo/parts.ts";
import type { Http } from "../../src/world/world.ts";
import { credentials, fresh } from "../run.ts";
import { pictures } from "../sandbox/pictures.ts";
import { answer, type Setup, testWorld } from "../world.ts";

function machine(setup: Setup = {}) {
  const sandbox = fresh();
  const world = testWorld({ http: sandbox.handle, env: credentials(sandbox), ...setup });
  const zulipctl = async (...argv: string[]) => {
    const [out, err] = [world.stdout.text.length, world.stderr.text.length];
    const code = await main(argv, world);
    return { code, out: world.stdout.text.slice(out), err: world.stderr.text.slice(err) };
  };
  const read = async (...argv: string[]) => JSON.parse((await zulipctl(...argv, "-o", "json")).out);
  return { world, zulipctl, read, sandbox };
}

/** What people see of the organization. */
async function organization({ zulipctl }: ReturnType<typeof machine>): Promise<string> {
  return (await zulipctl("org", "export", "--with", "subscribers")).out;
}

describe("undo gives back", () => {
  test.each<[string, string[]]>([
    [
      "values of a channel",
      [
        "channel",
        "update",
        "design",
        "--description",
        "x",
        "--new-name",
        "sketch",
        "--can-send-message-group",
        "role:moderators",
      ],
    ],
    ["the privacy of a channel", ["channel", "update", "design", "--private"]],
    ["a folder of a channel", ["channel", "update", "design", "--no-folder"]],
    ["a channel for new people", ["channel", "update", "design", "--default"]],
    ["an archived channel", ["channel", "archive", "general"]],
    ["a group", ["group", "update", "designers", "--description", "x", "--new-name", "drawers"]],
    ["members", ["group", "members", "writers", "--add", "adam@sandbox.example,mona@sandbox.example"]],
    [
      "subscribers",
      ["channel", "subscribers", "design", "--add", "adam@sandbox.example", "--delete", "otis@sandbox.example"],
    ],
    ["a role", ["users", "update", "otis@sandbox.example", "--role", "moderator", "--full-name", "Otis Other"]],
    ["a deactivated person", ["users", "deactivate", "otis@sandbox.example"]],
    ["a folder", ["folder", "update", "Projects", "--new-name", "Work", "--description", "x"]],
    ["settings", ["settings", "update", "invite_required=false", "waiting_period_threshold=9"]],
    ["a linkifier", ["linkifier", "rm", "1"]],
    ["a group that was made", ["group", "create", "drawers"]],
    ["a linkifier that was added", ["linkifier", "add", "B-(?P<id>[0-9]+)", "https://b.example/{id}"]],
    ["a person who left", ["users", "offboard", "cora@sandbox.example", "--to", "otis@sandbox.example"]],
  ])("%s", async (what, argv) => {
    const run = machine();
    const before = await organization(run);
    const { code, err } = await run.zulipctl(...argv, "--yes");
    expect(code, err).toBe(0);
    const after = await organization(run);
    const undone = await run.zulipctl("undo", "--yes");
    expect(undone.code, undone.err).toBe(0);
    const now = await organization(run);
    if (what !== "a group that was made") expect(now).toBe(before);
    const again = await run.zulipctl("undo", "20260115-2", "--yes");
    expect(again.code, again.err).toBe(0);
    expect(await organization(run)).toBe(after);
  });
});

describe("undo leaves alone", () => {
  test("what somebody else has changed since, with 6", async () => {
    const { zulipctl, read } = machine();
    await zulipctl("channel", "update", "design", "--description", "x", "--topics-policy", "allow_empty_topic");
    await zulipctl("channel", "update", "design", "--description", "theirs", "--no-record");
    const { code, err, out } = await zulipctl("undo", "20260115-1", "--yes", "-o", "json");
    expect(code, err).toBe(6);
    expect(JSON.parse(out)).toMatchObject([{ outcome: "conflict" }, { outcome: "done" }]);
    const channels: { name: string; description: string; topics_policy: string }[] = await read("channel", "list");
    expect(channels.find(({ name }) => name === "design")).toMatchObject({
      description: "theirs",
      topics_policy: "inherit",
    });
  });

  test("what cannot be undone, with 1 and the reason", async () => {
    const { zulipctl } = machine();
    await zulipctl("messages", "send", "--channel", "general", "--topic", "t", "--content", "Hi");
    const { code, err } = await zulipctl("undo", "--yes");
    expect(code).toBe(1);
    expect(err).toContain("nothing of run 20260115-1 can be undone: #general > t: a message that was sent stays");
  });

  test("the rest of a batch that can go back in part, with 5", async () => {
    const input = "channel update design --description x\nmessages send --channel general --topic t --content Hi\n";
    const { zulipctl } = machine({ input });
    expect((await zulipctl("batch", "-", "--format", "lines")).code).toBe(0);
    const { code, out } = await zulipctl("undo", "--yes", "-o", "json");
    expect(code).toBe(5);
    expect(JSON.parse(out)).toMatchObject([
      { outcome: "refused", operation: "messages.send" },
      { outcome: "done", operation: "channel.update" },
    ]);
  });

  test("everything without an answer to the question", async () => {
    const { zulipctl } = machine();
    await zulipctl("channel", "update", "design", "--description", "x");
    expect((await zulipctl("undo")).code).toBe(2);
    const dry = await zulipctl("undo", "-n", "-o", "json");
    expect(dry.code).toBe(0);
    expect(JSON.parse(dry.out)).toMatchObject([
      { operation: "channel.update", parameters: { description: "Sketches and **drafts**" } },
    ]);
  });

  test("what is back already, and other targets than --only", async () => {
    const input = "channel update design --description x\nchannel update general --description x\n";
    const { zulipctl } = machine({ input });
    await zulipctl("batch", "-", "--format", "lines");
    const one = await zulipctl("undo", "20260115-1", "--only", "design", "--yes", "-o", "json");
    expect(JSON.parse(one.out)).toMatchObject([{ target: "design", outcome: "done" }]);
    expect((await zulipctl("undo", "20260115-1", "--only", "design", "--yes")).err).toContain("nothing to undo");
    const none = await zulipctl("undo", "20260115-1", "--only", "desing", "--yes");
    expect([none.code, none.err]).toEqual([
      2,
      'zulipctl: --only: run 20260115-1 changed nothing with the name or id "desing"\nDid you mean: design?\n',
    ]);
    expect((await zulipctl("undo", "20260115-1", "--yes")).code).toBe(0);
  });

  test("a damaged line, and says so", async () => {
    const { world, zulipctl } = machine();
    await zulipctl("channel", "update", "design", "--description", "x");
    world.files.logs.set("/state/log.ndjson", `${world.files.logs.get("/state/log.ndjson")}{"time":\n`);
    const { code, err } = await zulipctl("undo", "--yes");
    expect(code).toBe(0);
    expect(err).toContain("1 line of the log cannot be read: changes in it are left alone");
  });

  test.each([
    { ids: null },
    { ids: ["1/../2"] },
    { thing: {} },
    { at: [1], to: "x" },
    { added: {} },
    { changes: "x" },
    { removed: [null] },
  ])("a line of the log with %j, and says so", async (members) => {
    const { world, zulipctl } = machine();
    await zulipctl("channel", "update", "design", "--description", "x");
    const path = "/state/log.ndjson";
    const line = world.files.logs.get(path) ?? "";
    world.files.logs.set(path, `${line}${JSON.stringify({ ...JSON.parse(line), ...members })}\n`);
    for (const words of [
      ["log", "-o", "none"],
      ["log", "show"],
    ])
      expect((await zulipctl(...words)).code).toBe(0);
    const { code, err } = await zulipctl("undo", "--yes");
    expect(code, err).toBe(0);
    expect(err).toContain("1 line of the log cannot be read: changes in it are left alone");
  });
});

test.each<[object, number, string]>([
  [{ operation: "constructor" }, 1, "cannot be undone: the log does not have what is needed to restore it"],
  [{ to: { constructor: 1 }, from: { constructor: 2 } }, 6, "conflict: constructor cannot be read"],
  [{ to: { toString: 1 }, from: {} }, 1, "cannot be undone: toString: the old value is not in the log"],
  [{ thing: "constructor", at: {} }, 6, "constructor: conflict: it is gone, or not visible"],
  [{ operation: "domain.add", thing: undefined, at: {} }, 1, "cannot be undone: domain.rm: domain must be text"],
  [
    {
      ...{ operation: "users.update", thing: "user 11", at: { user_id: 11 }, from: { profile_data: 3 } },
      to: { profile_data: [{ id: "constructor", value: 1 }, null] },
    },
    1,
    "profile constructor: the old value is not in the log",
  ],
])("undo leaves a line of the log with %j alone", async (members, ends, why) => {
  const { world, zulipctl } = machine();
  await zulipctl("channel", "update", "design", "--description", "x");
  const path = "/state/log.ndjson";
  const line = JSON.parse(world.files.logs.get(path) ?? "");
  world.files.logs.set(path, `${JSON.stringify({ ...line, ...members })}\n`);
  const { code, err } = await zulipctl("undo", "--yes");
  expect(code, err).toBe(ends);
  expect(err).toContain(why);
});

test.each([["log"], ["log", "show"], ["undo", "--yes"]])(
  "%s %s ends with 2 if the log cannot be read",
  async (...words) => {
    const { world, zulipctl } = machine();
    await zulipctl("channel", "update", "design", "--description", "x");
    const { streamFromEnd } = world.files;
    world.files.streamFromEnd = async function* (path) {
      if (path === "/state/runs.ndjson") yield* streamFromEnd.call(this, path);
      else throw new Error("it is a named pipe, not a regular file");
    };
    const { code, err } = await zulipctl(...words);
    expect([code, err]).toEqual([2, "zulipctl: cannot read the log: it is a named pipe, not a regular file\n"]);
  },
);

test("undo moves a topic back that was moved to an empty one", async () => {
  const { zulipctl, read } = machine();
  await zulipctl("messages", "send", "--channel", "general", "--topic", "plan", "--content", "Hi");
  expect((await zulipctl("topic", "rename", "general", "plan", "idea", "--yes")).code).toBe(0);
  const { code, err } = await zulipctl("undo", "--yes");
  expect(code, err).toBe(0);
  const topics: { name: string }[] = await read("topic", "list", "general");
  expect(topics.map(({ name }) => name)).toContain("plan");
});

test("undo marks that a topic joins a newer one of the same name", async () => {
  const { zulipctl, read } = machine();
  const send = (topic: string) =>
    zulipctl("messages", "send", "--channel", "general", "--topic", topic, "--content", "Hi");
  await send("plan");
  await zulipctl("topic", "rename", "general", "plan", "idea", "--yes");
  await zulipctl("messages", "send", "--channel", "general", "--topic", "Plan", "--content", "Another", "--no-record");
  const { code, err } = await zulipctl("undo", "20260115-2", "--yes");
  expect(code).toBe(0);
  expect(err).toMatch(/ {2}! joins [^\n]* of "Plan"; only undo of this run takes them apart\n/);
  const found: { content: string }[] = await read("messages", "find", "--narrow", "channel:general topic:plan");
  expect(found.map(({ content }) => content)).toEqual(expect.arrayContaining(["Hi", "Another"]));
});

test("undo gives the order of folders back after it archives a new one", async () => {
  const { zulipctl, read } = machine({ input: "folder reorder Next\nfolder create Ideas\n" });
  const names = async () => (await read("folder", "list")).map(({ name }: { name: string }) => name);
  await zulipctl("folder", "create", "Next");
  expect((await zulipctl("batch", "-", "--format", "lines")).code).toBe(0);
  const { code, err } = await zulipctl("undo", "--yes");
  expect(code, err).toBe(0);
  expect(await names()).toEqual(["Projects", "Next"]);
});

test("undo archives a folder that it made, with its channels", async () => {
  const files = new Map([["org.yaml", "{folders: [{name: A}], channels: [{name: b, folder: A}]}"]]);
  const { zulipctl, read } = machine({ files });
  const folder = async () => (await read("channel", "show", "b")).folder_id;
  expect((await zulipctl("org", "apply", "org.yaml", "--yes")).code).toBe(0);
  const made = await folder();
  const { code, err } = await zulipctl("undo", "--yes");
  expect(code, err).toBe(0);
  expect(err).toContain("- folder A: archived\n    taken out of it before: b\n");
  expect(await folder()).toBe(null);
  const [undo = ""] = /\d{8}-\d+$/.exec((await zulipctl("log", "--limit", "1", "-o", "ids")).out.trim()) ?? [];
  expect((await zulipctl("undo", undo, "--yes")).code).toBe(0);
  expect(await folder()).toBe(made);
});

test("undo gives several profile fields of a person back", async () => {
  const input = ["Phone=0", "About me=2", "Phone=5"]
    .map((value) => `users update cora@sandbox.example --profile-field '${value}'\n`)
    .join("");
  const { zulipctl, read } = machine({ input });
  const person = () => read("users", "show", "cora@sandbox.example");
  const before = await person();
  expect((await zulipctl("batch", "-", "--format", "lines", "--no-merge")).code).toBe(0);
  expect(await person()).not.toEqual(before);
  const { code, err } = await zulipctl("undo", "--yes");
  expect(code, err).toBe(0);
  expect(await person()).toEqual(before);
});

test("undo states the permission that it replaces if the account is still active", async () => {
  const sandbox = fresh();
  const bodies: string[] = [];
  const http: Http = async (request) => {
    if (request.method === "DELETE" && request.url.includes("/users/")) return answer(502, "");
    if (request.url.includes("/user_groups/")) bodies.push(new URLSearchParams(request.body).toString());
    return sandbox.handle(request);
  };
  const { zulipctl } = machine({ http, env: credentials(sandbox) });
  const left = await zulipctl("users", "offboard", "adam@sandbox.example", "--to", "cora@sandbox.example", "--yes");
  expect(left.code, left.err).toBe(7);
  bodies.length = 0;
  const { code, err } = await zulipctl("undo", "--yes");
  expect(code, err).toBe(0);
  const permission = bodies.find((body) => body.includes("can_manage_group"));
  expect(JSON.parse(new URLSearchParams(permission).get("can_manage_group") ?? "")).toEqual({
    new: { direct_members: [9], direct_subgroups: [] },
    old: { direct_members: [11], direct_subgroups: [] },
  });
});

test("undo leaves members alone if no answer said that they were changed", () => {
  const entry = { operation: "group.members", target: "writers", thing: "group 18", at: { user_group_id: 18 } };
  const logged = { ...entry, time: "", run: "", profile: undefined, site: "", account: undefined, command: "" };
  const kinds = (["done", "unknown"] as const).map((outcome) =>
    partsOf([{ ...logged, outcome, to: { delete: [11] } }]).map(({ kind }) => kind),
  );
  expect(kinds).toEqual([["list"], ["impossible"]]);
});

test("undo says the command after several changes in a terminal", async () => {
  const input = "channel update design --description x\nchannel update general --description x\n";
  const { zulipctl } = machine({ input, terminal: true });
  expect((await zulipctl("batch", "-", "--format", "lines")).err).toContain("Undo with: zulipctl undo 20260115-1\n");
});

test("a narrow terminal breaks no word of the command that is taken back", async () => {
  const { zulipctl } = machine({ terminal: true, columns: 60 });
  await zulipctl("channel", "archive", "design", "general", "--yes");
  const { err } = await zulipctl("undo", "--yes", "--color", "never");
  expect(err).toContain("undo run\n  20260115-1: zulipctl channel archive design general --yes\n");
});

test("undo of the last run does not read older files of the log than it needs", async () => {
  const { world, zulipctl } = machine();
  await zulipctl("channel", "update", "design", "--description", "x");
  const { logs } = world.files;
  const newest = logs.get("/state/log.ndjson") ?? "";
  logs.set("/state/log.1.ndjson", newest.replaceAll("20260115-1", "20260114-1"));
  const read: string[] = [];
  const { streamFromEnd } = world.files;
  world.files.streamFromEnd = (path) => {
    if (path.startsWith("/state/log")) read.push(path);
    return streamFromEnd.call(world.files, path);
  };
  expect((await zulipctl("undo", "--yes")).code).toBe(0);
  expect(read).toEqual(["/state/log.ndjson"]);
});

describe("the plan of an undo says who gains and who loses access", () => {
  test("for the whole organization", async () => {
    const { zulipctl } = machine();
    await zulipctl("group", "members", "writers", "--add", "adam@sandbox.example");
    await zulipctl("channel", "update", "design", "--can-send-message-group", "group:writers");
    const { err } = await zulipctl("undo", "--dry-run");
    expect(err).toContain(`
~ channel design
    can_send_message_group: writers → role:everyone

4 people and 1 bot (Iris Owner, Mona Moderator, Cora Member, Gwen Guest, Beep Bot) can now post in and begin topics in #design
`);
  });

  test("for permissions whose names do not begin with can_", async () => {
    const { zulipctl } = machine();
    const settings = ["create_multiuse_invite_group=role:moderators", "direct_message_initiator_group=role:nobody"];
    await zulipctl("settings", "update", ...settings, "--yes");
    const { err } = await zulipctl("undo", "--dry-run");
    expect(err).toContain("\nMona Moderator can no longer make links that invite people\n");
    expect(err).toContain(" can now begin conversations\n");
  });

  test("only if something changes about it", async () => {
    const { zulipctl, world } = machine();
    await zulipctl("channel", "update", "design", "--description", "x");
    const before = world.sent.length;
    await zulipctl("undo", "--dry-run");
    expect(world.sent.slice(before).filter(({ url }) => url.endsWith("/register"))).toEqual([]);
    await zulipctl("folder", "create", "Old", "--description", "x");
    await zulipctl("folder", "archive", "Old", "--yes");
    const later = world.sent.length;
    expect((await zulipctl("undo", "--dry-run")).err).toContain("~ folder Old: unarchived\n");
    expect(world.sent.slice(later).filter(({ url }) => url.endsWith("/register"))).toEqual([]);
  });

  test("or that this account does not see it", async () => {
    const sandbox = fresh();
    const { zulipctl } = machine({ http: sandbox.handle, env: credentials(sandbox, "cora@sandbox.example") });
    const made = await zulipctl("group", "create", "drawers", "--description", "x");
    expect(made.code, made.err).toBe(0);
    const { err } = await zulipctl("undo", "--dry-run");
    expect(err).toContain(
      "It is not known who gains and who loses access: only administrators and owners see the whole organization",
    );
  });
});

test.each<[string, string[], string[]]>([
  ["a bot", ["bots", "create", "Helper", "--short-name", "helper", "--print"], ["bot Helper: deactivated"]],
  ["an emoji", ["emoji", "add", "party", "party.png"], ["emoji party: deactivated", "!! removes it"]],
  ["a playground", ["playground", "add", "rust", "Play", "https://p.example/{code}"], ["playground Play", ": removed"]],
  ["a domain", ["domain", "add", "x.example", "--allow-subdomains"], ["domain x.example: removed"]],
  ["a draft", ["drafts", "add", "--content", "x"], ["draft 1: removed"]],
  ["a profile field", ["profile-field", "create", "Team", "--type", "short_text"], ["profile field Team: removed"]],
  [
    "a profile field with options",
    ["profile-field", "create", "Team", "--type", "options", "--option", "a", "--option", "b"],
    ["profile field Team: removed", "deletes everybody's values of it"],
  ],
  ["an invitation", ["invite", "add", "x@x.example", "--channel", "general"], ["invitation x@x.example: revoked"]],
  [
    "what an archived channel was for the organization",
    ["channel", "archive", "moderation requests"],
    ["channel moderation requests: unarchived", "moderation_request_channel_id: none → moderation requests"],
  ],
])("undo takes back %s", async (_, argv, lines) => {
  const { zulipctl, sandbox } = machine({ files: new Map([["party.png", pictures.png]]) });
  const { state } = sandbox;
  const counts = () => ({
    bots: [...state.users.values()].filter(({ is_active }) => is_active).length,
    emoji: [...state.emoji.values()].filter(({ deactivated }) => !deactivated).length,
    lists: [state.playgrounds, state.domains, [...state.drafts], state.profile_fields].map(({ length }) => length),
    invitations: state.invitations.filter(({ revoked }) => !revoked).length,
    reports: state.organization.settings.moderation_request_channel_id,
  });
  const before = counts();
  const made = await zulipctl(...argv, "--yes");
  expect(made.code, made.err).toBe(0);
  expect(counts()).not.toEqual(before);
  const undone = await zulipctl("undo", "--yes");
  for (const line of lines) expect(undone.err).toContain(line);
  expect(undone.code, undone.err).toBe(0);
  expect(counts()).toEqual(before);
});

test.each([
  ["channel update", { 1: "design", 2: "general" }],
  ["group update", { 17: "designers", 18: "writers" }],
])("undo of %s gives swapped names back, also after a second undo", async (verb, things) => {
  const [[one, name], [other, otherName]] = Object.entries(things) as [[string, string], [string, string]];
  const rename = (id: string, to: string) => `${verb} ${id} --new-name ${to}\n`;
  const { zulipctl, read } = machine({
    input: rename(one, "between") + rename(other, name) + rename(one, otherName),
  });
  const names = async () => {
    const all: { name: string }[] = await read(verb.split(" ")[0] ?? "", "list", "--sort", "name");
    return all.map((each) => [each.name, "stream_id" in each ? each.stream_id : "id" in each && each.id]);
  };
  const before = await names();
  const made = await zulipctl("batch", "-", "--format", "lines");
  expect(made.code, made.err).toBe(0);
  const after = await names();
  expect(after).not.toEqual(before);
  for (const [n, expected] of [before, after].entries()) {
    const { code, err } = await zulipctl("undo", `20260115-${n + 1}`, "--yes");
    expect(code, err).toBe(0);
    expect(err).toContain("\n\n2 to change. 3 requests.\n");
    expect(err.split("to change.")[0]?.split("\n").slice(2).join("\n")).not.toContain("between");
    expect(await names()).toEqual(expected);
  }
});

describe("the plan of undo says what is lost", () => {
  const planOf = async (lines: readonly (readonly string[])[], run: string) => {
    const { zulipctl } = machine();
    for (const line of lines) {
      const { code, err } = await zulipctl(...line, "--yes");
      expect(code, err).toBe(0);
    }
    return (await zulipctl("undo", run, "--dry-run")).err;
  };

  test("with an option that people have chosen", async () => {
    const add = ["profile-field", "update", "Office", "--add-option", "Rome"];
    const choose = ["users", "update", "otis@sandbox.example", "--profile-field", "Office=Rome"];
    expect(await planOf([add, choose], "20260115-1")).toContain("!! removes Rome, which 1 person has");
    const remove = ["profile-field", "update", "Office", "--delete-option", "Lisbon"];
    expect(await planOf([remove], "last")).toContain("values of people who had a deleted option do not come back");
  });

  test("with a domain", async () => {
    const add = ["domain", "add", "first.example"];
    expect(await planOf([add], "last")).toContain("! keeps people with its addresses out; without any domain, ");
  });

  test("and that a draft was changed since", async () => {
    const add = ["drafts", "add", "--content", "one"];
    expect(await planOf([add], "last")).toContain("- draft 1: removed");
    expect(await planOf([add, ["drafts", "edit", "1", "--content", "two"]], "20260115-1")).toContain(
      "draft 1: text was changed since",
    );
  });
});

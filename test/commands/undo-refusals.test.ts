/** Undo says before it sends anything what the server would refuse. */
import { describe, expect, test } from "vitest";
import { main } from "../../src/main.ts";
import { credentials, fresh } from "../run.ts";
import { testWorld } from "../world.ts";

const time = Date.UTC(2026, 0, 15, 12);

/** Several people at one server. Each has a machine of their own, and the server has the last one's time. */
function organization() {
  let now = time;
  const sandbox = fresh({ clock: { now: () => now } });
  const { state } = sandbox;
  const machine = (who: string) => {
    const [files, logs] = [new Map<string, string>(), new Map<string, string>()];
    return async (line: string, input = "") => {
      const env = credentials(sandbox, who);
      const world = testWorld({ http: sandbox.handle, env, input, logs, files });
      const clock = { ...world.clock, now: () => now };
      const code = await main([...line.split(" "), "--yes"], { ...world, clock });
      const changes = world.sent.filter(({ method, url }) => method !== "GET" && !/register|events/.test(url));
      return { code, err: world.stderr.text, out: world.stdout.text, changes: changes.length };
    };
  };
  const iris = machine("iris@sandbox.example");
  const channel = (name: string) => [...state.channels.values()].find((each) => each.name === name)!;
  const role = async (who: string, name: string) => {
    const { code, err } = await iris(`users update ${who}@sandbox.example --role ${name} --no-record`);
    expect(code, err).toBe(0);
  };
  const wait = (milliseconds: number) => {
    now += milliseconds;
  };
  return { state, machine, iris, role, channel, wait };
}

/** Expects that nothing is sent, and that the plan says why. */
function expectRefused({ code, err, changes }: { code: number; err: string; changes: number }, why: string, exit = 1) {
  expect(err).toContain(why);
  expect([code, changes], err).toEqual([exit, 0]);
}

const day = 86_400_000;

describe("undo of a moved topic", () => {
  const moved = async () => {
    const made = organization();
    const adam = made.machine("adam@sandbox.example");
    await adam("messages send --channel general --topic plan --content a --no-record");
    await adam("messages send --channel general --topic plan --content b --no-record");
    expect((await adam("topic move general plan --to-channel design")).code).toBe(0);
    return { ...made, adam };
  };

  test("sees that this account may not post in the old channel", async () => {
    const { adam, iris } = await moved();
    await iris("channel update general --can-send-message-group role:owners");
    expectRefused(
      await adam("undo"),
      "✗ topic plan: cannot be undone: permission denied: this account may not move messages to #general: not in role:owners, nor in any group in it (can_send_message_group)",
    );
  });

  test("sees the time limit, from which moderators are exempt", async () => {
    const { adam, role, wait, iris } = await moved();
    await iris("settings update move_messages_between_streams_limit_seconds=1d");
    wait(2 * day);
    await role("adam", "member");
    await iris("settings update can_move_messages_between_channels_group=role:members");
    expectRefused(
      await adam("undo"),
      "cannot be undone: 2 messages are too old: this account may move messages for 1 day (86400) (move_messages_between_streams_limit_seconds)",
    );
    await role("adam", "moderator");
    expect(await adam("undo")).toMatchObject({ code: 0, changes: 1 });
  });

  test("sends what may be in time", async () => {
    const { adam, role, wait, iris } = await moved();
    await iris("settings update move_messages_between_streams_limit_seconds=1d");
    await iris("settings update can_move_messages_between_channels_group=role:members");
    await role("adam", "member");
    wait(day);
    expect(await adam("undo")).toMatchObject({ code: 0, changes: 1 });
  });

  test("sees that the old channel was archived", async () => {
    const { adam, iris } = await moved();
    await iris("channel archive general");
    expectRefused(await adam("undo"), "this account may not move messages to #general: the channel is archived");
  });

  test("sees that the channel of the messages was archived", async () => {
    const { adam, iris } = await moved();
    await iris("channel archive design");
    expectRefused(await adam("undo"), "this account may not change messages of #design: the channel is archived");
  });

  test("sees that the old channel has no named topics", async () => {
    const { adam, channel } = await moved();
    channel("general").topics_policy = "empty_topic_only";
    expectRefused(await adam("undo"), "cannot be undone: the channel has no named topics (topics_policy)");
  });

  test("sees that the account may not begin topics", async () => {
    const { adam, iris } = await moved();
    await iris("channel update general --can-create-topic-group role:owners");
    expectRefused(await adam("undo"), "this account may not begin topics in #general: not in role:owners");
  });
});

test("undo of a renamed topic sees the time limit of topics, and resolving has none", async () => {
  const { machine, iris, wait } = organization();
  const cora = machine("cora@sandbox.example");
  for (const topic of ["plan", "idea"])
    await cora(`messages send --channel general --topic ${topic} --content a --no-record`);
  await iris("settings update move_messages_within_stream_limit_seconds=1d");
  expect((await cora("topic rename general plan other")).code).toBe(0);
  expect((await cora("topic resolve general idea")).code).toBe(0);
  wait(3 * day);
  expectRefused(
    await cora("undo 20260115-3"),
    "1 message is too old: this account may move messages for 1 day (86400) (move_messages_within_stream_limit_seconds)",
  );
  expect(await cora("undo 20260115-4")).toMatchObject({ code: 0, changes: 1 });
});

describe("undo by an account that is no longer", () => {
  test.each([
    [
      "an administrator",
      "linkifier add B-(?P<id>[0-9]+) https://b.example/{id}",
      "cannot be undone: permission denied: only organization administrators and owners can do this",
    ],
    [
      "an administrator",
      "settings update message_content_edit_limit_seconds=60",
      "message_content_edit_limit_seconds: permission denied: only organization administrators and owners can do this",
    ],
    [
      "an administrator",
      "folder update Projects --new-name Work",
      "cannot be undone: permission denied: only organization administrators and owners can do this",
    ],
    [
      "an administrator",
      "users update otis@sandbox.example --full-name Other",
      "cannot be undone: permission denied: only organization administrators and owners can do this",
    ],
    [
      "an administrator",
      "channel update design --description x",
      "this account may not administer #design: not among Iris Owner (can_administer_channel_group); administrators can",
    ],
    ["an administrator", "channel archive design", "this account may not administer #design"],
    [
      "an administrator",
      "channel subscribers design --add mona@sandbox.example,gwen@sandbox.example",
      "this account may not unsubscribe others from #design",
    ],
  ])("%s: %s", async (_, line, why) => {
    const { machine, role } = organization();
    const adam = machine("adam@sandbox.example");
    const run = await adam(line);
    expect(run.code, run.err).toBe(0);
    await role("adam", "member");
    expectRefused(await adam("undo"), why);
    await role("adam", "administrator");
    const back = await adam("undo");
    expect(back.code, back.err).toBe(0);
  });

  test.each([
    ["domain add a.example", "only organization owners can do this"],
    [
      "channel update design --message-retention-days 30",
      "message_retention_days: permission denied: only organization owners can set how long messages are kept",
    ],
    [
      "users update otis@sandbox.example --role owner",
      "role: permission denied: only organization owners can give or take the role owner",
    ],
  ])("an owner: %s", async (line, why) => {
    const { machine, role, state } = organization();
    const adam = machine("adam@sandbox.example");
    await role("adam", "owner");
    const run = await adam(line);
    expect(run.code, run.err).toBe(0);
    await role("adam", "administrator");
    expectRefused(await adam("undo"), why);
    expect(state).toBeDefined();
  });

  test("among those who manage a group", async () => {
    const { machine, iris } = organization();
    const cora = machine("cora@sandbox.example");
    await iris("settings update can_manage_all_groups=role:members");
    expect((await cora("group update writers --description x")).code).toBe(0);
    await iris("settings update can_manage_all_groups=role:owners");
    await iris("group update writers --can-manage-group role:owners");
    expectRefused(await cora("undo"), "permission denied: this account may not manage @writers");
  });
});

test("undo leaves alone only the values that the account may not set", async () => {
  const { machine, role, channel } = organization();
  const adam = machine("adam@sandbox.example");
  await role("adam", "owner");
  await adam("channel update design --description x --message-retention-days 30");
  await role("adam", "administrator");
  const { code, err } = await adam("undo");
  expect(err).toContain("✗ channel design: cannot be undone: message_retention_days: permission denied");
  expect([code, channel("design").description, channel("design").message_retention_days], err).toEqual([
    5,
    "Sketches and **drafts**",
    30,
  ]);
});

describe("undo sees that the values do not go together any more:", () => {
  test.each([
    [
      "channel update design --no-private",
      "channel update design --default",
      "is_private: a channel that is private cannot be a default channel",
    ],
  ])("%s, then %s", async (line, other, why) => {
    const { machine, iris } = organization();
    const adam = machine("adam@sandbox.example");
    await iris("channel update design --private --no-record");
    for (const [run, words] of [
      [iris, line],
      [adam, other],
    ] as const) {
      const made = await run(words);
      expect(made.code, made.err).toBe(0);
    }
    expectRefused(await iris("undo"), why);
  });
});

test("undo sees that the channel of moderation requests is public by now", async () => {
  const { iris } = organization();
  for (const line of [
    "channel update design --private --no-record",
    "settings update moderation_request_channel_id=design --no-record",
    "settings update moderation_request_channel_id=staff",
    "channel update design --no-private --no-record",
  ]) {
    const { code, err } = await iris(line);
    expect(code, err).toBe(0);
  }
  const why = "the channel for moderation requests must be private, and design is not";
  expectRefused(await iris("undo 20260115-3"), `moderation_request_channel_id: ${why}`);
});

test("undo counts on the rights that it gives back first", async () => {
  const { iris, state } = organization();
  const prepared = [
    "group members designers --add iris@sandbox.example",
    "group update designers --can-manage-group user:iris@sandbox.example",
    "group update writers --can-manage-group designers",
    "settings update can_manage_all_groups=user:adam@sandbox.example",
  ];
  for (const line of prepared) {
    const { code, err } = await iris(line);
    expect(code, err).toBe(0);
  }
  const writers = () => [...state.groups.values()].find(({ name }) => name === "writers")?.description;
  const before = writers();
  const lines = ["group update writers --description x", "group members designers --delete iris@sandbox.example"];
  const made = await iris("batch - --format lines", `${lines.join("\n")}\n`);
  expect(made.code, made.err).toBe(0);
  const alone = await iris("undo --only writers");
  expectRefused(alone, "permission denied: this account may not manage @writers: not in designers");
  const { code, err } = await iris("undo");
  expect([code, writers()], err).toEqual([0, before]);
});

describe("undo sees that another thing has the old name now:", () => {
  test.each([
    [
      "channel update design --new-name sketch",
      "channel create Design",
      "✗ channel design: conflict: name: another channel is called",
    ],
    [
      "channel update design --new-name sketch",
      "channel create design|channel archive design",
      "another archived channel is called",
    ],
    ["group update writers --new-name authors", "group create writers", "another group is called"],
    ["folder update Projects --new-name Work", "folder create projects", "another folder is called"],
    [
      "profile-field update Phone --new-name Mobile",
      "profile-field create Phone --type short-text",
      "another profile field is called",
    ],
    [
      "linkifier update 1 --pattern #X(?P<id>[0-9]+)",
      "linkifier add #(?P<id>[0-9]+) https://b.example/{id}",
      "another linkifier is called",
    ],
  ])("%s, then %s", async (line, others, why) => {
    const { machine, iris } = organization();
    const adam = machine("adam@sandbox.example");
    const run = await iris(line);
    expect(run.code, run.err).toBe(0);
    for (const other of others.split("|")) {
      const made = await adam(other);
      expect(made.code, made.err).toBe(0);
    }
    expectRefused(await iris("undo"), why, 6);
  });

  test("names of archived folders are free", async () => {
    const { iris, machine, state } = organization();
    const adam = machine("adam@sandbox.example");
    await iris("folder update Projects --new-name Work");
    for (const line of ["folder create Projects", "folder archive Projects"]) expect((await adam(line)).code).toBe(0);
    const { code, err } = await iris("undo");
    expect(code, err).toBe(0);
    expect([...state.folders.values()].map(({ name }) => name)).toContain("Projects");
  });

  test("a bot that was deactivated, and whose name another account has", async () => {
    const { iris } = organization();
    for (const line of [
      "bots create Helper --short-name helper --print",
      "bots deactivate helper-bot@chat.example",
      "bots create Helper --short-name other --print",
    ]) {
      const run = await iris(line);
      expect(run.code, run.err).toBe(0);
    }
    expectRefused(await iris("undo 20260115-2"), 'another active account is called "Helper" now', 6);
  });

  test("not if it gives the name free before", async () => {
    const { iris, channel } = organization();
    const lines = [
      "channel update design --new-name x",
      "channel update general --new-name design",
      "channel update 1 --new-name general",
    ];
    const made = await iris("batch - --format lines", `${lines.join("\n")}\n`);
    expect(made.code, made.err).toBe(0);
    const { code, err } = await iris("undo");
    expect(code, err).toBe(0);
    expect([channel("design").stream_id, channel("general").stream_id]).toEqual([1, 2]);
  });
});

describe("undo of a removed subgroup", () => {
  test("leaves it alone if the group is in that subgroup by now", async () => {
    const { iris } = organization();
    for (const line of [
      "group members makers --delete-subgroups writers",
      "group update makers --new-name builders --no-record",
      "group members writers --add-subgroups builders --no-record",
    ]) {
      const run = await iris(line);
      expect(run.code, run.err).toBe(0);
    }
    const why = "conflict: cannot have these subgroups: the group would contain itself";
    const undo = await iris("undo 20260115-1");
    expectRefused(undo, why, 6);
  });

  test("adds it again if the other group lost this one", async () => {
    const { iris, state } = organization();
    for (const line of [
      "group members makers --delete-subgroups writers",
      "group members writers --add-subgroups makers --no-record",
      "group members writers --delete-subgroups makers --no-record",
    ])
      expect((await iris(line)).code).toBe(0);
    const { code, err } = await iris("undo 20260115-1");
    expect(code, err).toBe(0);
    const named = (name: string) => [...state.groups.values()].find((group) => group.name === name)!;
    expect(named("makers").subgroups).toContain(named("writers").id);
  });
});

describe("undo of a new group that is used since", () => {
  test.each([
    ["channel update design --can-send-message-group crew", "channel design (can_send_message_group)"],
    ["group members writers --add-subgroups crew", "group writers (subgroups)"],
    ["settings update can_create_groups=crew", "settings (can_create_groups)"],
  ])("leaves it alone after %s, also with --include-later", async (line, by) => {
    const { iris } = organization();
    expect((await iris("group create crew")).code).toBe(0);
    const used = await iris(`${line} --no-record`);
    expect(used.code, used.err).toBe(0);
    for (const flag of ["", " --include-later"])
      expectRefused(await iris(`undo 20260115-1${flag}`), `✗ group crew: conflict: it is still used by ${by}`, 6);
  });

  test("deactivates it if the runs that are taken back used it", async () => {
    const { iris, state } = organization();
    for (const line of ["group create crew", "channel update design --can-send-message-group crew"])
      expect((await iris(line)).code).toBe(0);
    const { code, err } = await iris("undo 20260115-1 20260115-2");
    expect(code, err).toBe(0);
    expect([...state.groups.values()].find(({ name }) => name === "crew")?.deactivated).toBe(true);
  });
});

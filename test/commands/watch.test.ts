import { expect, test } from "vitest";
import { Interrupted } from "../../src/errors.ts";
import { main } from "../../src/main.ts";
import { type HttpRequest, type HttpResponse, NoAnswer } from "../../src/world/world.ts";
import { credentials, fresh, zulipctl } from "../run.ts";
import { type Setup, testWorld } from "../world.ts";

type Sandbox = ReturnType<typeof fresh>;

/** Events of one request: commands run, queues are lost after them, or the server is unavailable. */
type Step = readonly string[][] | { lost: readonly string[][] } | "away";

/** Returns whether a request waits for events. The first one after a registration does not. */
const isWaiting = ({ method, url }: HttpRequest): boolean =>
  method === "GET" && url.includes("/api/v1/events?") && !url.includes("dont_block");

/** Runs `watch` until the steps are over, then presses Ctrl-C. */
async function watching(
  argv: readonly string[],
  steps: readonly Step[],
  setup: Pick<Setup, "terminal" | "files" | "runWithStreams"> & { env?: Record<string, string>; level?: number } = {},
) {
  const sandbox: Sandbox = fresh({ level: setup.level });
  const registrations: URLSearchParams[] = [];
  let n = 0;
  const http = async (request: HttpRequest): Promise<HttpResponse> => {
    if (request.url.endsWith("/register")) registrations.push(new URLSearchParams(String(request.body)));
    if (!isWaiting(request)) return sandbox.handle(request);
    const step = steps[n++];
    if (step === "away") throw new NoAnswer("connection refused", "network", false);
    const { commands, lost } =
      step && "lost" in step ? { commands: step.lost, lost: true } : { commands: step ?? [], lost: false };
    for (const command of commands) expect((await zulipctl([...command, "--yes"], { sandbox })).code).toBe(0);
    if (lost) sandbox.state.queues.clear();
    if (n > steps.length) world.interrupt(new Interrupted("SIGINT"));
    return sandbox.handle(request);
  };
  const world = testWorld({ http, ...setup, env: { ...setup.env, ...credentials(sandbox) } });
  const code = await main(["watch", ...argv], world);
  const out = world.stdout.text;
  return { code, out, err: world.stderr.text, queues: sandbox.state.queues.size, registrations };
}

const kinds =
  "user, bot, group, folder, channel, linkifier, domain, playground, emoji, export, setting, default_setting, " +
  "organization, profile_field, invitation";
const beginning = `zulipctl: watching chat.example for changes of: ${kinds}\n`;

const recordsIn = (out: string) =>
  out
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line));

test("prints each change with its names until Ctrl-C, and ends with 130", async () => {
  const { code, out } = await watching(
    [],
    [
      [["channel", "update", "design", "--private"]],
      [["group", "members", "designers", "--delete", "cora@sandbox.example"]],
    ],
  );
  expect(code).toBe(130);
  const [first] = recordsIn(out);
  expect(first).toEqual({
    time: "2026-01-15T12:00:00.000Z",
    kind: "channel",
    action: "channel.updated",
    target: { kind: "channel", id: 1, name: "design" },
    property: "is_private",
    from: false,
    to: true,
    destructive: false,
    missed: false,
    event: expect.objectContaining({ type: "stream", op: "update", property: "invite_only" }),
  });
});

test("names the fields of new things as organization files do", async () => {
  const { out } = await watching(
    [],
    [
      [["channel", "create", "deck", "--private", "--subscribe", "iris@sandbox.example"]],
      [["group", "create", "crew"]],
    ],
  );
  const created = recordsIn(out).filter(({ action }) => /created$/.test(action));
  expect(created).toMatchObject([{ to: { name: "deck", is_private: true } }, { to: { name: "crew" } }]);
  expect(Object.keys(created[0].to)).not.toContain("invite_only");
});

const sentences = async (argv: readonly string[], steps: readonly Step[], files?: Map<string, string>) => {
  const { out, ...run } = await watching(argv, steps, { terminal: true, ...(files && { files }) });
  return {
    ...run,
    lines: out
      .replace(/\x1b\[[\d;]*m/g, "")
      .trimEnd()
      .split("\n"),
  };
};

test("writes sentences to a terminal, and marks destructive changes", async () => {
  const { lines } = await sentences(
    [],
    [
      [["channel", "update", "design", "--new-name", "drawing", "--description", "Sketches"]],
      [["users", "update", "otis@sandbox.example", "--role", "administrator"]],
      [["users", "update", "cora@sandbox.example", "--role", "moderator"]],
      [["users", "update", "cora@sandbox.example", "--role", "member"]],
      [["channel", "update", "general", "--can-send-message-group", "role:moderators"]],
      [["settings", "update", "can_create_groups=role:moderators"]],
      [["users", "deactivate", "cora@sandbox.example"]],
      [["channel", "update", "drawing", "--message-retention-days", "30"]],
      [
        ["settings", "update", "invite_required=false"],
        ["folder", "create", "Teams"],
      ],
      [
        ["group", "members", "designers", "--add", "iris@sandbox.example,otis@sandbox.example"],
        ["group", "members", "designers", "--delete", "iris@sandbox.example"],
      ],
    ],
  );
  expect(lines).toMatchInlineSnapshot(`
    [
      "12:00:00    #design: description changed from Sketches and **drafts** to Sketches",
      "12:00:00    #design was renamed to #drawing",
      "12:00:00  ! Otis Member is now administrator, and was member",
      "12:00:00  ! Cora Member is now moderator, and was member",
      "12:00:00  ! Cora Member is now member, and was moderator",
      "12:00:00  ! #general: can_send_message_group changed from role:everyone to role:moderators",
      "12:00:00  ! can_create_groups changed from role:members to role:moderators",
      "12:00:00  ! Cora Member unsubscribed from #council, #drawing, #general and 2 more",
      "12:00:00  ! Cora Member was deactivated",
      "12:00:00  ! Cora Member was removed from group designers",
      "12:00:00 !! #drawing: message_retention_days changed from realm_default to 30 days",
      "12:00:00  ! invite_required changed from true to false",
      "12:00:00    folder Teams was created",
      "12:00:00    Iris Owner, Otis Member were added to group designers",
      "12:00:00  ! Iris Owner was removed from group designers",
    ]
  `);
});

test("has the words of organization files", async () => {
  const steps: Step[] = [
    [["channel", "update", "design", "--message-retention-days", "unlimited"]],
    [["channel", "update", "general", "--folder", "Projects"]],
    [["settings", "update", "message_retention_days=30", "message_content_edit_limit_seconds=unlimited"]],
    [["settings", "update", "signup_announcements_stream_id=general", "jitsi_server_url=https://meet.example"]],
    [["settings", "update", "signup_announcements_stream_id=none", "jitsi_server_url=default"]],
    [["profile-field", "create", "Team", "--type", "short-text"]],
    [["bots", "create", "Helper", "--short-name", "helper", "--print"]],
    [["users", "update", "cora@sandbox.example", "--profile-field", "Mentor=otis@sandbox.example"]],
    [["users", "update", "cora@sandbox.example", "--profile-field", "Office=Berlin"]],
  ];
  const records = recordsIn((await watching([], steps)).out);
  const wordOf = (to: { type?: string; bot_type?: string } | null) => to?.type ?? to?.bot_type ?? to;
  expect(records.map(({ property, from, to }) => [property, from, wordOf(to)])).toEqual([
    ["message_retention_days", "realm_default", "unlimited"],
    ["folder_id", null, "Projects"],
    ["message_content_edit_limit_seconds", 600, "unlimited"],
    ["message_retention_days", "unlimited", 30],
    ["jitsi_server_url", "default", "https://meet.example"],
    ["signup_announcements_stream_id", null, "general"],
    ["jitsi_server_url", "https://meet.example", "default"],
    ["signup_announcements_stream_id", "general", null],
    [null, null, "short_text"],
    [null, null, "generic"],
    ["profile.Mentor", ["iris@sandbox.example"], ["otis@sandbox.example"]],
    ["profile.Office", "Lisbon", "Berlin"],
  ]);
  expect((await sentences([], steps)).lines).toMatchInlineSnapshot(`
    [
      "12:00:00    #design: message_retention_days changed from realm_default to unlimited",
      "12:00:00    #general: folder_id changed from none to Projects",
      "12:00:00    message_content_edit_limit_seconds changed from 10 minutes (600) to unlimited",
      "12:00:00 !! message_retention_days changed from unlimited to 30 days",
      "12:00:00    jitsi_server_url changed from default to https://meet.example",
      "12:00:00    signup_announcements_stream_id changed from none to general",
      "12:00:00    jitsi_server_url changed from https://meet.example to default",
      "12:00:00    signup_announcements_stream_id changed from general to none",
      "12:00:00    profile field Team was added",
      "12:00:00    bot Helper was created",
      "12:00:00    Cora Member: profile.Mentor changed from ["iris@sandbox.example"] to ["otis@sandbox.example"]",
      "12:00:00    Cora Member: profile.Office changed from Lisbon to Berlin",
    ]
  `);
});

test("--only and --target show some of the changes", async () => {
  const steps: Step[] = [
    [
      ["channel", "update", "design", "--new-name", "drawing"],
      ["folder", "create", "Teams"],
    ],
    [["channel", "update", "general", "--description", "All"]],
  ];
  const kinds = async (argv: string[]) => recordsIn((await watching(argv, steps)).out).map(({ action }) => action);
  expect(await kinds(["--only", "folder"])).toEqual(["folder.created"]);
  expect(await kinds(["--target", "#design"])).toEqual(["channel.renamed"]);
  expect(await kinds(["--target", "GENERAL"])).toEqual(["channel.updated"]);
});

test("marks changes as missed if the queue was lost", async () => {
  const { out } = await watching(
    [],
    [
      [["folder", "create", "Teams"]],
      {
        lost: [
          ["folder", "create", "Meanwhile"],
          ["users", "deactivate", "cora@sandbox.example"],
        ],
      },
      [["folder", "create", "Later"]],
    ],
  );
  expect(recordsIn(out).map(({ action, target, missed }) => [action, target.name, missed])).toEqual([
    ["folder.created", "Teams", false],
    ["user.deactivated", "Cora Member", true],
    ["group.member_removed", "designers", true],
    ["folder.created", "Meanwhile", true],
    ...["design", "general", "announcements", "council", "attic"].map((name) => ["channel.unsubscribed", name, true]),
    ["folder.created", "Later", false],
  ]);
});

const cora = "user:cora@sandbox.example";

/** Cora is named in permissions, is deactivated, and comes back. */
const coraReturns: Step[] = [
  [
    ["channel", "update", "design", "--can-send-message-group", `${cora},user:otis@sandbox.example`],
    ["group", "update", "designers", "--can-mention-group", cora],
    ["settings", "update", `can_create_groups=${cora},group:role:moderators`],
  ],
  [["users", "deactivate", "cora@sandbox.example"]],
  [["users", "reactivate", "cora@sandbox.example"]],
];

test.each([371, 500])("prints what a person loses when deactivated, and has again later (level %i)", async (level) => {
  const { out } = await watching([], coraReturns, { level });
  const changes = recordsIn(out).slice(3);
  const half = changes.length / 2;
  const subjects = changes.map(({ target, property }) => `${target.kind} ${target.name}: ${property}`);
  expect(subjects.slice(0, half).sort()).toEqual([
    "channel announcements: subscribers",
    "channel attic: subscribers",
    "channel council: subscribers",
    "channel design: can_send_message_group",
    "channel design: subscribers",
    "channel general: subscribers",
    "group designers: can_mention_group",
    "group designers: members",
    "setting can_create_groups: can_create_groups",
    "user Cora Member: is_active",
  ]);
  const values = changes.map(({ from, to }, n) => [subjects[n], from, to]);
  const back = values.slice(half).map(([subject, from, to]) => [subject, to, from]);
  expect(back).toHaveLength(half);
  expect(back).toEqual(expect.arrayContaining(values.slice(0, half)));
});

test("says in a few lines what a person loses and has again", async () => {
  const { lines } = await sentences(["--only", "user,channel,group"], coraReturns);
  expect(lines.slice(2)).toMatchInlineSnapshot(`
    [
      "12:00:00  ! Cora Member unsubscribed from #council, #design, #general and 2 more",
      "12:00:00  ! Cora Member was deactivated",
      "12:00:00  ! group designers: can_mention_group changed from user cora@sandbox.example to nobody",
      "12:00:00  ! Cora Member was removed from group designers",
      "12:00:00  ! #design: can_send_message_group changed from user cora@sandbox.example, user otis@sandbox.example to user otis@sandbox.example",
      "12:00:00    Cora Member was reactivated",
      "12:00:00  ! group designers: can_mention_group changed from nobody to user cora@sandbox.example",
      "12:00:00    Cora Member was added to group designers",
      "12:00:00  ! #design: can_send_message_group changed from user otis@sandbox.example to user cora@sandbox.example, user otis@sandbox.example",
      "12:00:00    Cora Member subscribed to #design, #general, #announcements and 2 more",
    ]
  `);
});

test("ends when the account is no longer an administrator", async () => {
  const { code, out, err } = await watching(
    [],
    [
      [["users", "update", "otis@sandbox.example", "--role", "owner"]],
      [["users", "update", "iris@sandbox.example", "--role", "member", "--allow-lockout"]],
    ],
  );
  expect(recordsIn(out).map(({ target, to }) => [target.name, to])).toEqual([
    ["Otis Member", "owner"],
    ["Iris Owner", "member"],
  ]);
  expect({ code, err }).toEqual({
    code: 1,
    err: expect.stringContaining("only administrators and owners see the whole organization"),
  });
});

test("takes from a fresh read only what an event is about", async () => {
  const { out } = await watching(
    ["--only", "channel,invitation,user"],
    [
      [
        ["invite", "add", "new@sandbox.example"],
        ["users", "deactivate", "cora@sandbox.example"],
        ["users", "reactivate", "cora@sandbox.example"],
        ["channel", "update", "design", "--message-retention-days", "30"],
        ["channel", "update", "design", "--message-retention-days", "unlimited"],
      ],
    ],
  );
  const records = recordsIn(out).map(({ action, target, from, to }) => [action, target.name, from, to]);
  const channels = ["design", "general", "announcements", "council", "attic"];
  expect(records.filter(([action]) => action !== "channel.unsubscribed" && action !== "channel.subscribed")).toEqual([
    ["invitation.created", "new@sandbox.example", null, expect.anything()],
    ["user.deactivated", "Cora Member", true, false],
    ["user.reactivated", "Cora Member", false, true],
    ["channel.retention_changed", "design", "realm_default", 30],
    ["channel.retention_changed", "design", 30, "unlimited"],
  ]);
  const subscriptions = records.filter(([action]) => /subscribed/.test(action)).map(([action, name]) => [action, name]);
  expect(subscriptions).toEqual([
    // Servers send private channels first.
    ...["council", "design", "general", "announcements", "attic"].map((name) => ["channel.unsubscribed", name]),
    ...channels.map((name) => ["channel.subscribed", name]),
  ]);
});

test("continues when the server was unavailable, and reports it once", async () => {
  const { out, err, code } = await watching(
    [],
    ["away", "away", "away", "away", "away", [["folder", "create", "Teams"]]],
  );
  expect(code).toBe(130);
  expect(recordsIn(out)).toHaveLength(1);
  expect(err.match(/Trying again/g)).toHaveLength(1);
  expect(err.match(/again$/gm)).toHaveLength(1);
});

test("says what it watches", async () => {
  const said = async (...argv: string[]) => {
    const files = new Map([["org.yaml", "organization: https://chat.example\nfolders: []\n"]]);
    const { err } = await watching(argv, [], { files });
    return err.replace("zulipctl: interrupted\n", "");
  };
  expect(await said("--only", "user,message")).toBe("zulipctl: watching chat.example for changes of: user, message\n");
  expect(await said("--only", "user", "--target", "me@x\u001b[1m")).toBe(
    'zulipctl: watching chat.example for changes of "me@x": user\n',
  );
  expect(await said("--plan", "org.yaml")).toBe("zulipctl: watching chat.example for differences from org.yaml\n");
  expect(await said("--quiet")).toBe("");
});

test("says which events are lost, and that what was changed back is not visible", async () => {
  const lost = { lost: [["folder", "create", "Meanwhile"]] };
  expect((await watching(["--messages"], [lost])).err).toBe(
    `zulipctl: watching chat.example for changes of: ${kinds}, message\n` +
      "zulipctl: chat.example no longer has the events since 2026-01-15 12:00Z. zulipctl reads the organization again " +
      "and marks what changed as missed. What was changed back is not visible. " +
      "Messages received meanwhile are not printed.\nzulipctl: interrupted\n",
  );
});

/** Runs `watch --for 5m` while the server answers every request for events at once. Returns the times of requests. */
async function answeredAtOnce(status: number, body: object) {
  const sandbox = fresh();
  const times: { registered: number[]; asked: number[] } = { registered: [], asked: [] };
  const http = async (request: HttpRequest): Promise<HttpResponse> => {
    const now = Math.round(world.clock.monotonic() / 1000);
    if (request.url.endsWith("/api/v1/register")) times.registered.push(now);
    if (!isWaiting(request)) return sandbox.handle(request);
    times.asked.push(now);
    const headers = { "content-type": "application/json" };
    const bytes = new TextEncoder().encode(JSON.stringify(body));
    return {
      status,
      headers,
      body: (async function* () {
        yield bytes;
      })(),
    };
  };
  const world = testWorld({ http, env: credentials(sandbox) });
  const began = world.clock.monotonic() / 1000;
  const code = await main(["watch", "--for", "5m"], world);
  const since = (all: number[]) => all.map((each) => Math.round(each - began));
  return { code, registered: since(times.registered), asked: since(times.asked), err: world.stderr.text };
}

test("pauses longer each time that the server has dropped its queue", async () => {
  const bad = { result: "error", msg: "Bad event queue ID: x", code: "BAD_EVENT_QUEUE_ID", queue_id: "x" };
  const { code, registered, err } = await answeredAtOnce(400, bad);
  expect({ code, registered }).toEqual({ code: 0, registered: [0, 1, 3, 7, 15, 31, 63, 123, 183, 243] });
  expect(err.match(/no longer has the events/g)).toHaveLength(1);
});

test("pauses longer after each answer without a new event", async () => {
  const nothing = { result: "success", msg: "", events: [] };
  const repeated = { ...nothing, events: [{ id: -1, type: "realm", op: "update", property: "name", value: "x" }] };
  for (const body of [nothing, repeated])
    expect(await answeredAtOnce(200, body)).toMatchObject({
      asked: [0, 1, 3, 7, 15, 31, 63, 123, 183, 243],
      registered: [0],
      err: beginning,
    });
});

/** Runs `watch` with a program, and returns the environment that the program gets. */
async function environmentOfProgram(argv: readonly string[], env: Record<string, string>) {
  let found: Record<string, string | undefined> = {};
  const runWithStreams: Setup["runWithStreams"] = async (_, environment) => {
    found = environment;
    return 0;
  };
  const { err } = await watching([...argv, "--", "notify"], [[["folder", "create", "Teams"]]], { runWithStreams, env });
  expect(err).toBe(`${beginning}zulipctl: interrupted\n`);
  return Object.fromEntries(Object.entries(found).filter(([, value]) => value !== undefined));
}

test("gives a program no credentials, unless asked", async () => {
  const others = { PATH: "/bin", HTTPS_PROXY: "http://ada:secret@proxy.example:3128" };
  const env = { ...others, ZULIP_CONFIG: "/zuliprc", ZULIPCTL_PROFILE: "ada", ZULIP_TOKEN: "x" };
  expect(await environmentOfProgram([], env)).toEqual(others);
  const given = { ZULIP_SITE: "https://chat.example", ZULIP_EMAIL: "iris@sandbox.example" };
  expect(await environmentOfProgram(["--with-credentials"], { ...others, ZULIPCTL_PROFILE: "ada" })).toEqual({
    ...others,
    ...given,
    ZULIP_API_KEY: expect.stringMatching(/^\w{32}$/),
  });
});

test("starts no further program when --for is over, and says why the last one ended", async () => {
  const sandbox = fresh();
  let started = 0;
  let answered = false;
  const http = async (request: HttpRequest): Promise<HttpResponse> => {
    if (isWaiting(request) && !answered) {
      answered = true;
      const argv = ["group", "members", "designers", "--add", "iris@sandbox.example,otis@sandbox.example"];
      expect((await zulipctl(argv, { sandbox })).code).toBe(0);
    }
    return sandbox.handle(request);
  };
  const runWithStreams: Setup["runWithStreams"] = async (_, __, options) => {
    started++;
    await world.clock.sleep(options!.timeout!);
    return 143;
  };
  const world = testWorld({ http, env: credentials(sandbox), runWithStreams });
  expect(await main(["watch", "--for", "10s", "--", "notify"], world)).toBe(0);
  expect(world.stdout.text.trimEnd().split("\n")).toHaveLength(2);
  expect({ started, err: world.stderr.text }).toEqual({
    started: 1,
    err: `${beginning}zulipctl: notify was stopped: the time of --for is over\n`,
  });
});

const file = () => new Map([["org.yaml", "organization: https://chat.example\nfolders:\n  - name: Teams\n"]]);

test("--plan shows differences from files, and resolved ones", async () => {
  const { lines } = await sentences(["--plan", "org.yaml"], [[["folder", "create", "Teams"]]], file());
  expect(lines).toMatchInlineSnapshot(`
    [
      "12:00:00  ! drift: folders "Teams": the file would create it",
      "12:00:00  ! resolved: folders "Teams"",
    ]
  `);
});

test("--plan shows each value by itself, and continues when a thing in a file is archived", async () => {
  const text =
    "organization: https://chat.example\nsettings: { digest_weekday: tuesday, org_type: unspecified }\n" +
    "channels:\n  - name: staff\n    topics_policy: inherit\n";
  const { lines, code } = await sentences(
    ["--plan", "org.yaml"],
    [
      [["settings", "update", "digest_weekday=friday", "org_type=business"]],
      [["settings", "update", "digest_weekday=tuesday"]],
      [["channel", "archive", "staff"]],
      [["channel", "unarchive", "staff"]],
    ],
    new Map([["org.yaml", text]]),
  );
  expect(code).toBe(130);
  expect(lines).toMatchInlineSnapshot(`
    [
      "12:00:00  ! drift: settings: digest_weekday is "friday", and the file says "tuesday"",
      "12:00:00  ! drift: settings: org_type is "business", and the file says "unspecified"",
      "12:00:00  ! resolved: settings (digest_weekday)",
      "12:00:00  ! drift: channels "staff": the file would unarchive it",
      "12:00:00  ! resolved: channels "staff"",
    ]
  `);
});

test("--plan --exit-code ends with 8 at the first difference, and deletes its queue", async () => {
  const { code, queues } = await watching(["--plan", "org.yaml", "--exit-code"], [], { files: file() });
  expect({ code, queues }).toEqual({ code: 8, queues: 0 });
});

test.each([
  [["--jq", ".kind"], "--jq cannot be combined with watch"],
  [["user"], "unexpected argument: user"],
  [["--fields", "kind"], "--fields cannot be combined with watch"],
  [["--only", "cats"], 'invalid --only "cats": must be one or more of user, bot, group, folder,'],
  [["--for", "soon"], "must be a span of time"],
  [["--with-credentials"], "--with-credentials requires a program"],
])("refuses %j", async (argv, says) => {
  const { code, err } = await zulipctl(["watch", ...argv]);
  expect({ code, err }).toEqual({ code: 2, err: expect.stringContaining(says) });
});

test.each([
  [480, null, undefined],
  [481, "43200", undefined],
  [491, "43200", true],
])("asks at level %i for what the server supports", async (level, timeout, emoji) => {
  const { registrations } = await watching([], [], { level });
  const [first] = registrations;
  expect(first?.get("idle_queue_timeout")).toBe(timeout);
  expect(JSON.parse(first?.get("client_capabilities") ?? "{}").individual_emoji_changes).toBe(emoji);
});

test.each([418, 500])("follows the order of folders and the description at level %i", async (level) => {
  const { out } = await watching(
    [],
    [
      [["folder", "create", "Teams"]],
      [["folder", "reorder", "Teams", "Projects"]],
      [["settings", "update", "description=New"]],
    ],
    { terminal: true, level },
  );
  const lines = out.replace(/\x1b\[[\d;]*m/g, "").split("\n");
  expect(lines.map((line) => line.slice(12))).toMatchInlineSnapshot(`
    [
      "folder Teams was created",
      "the order of the folders changed",
      "description changed from "" to New",
      "",
    ]
  `);
});

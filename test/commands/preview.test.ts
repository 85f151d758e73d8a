/** Changes that are looked at before they are made: what is told, what is left out, and what is expected to stay. */
import { describe, expect, test } from "vitest";
import type { Sandbox } from "../../src/sandbox/index.ts";
import { batch } from "../batch/rows.ts";
import { everyCase, everyLine, isMaking, setup, withFlags } from "../cases/all.ts";
import type { Change } from "../cases/case.ts";
import { fresh, type Options, zulipctl } from "../run.ts";
import { everyCommand } from "../tree.ts";
import { answer } from "../world.ts";

const shown = ({ method, url, body }: { method: string; url: string; body?: string | undefined }): string =>
  `${method} ${url.replace(/^.*\/api\/v1/, "")}${body ? ` ${decodeURIComponent(body.replaceAll("+", " "))}` : ""}`;

async function run(argv: string[], options: Options = {}) {
  const { code, out, err, sent } = await zulipctl(argv, options);
  const isChange = ({ method, url }: { method: string; url: string }) =>
    method !== "GET" && !/\/(register|events)\b/.test(url);
  return { code, out, err, sent: sent.map(shown), changes: sent.filter(isChange).map(shown) };
}

const folders = "GET /channel_folders?include_archived=true";
const channels = "GET /streams?exclude_archived=false&include_all=true";

describe("every verb on something that can be read", () => {
  const looked = [...everyCase].filter(
    (one): one is [string, Change] =>
      one[1].kind === "change" && Boolean(one[1].operation.before) && !one[1].several && one[0] !== "api",
  );
  test("has --diff and --if-changed", () => {
    const others = [...everyCommand().keys()].filter((name) => / (update|reorder|members|subscribers)$/.test(name));
    for (const command of [...looked.map(([command]) => command), ...others]) {
      const flags = everyCommand()
        .get(command)!
        .options.map(({ long }) => long);
      expect({ command, flags }).toMatchObject({ flags: expect.arrayContaining(["--diff", "--if-changed"]) });
    }
  });

  const again = everyLine.filter(
    (line) =>
      isMaking(line) &&
      looked.some(([command]) => command === line.command) &&
      /^[\w-]+ [\w-]+ \d/.test(line.argv.join(" ")),
  );
  test.each(again.map((line) => [line.argv.join(" "), line] as const))(
    "%s: a second time changes nothing",
    async (_, line) => {
      const ready = setup(line);
      const argv = withFlags(line.argv, ["--if-changed", "--json", "--yes"]);
      expect(await run(argv, ready)).toMatchObject({ code: 0 });
      expect(await run(argv, ready)).toMatchObject({ code: 0, out: '{"unchanged":true}\n', changes: [] });
    },
  );
});

describe("--diff", () => {
  test("shows what is there beside what would be, and sends nothing", async () => {
    expect(
      await run(["folder", "update", "Projects", "--description", "x", "--new-name", "Projects", "--diff"]),
    ).toEqual({
      code: 0,
      out: 'name: "Projects" (unchanged)\ndescription: "What we are **making**" → "x"\n',
      err: "",
      sent: [folders],
      changes: [],
    });
  });

  test("with --exit-code ends with 8 where something differs, and with 0 where nothing does", async () => {
    const argv = ["folder", "update", "Projects", "--diff", "--exit-code", "--description"];
    expect(await run([...argv, "x"])).toMatchObject({
      code: 8,
      out: 'description: "What we are **making**" → "x"\n',
      err: "zulipctl: 1 change would be made\n",
      changes: [],
    });
    expect(await run([...argv, "x", "-o", "json"])).toMatchObject({ code: 8, out: expect.stringContaining('"from":') });
    expect(await run([...argv, "What we are **making**"])).toMatchObject({ code: 0, err: "", changes: [] });
    expect(await run(["group", "members", "17", "--add", "9", "--diff", "--exit-code"])).toMatchObject({ code: 0 });
    expect(await run(["group", "members", "17", "--add", "12", "--diff", "--exit-code"])).toMatchObject({ code: 8 });
    expect(await run(["folder", "update", "Projects", "--exit-code", "--description", "x"])).toMatchObject({
      code: 2,
      err: "zulipctl: --exit-code requires --diff\n",
      changes: [],
    });
  });

  test("names groups and folders, and costs a read of each kind", async () => {
    const { code, out, sent } = await run([
      ...["channel", "update", "1", "--can-send-message-group", "12", "--no-folder", "--message-retention-days"],
      ...["realm_default", "--description", "a\nb", "--default", "--diff", "-n"],
    ]);
    expect({ code, out }).toEqual({
      code: 0,
      out:
        'description: "Sketches and **drafts**" → "a b"\nis_default_stream: false → true\n' +
        "message_retention_days: realm_default (unchanged)\nfolder: Projects → none\n" +
        "can_send_message_group: role:everyone → role:moderators\n",
    });
    expect(sent).toEqual([
      `${channels}&include_default=true`,
      folders,
      "GET /user_groups?include_deactivated_groups=true",
    ]);
  });

  test("asks nothing, and its lines come before the question of the command itself", async () => {
    const argv = ["channel", "update", "2", "--web-public", "--description", "x"];
    expect(await run([...argv, "--diff"])).toMatchObject({ code: 0, changes: [] });
    const { code, err, changes } = await run(argv, { terminal: true, confirm: [false] });
    expect({ code, changes }).toEqual({ code: 130, changes: [] });
    expect(err.split("\n").slice(0, 2)).toEqual(['description: "Everyone" → "x"', "is_web_public: false → true"]);
  });

  test("tells who of the members is there", async () => {
    const argv = ["group", "members", "17", "--add", "12,9", "--delete", "11,13", "--diff"];
    expect(await run(argv)).toMatchObject({
      code: 0,
      out: "delete: [11] there, [13] not there\nadd: [12] new, [9] there already\n",
      sent: ["GET /user_groups/17/members?direct_member_only=true"],
    });
    expect(await run([...argv, "-o", "json"])).toMatchObject({
      code: 0,
      out: expect.stringContaining('"from":{"delete":[11],"add":[9]}'),
    });
  });

  test("of a thing that is not to be seen ends with 1", async () => {
    expect(await run(["folder", "update", "99", "--description", "x", "--diff"])).toMatchObject({
      code: 1,
      out: "",
      err: "zulipctl: 99 not found, or not visible to iris@sandbox.example\n",
      changes: [],
    });
  });
});

describe("--if-changed", () => {
  test("sends only what differs, and says only that", async () => {
    const argv = [
      "channel",
      "update",
      "1",
      "--description",
      "Sketches and **drafts**",
      "--new-name",
      "Sketches",
      "--if-changed",
    ];
    expect(await run(argv)).toMatchObject({
      code: 0,
      out: 'Updated channel 1: name set to "Sketches".\n',
      changes: ["PATCH /streams/1 new_name=Sketches"],
    });
  });

  test("where nothing differs says so, and a dry run shows no request", async () => {
    const argv = ["folder", "update", "1", "--new-name", "Projects", "--if-changed"];
    expect(await run(argv)).toMatchObject({ code: 0, out: "No changes.\n", err: "", changes: [] });
    expect(await run([...argv, "-n"])).toMatchObject({
      code: 0,
      out: "",
      err: "zulipctl: No changes.\n",
    });
    expect(await run([...argv, "-n", "--json"])).toMatchObject({ code: 0, out: "[]\n" });
  });

  test.each<[string, string[]]>([
    ["newlines, which become spaces", ["--description", "Sketches\nand **drafts**"]],
    ["a name with blanks around it", ["--new-name", " design "]],
    ["a list of one group, which is the group", ["--can-send-message-group", "group:15"]],
    ["a folder", ["--folder", "1"]],
    ["the organization's retention", ["--message-retention-days", "realm_default"]],
    ["what is off", ["--no-private", "--no-web-public", "--no-default"]],
    ["nobody, written as a list", ["--can-subscribe-group", '{"direct_members":[],"direct_subgroups":[]}']],
    ["the policy", ["--topics-policy", "inherit"]],
  ])("knows as the server does: %s", async (_, flags) => {
    expect(await run(["channel", "update", "1", ...flags, "--if-changed", "--json"])).toMatchObject({
      code: 0,
      out: '{"unchanged":true}\n',
      changes: [],
    });
  });

  test("compares members of a permission as sets", async () => {
    const sandbox = fresh();
    await run(["channel", "update", "1", "--can-send-message-group", "user:11,user:9,group:17"], { sandbox });
    const same = ["channel", "update", "1", "--can-send-message-group", "group:17,user:9,user:11", "--if-changed"];
    expect(await run(same, { sandbox })).toMatchObject({ code: 0, changes: [] });
    const other = ["channel", "update", "1", "--can-send-message-group", "group:17,user:9", "--if-changed"];
    expect((await run(other, { sandbox })).changes).toHaveLength(1);
  });

  test("asks only about what is really changed", async () => {
    const sandbox = fresh();
    const [channel] = [...sandbox.state.channels.values()].filter(({ is_web_public }) => is_web_public);
    const argv = [
      "channel",
      "update",
      String(channel!.stream_id),
      "--web-public",
      "--description",
      "x",
      "--if-changed",
    ];
    expect(await run(argv, { sandbox })).toMatchObject({
      code: 0,
      changes: [expect.stringContaining("description=x")],
    });
    expect(await run(["channel", "update", "1", "--web-public", "--if-changed"])).toMatchObject({
      code: 2,
      changes: [],
    });
  });
});

describe("--expect current", () => {
  /** Somebody else changes the permission after it was read. */
  const meddled = (sandbox: Sandbox): Sandbox => ({
    ...sandbox,
    handle: async (request) => {
      const answer = await sandbox.handle(request);
      if (request.url.includes("/streams?")) sandbox.state.channels.get(1)!.settings.can_send_message_group = 11;
      return answer;
    },
  });
  const argv = ["channel", "update", "1", "--can-send-message-group", "12", "--expect", "current"];

  test("sends what was read as the old value", async () => {
    expect(await run(argv)).toMatchObject({
      code: 0,
      sent: [channels, 'PATCH /streams/1 can_send_message_group={"new":12,"old":15}'],
    });
  });

  test("is a conflict where somebody else was faster", async () => {
    const { code, err } = await run([...argv, "-o", "json"], { sandbox: meddled(fresh()) });
    expect(code).toBe(6);
    expect(JSON.parse(err).error).toMatchObject({ kind: "conflict", outcome: "not_applied" });
  });

  test("leaves a value that was typed, and takes the others", async () => {
    const { changes } = await run([
      ...["channel", "update", "1", "--can-send-message-group", "12", "--can-subscribe-group", "12"],
      ...["--expect", "can-send-message-group=role:everyone", "--expect", "current"],
    ]);
    expect(changes).toEqual([
      expect.stringMatching(
        /^PATCH \/streams\/1 can_send_message_group=\{"new":12,"old":15\}&can_subscribe_group=\{"new":12,"old":\d+\}$/,
      ),
    ]);
  });

  test("needs a permission that is changed", async () => {
    expect(await run(["channel", "update", "1", "--description", "x", "--expect", "current"])).toMatchObject({
      code: 2,
      err: "zulipctl: --expect current requires a permission to change\n",
      sent: [],
    });
  });
});

describe("in a batch", () => {
  const rows = (...lines: string[]) => new Map([["rows.csv", `f,d\n${lines.join("\n")}\n`]]);
  const words = ["--", "folder", "update", "{f}", "--description", "{d}", "--if-changed"];

  test("a kind is looked up once for the run, and earlier rows count", async () => {
    const files = rows("Projects,a", "1,b", "1,b", "2,What we are **making**", "projects,a", "1,a");
    const { code, records, changes, sent } = await batch(["rows.csv", ...words], { files });
    expect(code).toBe(0);
    expect(records.map((record) => "unchanged" in record)).toEqual([false, false, true, false, false, true]);
    expect(changes).toEqual([
      "PATCH /channel_folders/1 description=a",
      "PATCH /channel_folders/1 description=b",
      "PATCH /channel_folders/2 description=What we are **making**",
      "PATCH /channel_folders/1 description=a",
    ]);
    expect(sent.filter(({ method }) => method === "GET").map(shown)).toEqual([folders]);
  });

  test("--diff stands in every row or in none", async () => {
    const lines = "folder update 1 --description a --diff\nfolder update 2 --description b\n";
    const { code, err, changes } = await batch(["rows.txt", "--format", "lines"], {
      files: new Map([["rows.txt", lines]]),
    });
    expect({ code, changes }).toEqual({ code: 2, changes: [] });
    expect(err).toContain("--diff must be in every row or in none");
  });

  test.each([
    [
      "folder update",
      ["folder", "update", "1", "--description", "{d}", "--if-changed"],
      "PATCH /channel_folders/1 description=a",
    ],
    ["settings update", ["settings", "update", "name={d}"], "PATCH /realm name=a"],
  ])("of %s, what an earlier row was to change is sent where that row was refused", async (_, verb, request) => {
    const sandbox = fresh();
    let patches = 0;
    const handle: Sandbox["handle"] = async (request) => {
      if (request.method === "PATCH" && ++patches === 1)
        return answer(400, { result: "error", msg: "No.", code: "BAD_REQUEST" });
      return sandbox.handle(request);
    };
    const ready = { sandbox: { ...sandbox, handle }, files: rows("1,a", "1,a") };
    const { code, outcomes, changes } = await batch(["rows.csv", "--", ...verb], ready);
    expect({ code, outcomes }).toEqual({ code: 5, outcomes: ["1 refused", "2 done"] });
    expect(changes.filter((change) => change.startsWith("PATCH"))).toEqual([request, request]);
  });

  test("current is what earlier rows have made", async () => {
    const files = new Map([["rows.csv", "who\n12\n11\n"]]);
    const { code, changes } = await batch(
      ["rows.csv", "--", "channel", "update", "1", "--can-send-message-group", "{who}", "--expect", "current"],
      { files },
    );
    expect({ code, changes }).toEqual({
      code: 0,
      changes: [
        'PATCH /streams/1 can_send_message_group={"new":12,"old":15}',
        'PATCH /streams/1 can_send_message_group={"new":11,"old":12}',
      ],
    });
  });
});

describe("settings update", () => {
  const reads = [
    'POST /register event_types=["realm"]&fetch_event_types=["realm"]',
    "DELETE /events queue_id=bb3ddc32-1357-715a-e204-c7a91c6a9519",
  ];
  const update = (...words: string[]) => run(["settings", "update", ...words]);

  test("--diff tells of each setting what is there, read once, and nothing else tells it apart", async () => {
    const words = ["name=Acme", "invite_required=true", "can_create_bots_group=9", "message_retention_days=unlimited"];
    const { code, out } = await update(...words, "signup_announcements_stream_id=2", "--diff");
    expect({ code, out }).toEqual({
      code: 0,
      out:
        'name: "Sandbox" → "Acme"\ninvite_required: true (unchanged)\nmessage_retention_days: unlimited (unchanged)\n' +
        "can_create_bots_group: role:members → role:nobody\n" +
        "signup_announcements_stream_id: none → general\n",
    });
    const json = await update(...words, "signup_announcements_stream_id=2", "--diff", "-o", "json");
    expect(json.sent.slice(0, 2)).toEqual(reads);
    expect(json.sent.slice(2).every((line) => line.startsWith("GET "))).toBe(true);
    expect(JSON.parse(json.out).map(({ parameters, from }: Record<string, unknown>) => [parameters, from])).toEqual([
      [{ name: "Acme" }, { name: "Sandbox" }],
      [{ can_create_bots_group: { new: 9 } }, { can_create_bots_group: 14 }],
      [{ signup_announcements_stream_id: 2 }, { signup_announcements_stream_id: -1 }],
    ]);
  });
});

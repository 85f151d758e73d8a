/** `org apply`: files, plans and journals become so; others who change things meanwhile lose nothing. */
import { describe, expect, test } from "vitest";
import { main } from "../../../src/main.ts";
import type { HttpRequest } from "../../../src/world.ts";
import { credentials, fresh, inProfile, zulipctl, zulipctlAsking } from "../../run.ts";
import { testWorld } from "../../world.ts";
import { changing, channelNamed, dying, filesOf, meddling } from "./applying.ts";

const whole = `
settings: { description: We make things }
profile_fields:
  - { name: Team, type: options, options: [Design, Build] }
folders:
  - { name: Work, description: What we do }
groups:
  - { name: crew, description: All of us, members: [otis@sandbox.example], can_manage_group: crew }
  - { name: inner, description: Some, members: [], subgroups: [crew] }
channels:
  - { name: deck, description: On top, folder: Work, is_private: true, subscribers: [otis@sandbox.example], can_send_message_group: inner }
`;

const words = ["org", "apply", "--yes", "organization.yaml"];

/** What is said after the plan. */
const belowPlan = (err: string): string => err.slice(err.indexOf("zulipctl: "));

describe("files", () => {
  test("applies files with the fewest requests, and has nothing to do the second time", async () => {
    const sandbox = fresh();
    const files = filesOf(whole);
    const first = await zulipctl([...words, "-o", "json"], { sandbox, files });
    expect(belowPlan(first.err)).toBe("zulipctl: 6 of 6 changes done\nzulipctl: verified: everything is applied\n");
    expect(first.code).toBe(0);
    expect(changing(first.sent)).toEqual([
      "PATCH /realm",
      "POST /realm/profile_fields",
      "POST /channel_folders/create",
      "POST /user_groups/create",
      "PATCH /user_groups/20",
      "POST /user_groups/create",
      "POST /channels/create",
    ]);
    expect(JSON.parse(first.out)).toMatchObject([
      { row: 1, operation: "organization.update", target: "settings", outcome: "done" },
      { row: 2, operation: "profile-field.create", target: "profile field Team", outcome: "done" },
      { row: 3, operation: "folder.create", target: "folder Work", outcome: "done" },
      { row: 4, operation: "group.create, group.update", target: "group crew", outcome: "done" },
      { row: 5, operation: "group.create", target: "group inner", outcome: "done" },
      { row: 6, operation: "channel.create", target: "channel deck", outcome: "done" },
    ]);
    const again = await zulipctl(words, { sandbox, files });
    expect({ code: again.code, err: again.err, out: again.out }).toEqual({
      code: 0,
      err: "zulipctl: https://chat.example already matches: no changes\n",
      out: "",
    });
    expect(changing(again.sent)).toEqual([]);
  });

  test("verifies an emptied text if the server sends none", async () => {
    const files = filesOf(`linkifiers:
  - { pattern: 'case number (?P<number>[0-9]+)', url_template: 'https://t.example/{number}', example_input: '' }
`);
    const { code, err } = await zulipctl(words, { sandbox: fresh({ level: 478 }), files });
    expect({ code, err: belowPlan(err) }).toEqual({
      code: 0,
      err: "zulipctl: 1 of 1 change done\nzulipctl: verified: everything is applied\n",
    });
  });

  test("names new things in a dry run, and asks no question", async () => {
    const { out, err, code, sent } = await zulipctl([...words, "-n", "-o", "json"], { files: filesOf(whole) });
    expect({ err, code, changes: changing(sent) }).toEqual({ err: "", code: 0, changes: [] });
    const shown = JSON.parse(out) as { operation: string; url: string; parameters: object; body: string }[];
    expect(shown.map(({ operation }) => operation).slice(3)).toEqual([
      "group.create",
      "group.update",
      "group.create",
      "channel.create",
    ]);
    expect(shown[4]).toMatchObject({
      url: "https://chat.example/api/v1/user_groups/<id of group crew>",
      parameters: { can_manage_group: { new: "<id of group crew>" } },
    });
    expect(shown[6]).toMatchObject({
      parameters: { folder_id: "<id of folder Work>", can_send_message_group: "<id of group inner>" },
    });
    expect(shown[6]!.body).toContain("folder_id=%22<id of folder Work>%22");
  });

  test("does not send what depends on a refused change, and sends everything else", async () => {
    const sandbox = fresh();
    const name = "x".repeat(101);
    const text = `
groups: [{ name: ${name}, description: '', members: [] }, { name: fine, description: '', members: [] }]
channels: [{ name: deck, description: On top, can_send_message_group: ${name} }]
`;
    const { code, out } = await zulipctl([...words, "-o", "json"], { sandbox, files: filesOf(text) });
    expect(code).toBe(5);
    expect(JSON.parse(out)).toMatchObject([
      { outcome: "refused", error: { message: "User group name cannot exceed 100 characters." } },
      { outcome: "done", target: "group fine" },
      {
        outcome: "not_sent",
        target: "channel deck",
        error: {
          message: `it needs group ${name}, which was refused: User group name cannot exceed 100 characters.`,
          outcome: "not_sent",
        },
      },
    ]);
  });

  test("reports a change that was refused in part, and names what is missing", async () => {
    const text = `
settings: { name: New Name, default_language: xx }
channels: [{ name: ${"x".repeat(61)}, was: design, description: newdesc }]
`;
    const sandbox = fresh();
    const { code, out, err } = await zulipctl([...words, "--yes", "-o", "json"], { sandbox, files: filesOf(text) });
    expect(code).toBe(5);
    expect(JSON.parse(out)).toMatchObject([
      {
        outcome: "refused",
        error: { done: 1, refused: 1, kind: "partial", message: expect.stringContaining("default_language: Invalid") },
      },
      { outcome: "refused", error: { kind: "partial" } },
    ]);
    const [read, error] = belowPlan(err).split("\n");
    expect(read).toBe(
      `zulipctl: verified: 0 of 2 changes applied, 2 in part; not applied: settings (default_language), channel ${"x".repeat(61)} (name)`,
    );
    expect(JSON.parse(error!).error).toMatchObject({ kind: "partial", done: 0, partly: 2 });
    expect(JSON.parse(error!).error).not.toHaveProperty("outcome");
  });

  test("reports a change as applied if its answer was lost", async () => {
    const sandbox = fresh();
    const silent = (async (request: HttpRequest, ...rest: never[]) => {
      const answer = await sandbox.handle(request, ...rest);
      if (!request.url.endsWith("/channel_folders/create")) return answer;
      return { status: 502, headers: {}, body: [], close: async () => undefined } as never;
    }) as typeof sandbox.handle;
    const text = "folders: [{ name: Work, description: What we do }]\nsettings: { description: We make things }";
    const { code, err } = await zulipctl(words, { sandbox, http: silent, files: filesOf(text) });
    expect(code).toBe(7);
    expect(err).toContain(
      "zulipctl: verified: everything is applied\nzulipctl: 1 of 2 not done (1 unknown): folder Work: ",
    );
    expect(err).toContain(". It is applied now, but it is unknown by whom: folder Work\n");
  });

  test("prints the whole plan and asks one question, whatever the changes are", async () => {
    const sandbox = fresh();
    const files = filesOf(
      "channels: [{ name: design, archived: true }, { name: council, archived: true }]\nsettings: { description: x }",
    );
    const line = ["org", "apply", "organization.yaml"];
    const { code, err, sent } = await zulipctl(line, { sandbox, files });
    expect({ code, changes: changing(sent) }).toEqual({ code: 2, changes: [] });
    expect(err).toContain("- channel design: archived\n  ! archives it\n");
    expect(err).toContain(
      "\nzulipctl: confirmation required: stdin is not a terminal. Apply these 3 changes (2 destructive) to chat.example? Pass --yes to confirm.\n",
    );
    const harmless = filesOf("settings: { description: x }");
    const asking = { sandbox, files: harmless, terminal: true, confirm: [false], ...inProfile(sandbox, "prod") };
    const no = await zulipctlAsking(line, asking);
    expect({ code: no.code, asked: no.asked, changes: changing(no.sent) }).toEqual({
      code: 130,
      asked: ["Apply this change to chat.example (profile prod)?"],
      changes: [],
    });
    expect(no.err).toContain('description: "" → "x"');
    const yes = await zulipctl([...line, "--yes"], { sandbox, files });
    expect({ code: yes.code, changes: changing(yes.sent) }).toEqual({
      code: 0,
      changes: ["PATCH /realm", "DELETE /streams/1", "DELETE /streams/5"],
    });
  });

  test("sends nothing if the server would refuse a change, and names each", async () => {
    const files = filesOf("channels: [{ name: council, topics_policy: inherit }, { name: design, description: x }]");
    const { code, err, sent } = await zulipctl([...words, "--yes"], { sandbox: fresh({ level: 391 }), files });
    expect({ code, changes: changing(sent) }).toEqual({ code: 1, changes: [] });
    expect(err).toContain(
      "nothing was sent: the server would refuse some of it: channel council: topics_policy requires feature level 392",
    );
  });

  test("sends nothing if a guard stops the plan, unless its flag is set", async () => {
    const sandbox = fresh();
    const files = filesOf("groups: [{ name: designers, members: [] }, { name: writers, description: x }]");
    const { code, err, sent } = await zulipctl([...words, "--yes"], { sandbox, files });
    expect({ code, changes: changing(sent) }).toEqual({ code: 2, changes: [] });
    expect(err).toContain("all members of group designers would be removed");
    expect(err).toContain("\nTo do that anyway, add: --allow-empty\n");
    const lifted = await zulipctl([...words, "--yes", "--allow-empty"], { sandbox, files });
    expect(lifted.code).toBe(0);
  });

  test.each([
    ["--resume last", "unknown flag: --resume"],
    ["", "missing file"],
  ])("%s is refused before anything is read", async (typed, says) => {
    const { code, err, sent } = await zulipctl(["org", "apply", ...typed.split(" ").filter(Boolean)], {
      files: filesOf(whole),
    });
    expect({ code, sent }).toEqual({ code: 2, sent: [] });
    expect(err).toContain(says);
  });
});

describe("what others change before the second read", () => {
  const file = `
channels: [{ name: design, description: Sketches, folder: null }]
groups: [{ name: designers, description: Who sketches, members: { add: [cora@sandbox.example] } }]
`;

  test("is a conflict of that thing only, and is not overwritten", async () => {
    const sandbox = fresh();
    const touched = meddling(sandbox, 2, (state) => {
      channelNamed(state, "design").description = "by another";
    });
    const { code, out, err, sent } = await zulipctl([...words, "-o", "json"], { ...touched, files: filesOf(file) });
    expect(code).toBe(6);
    expect(JSON.parse(out)).toMatchObject([
      { target: "group designers", outcome: "done" },
      {
        target: "channel design",
        outcome: "conflict",
        error: { kind: "conflict", message: 'channel design now has another description: "by another"' },
      },
    ]);
    expect(err).toContain("not applied: channel design");
    expect(channelNamed(sandbox.state, "design").description).toBe("by another");
    expect(changing(sent).some((each) => each.startsWith("PATCH /streams"))).toBe(false);
  });

  test("is a conflict if it is another name, also of a thing to archive", async () => {
    const sandbox = fresh();
    const group = [...sandbox.state.groups.values()].find(({ name }) => name === "designers")!;
    const touched = meddling(sandbox, 2, (state) => {
      group.name = "painters";
      channelNamed(state, "design").name = "Sketchbook";
    });
    const files = filesOf(`
channels: [{ name: design, archived: true }, { name: general, description: All of us }]
groups: [{ name: designers, description: Who sketches }]
`);
    const { code, out, sent } = await zulipctl([...words, "--yes", "-o", "json"], { ...touched, files });
    expect(JSON.parse(out)).toMatchObject([
      { outcome: "conflict", error: { message: "group designers no longer exists" } },
      { target: "channel general", outcome: "done" },
      { target: "channel design", outcome: "done", unchanged: true },
    ]);
    expect({ code, changes: changing(sent) }).toEqual({ code: 6, changes: ["PATCH /streams/2"] });
    expect(group.description).toBe("Who draws");
  });

  test("counts as done if it is the planned change, and is a conflict if a list has other people", async () => {
    const sandbox = fresh();
    const group = [...sandbox.state.groups.values()].find(({ name }) => name === "designers")!;
    const touched = meddling(sandbox, 2, (state) => {
      Object.assign(channelNamed(state, "design"), { description: "Sketches", folder_id: null });
      group.members.add(13);
    });
    const files = filesOf(file.replace("cora", "otis"));
    const { code, out, sent } = await zulipctl([...words, "-o", "json"], { ...touched, files });
    expect(code).toBe(6);
    expect(changing(sent)).toEqual([]);
    expect(JSON.parse(out)).toMatchObject([
      { outcome: "conflict", error: { message: "group designers now has another members: [9,11,13]" } },
      { target: "channel design", outcome: "done" },
    ]);
  });

  test("neither changes nor renames a thing that somebody else created with that name", async () => {
    const sandbox = fresh();
    const touched = meddling(sandbox, 2, (state) => {
      const design = channelNamed(state, "design");
      state.channels.set(99, { ...design, stream_id: 99, name: "deck", description: "a stranger's" });
    });
    const { code, out, sent } = await zulipctl([...words, "-o", "json"], { ...touched, files: filesOf(whole) });
    expect(code).toBe(6);
    expect(JSON.parse(out)).toContainEqual(expect.objectContaining({ target: "channel deck", outcome: "conflict" }));
    expect(changing(sent)).not.toContain("POST /channels/create");
    expect(channelNamed(sandbox.state, "deck").description).toBe("a stranger's");
  });

  test("is a conflict if the file needs a change that was not confirmed", async () => {
    const touched = meddling(fresh(), 2, (state) => {
      channelNamed(state, "general").description = "by another";
    });
    const text = "channels: [{ name: design, description: x }, { name: general, description: Everyone }]";
    const { code, err, sent } = await zulipctl(words, { ...touched, files: filesOf(text) });
    expect({ code, changes: changing(sent) }).toEqual({ code: 6, changes: ["PATCH /streams/1"] });
    expect(err).toContain("channel general differs since the plan was confirmed");
  });

  test("refuses a file that no longer matches the organization", async () => {
    const touched = meddling(fresh(), 2, (state) => {
      channelNamed(state, "general").name = "other";
    });
    const text = "settings: { moderation_request_channel_id: general, description: x }";
    const { code, err, sent } = await zulipctl(words, { ...touched, files: filesOf(text) });
    expect({ code, changes: changing(sent) }).toEqual({ code: 6, changes: [] });
    expect(err).toContain("nothing was sent: the organization changed since the plan was made: ");
  });
});

describe("a plan file", () => {
  async function planned(sandbox = fresh()) {
    const files = filesOf(whole);
    await zulipctl(["org", "plan", "organization.yaml", "--out", "plan.json"], { sandbox, files });
    return { sandbox, files };
  }

  test("is applied as it was planned", async () => {
    const { sandbox, files } = await planned();
    files.delete("organization.yaml");
    const { code, err } = await zulipctl(["org", "apply", "--yes", "plan.json"], { sandbox, files });
    expect({ code, err: belowPlan(err) }).toEqual({
      code: 0,
      err: "zulipctl: 6 of 6 changes done\nzulipctl: verified: everything is applied\n",
    });
  });

  test("sends what is left, and is refused with the differences after somebody changed something", async () => {
    const { sandbox, files } = await planned();
    const line = ["org", "apply", "plan.json", "--yes"];
    await zulipctl(line, { sandbox, files, http: dying(sandbox, 2) });
    expect((await zulipctl(line, { sandbox, files })).code).toBe(0);
    channelNamed(sandbox.state, "deck").description = "by another";
    const { code, sent, err } = await zulipctl(line, { sandbox, files });
    expect({ code, changes: changing(sent) }).toEqual({ code: 6, changes: [] });
    expect(err).toContain(
      "nothing was sent: the organization changed since plan.json was made: channel deck was created by somebody else meanwhile",
    );
  });

  test("has nothing to do if everything is applied, and asks no question", async () => {
    const { sandbox, files } = await planned();
    await zulipctl(words, { sandbox, files });
    const { code, err, sent } = await zulipctl(["org", "apply", "plan.json"], { sandbox, files });
    expect({ code, changes: changing(sent) }).toEqual({ code: 0, changes: [] });
    expect(err).toBe("zulipctl: https://chat.example already matches: no changes\n");
  });

  test("is refused if it is incomplete", async () => {
    const { sandbox, files } = await planned();
    const whole = files.get("plan.json")!;
    for (const length of [0, 1, 20, 200, whole.length - 3]) {
      files.set("plan.json", whole.slice(0, length));
      const { code, sent, err } = await zulipctl(["org", "apply", "--yes", "plan.json"], { sandbox, files });
      expect({ code, sent }).toEqual({ code: 2, sent: [] });
      expect(err).toContain("plan.json");
    }
  });

  test("for another account, or changed by hand, is refused, and so is --prune with it", async () => {
    const { sandbox, files } = await planned();
    const other = await zulipctl(["org", "apply", "--yes", "plan.json"], { sandbox, files, as: 200 });
    expect({ code: other.code, changes: changing(other.sent) }).toEqual({ code: 2, changes: [] });
    expect(other.err).toContain("plan.json was planned for iris@sandbox.example, and this is adam@sandbox.example");
    const pruned = await zulipctl(["org", "apply", "--yes", "plan.json", "--prune"], { sandbox, files });
    expect({ code: pruned.code, sent: pruned.sent }).toEqual({ code: 2, sent: [] });
    files.set("plan.json", files.get("plan.json")!.replace("We make things", "We break things"));
    const changed = await zulipctl(["org", "apply", "--yes", "plan.json"], { sandbox, files });
    expect({ code: changed.code, sent: changed.sent }).toEqual({ code: 2, sent: [] });
    expect(changed.err).toContain("digest");
  });
});

describe("after a run that ended midway", () => {
  test.each([1, 2, 3, 4, 5, 6])(
    "the same files do the rest after %i changes, and nothing is made twice",
    async (at) => {
      const sandbox = fresh();
      const files = filesOf(whole);
      const first = await zulipctl(words, { sandbox, files, http: dying(sandbox, at) });
      expect(first.code).not.toBe(0);
      const second = await zulipctl(words, { sandbox, files });
      expect(second.code).toBe(0);
      const { groups, channels, folders } = sandbox.state;
      for (const [all, name] of [
        [groups, "crew"],
        [groups, "inner"],
        [channels, "deck"],
        [folders, "Work"],
      ] as const)
        expect([...all.values()].filter((each: { name: string }) => each.name === name)).toHaveLength(1);
      expect((await zulipctl(["org", "plan", "organization.yaml", "--exit-code"], { sandbox, files })).code).toBe(0);
    },
  );

  test.each([
    ["lost", 1],
    ["done", 0],
  ] as const)("a creation whose answer was lost ends with 7 and its name; it was %s", async (last, changes) => {
    const sandbox = fresh();
    const files = filesOf("folders: [{ name: Work, description: x }]\nchannels: [{ name: design, folder: Work }]");
    const first = await zulipctl(words, { sandbox, files, http: dying(sandbox, 0, { last }) });
    expect({ code: first.code, named: first.err.includes("folder Work") }).toEqual({ code: 7, named: true });
    const { code, sent } = await zulipctl(words, { sandbox, files });
    expect({ code, sent: changing(sent) }).toEqual({
      code: 0,
      sent: ["POST /channel_folders/create", "PATCH /streams/1"].slice(1 - changes),
    });
  });
});

describe("a playground that is changed, which takes removing it", () => {
  const made = { name: "Try", pygments_language: "Rust", url_template: "https://a.example/{code}" };
  const again = { ...made, url_template: "https://b.example/{code}" };

  test.each([
    ["leaves", {}, "Rust"],
    ["sets another", { settings: { default_code_block_language: "C" } }, "C"],
  ])("%s default language of code blocks", async (_, more, language) => {
    const sandbox = fresh();
    sandbox.state.playgrounds.push({ id: 1, ...made });
    sandbox.state.counters.playground = 1;
    sandbox.state.organization.settings.default_code_block_language = "Rust";
    const files = filesOf(JSON.stringify({ playgrounds: [again], ...more }), "organization.json");
    const { code } = await zulipctl(["org", "apply", "organization.json", "--yes"], { sandbox, files });
    expect(code).toBe(0);
    expect(sandbox.state.organization.settings.default_code_block_language).toBe(language);
    expect(sandbox.state.playgrounds.map(({ id: _, ...each }) => each)).toEqual([again]);
  });
});

test("allows one run at a time for an account on a machine", async () => {
  const sandbox = fresh();
  const world = testWorld({ http: sandbox.handle, env: credentials(sandbox), files: filesOf(whole) });
  const account = "https%3A%2F%2Fchat.example+iris%40sandbox.example";
  const lock = await world.files.lock(`/state/organization/${account}`, 0);
  expect(await main([...words, "--yes"], world)).toBe(2);
  expect(world.stderr.text).toBe(
    "zulipctl: another zulipctl org apply of this account is running\nWait until that run ends, or stop it.\n",
  );
  await lock!.release();
  expect(await main([...words, "--yes"], world)).toBe(0);
  expect(await world.files.lock(`/state/organization/${account}`, 0)).toBeDefined();
});

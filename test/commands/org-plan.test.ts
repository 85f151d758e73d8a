/** What `org plan` prints, keeps and ends with. */
import { createHash } from "node:crypto";
import { describe, expect, test } from "vitest";
import { Usage } from "../../src/errors.ts";
import { readPlan } from "../../src/organization/plan/file.ts";
import type { State } from "../../src/sandbox/index.ts";
import { fresh, type Options, zulipctl } from "../run.ts";

const named = (state: State, name: string) => [...state.channels.values()].find((each) => each.name === name)!;

async function planned(
  text: string,
  words: string[] = [],
  options: Options & { given?: (state: State) => void; level?: number } = {},
) {
  const { given, level, ...rest } = options;
  const sandbox = fresh({ level: level ?? 442 });
  given?.(sandbox.state);
  const files = options.files ?? new Map<string, string>();
  files.set("org.yaml", text);
  const before = JSON.stringify([...sandbox.state.channels]);
  const ran = await zulipctl(["org", "plan", "org.yaml", ...words], { sandbox, ...rest, files });
  expect(JSON.stringify([...sandbox.state.channels])).toBe(before);
  return { ...ran, files };
}

test("uses --feature-level instead of the server's level", async () => {
  const { code, out } = await planned("folders: [{ name: Work }]\n", ["--feature-level", "371", "--exit-code"]);
  expect({ code, out }).toEqual({ code: 8, out: expect.stringMatching(/level 371[\s\S]*389/) });
  const exported = await zulipctl(["org", "export", "--only", "folders", "--feature-level", "371"]);
  expect(exported).toMatchObject({ code: 0, out: expect.not.stringContaining("Projects") });
});

const drift = "channels: [{ name: design, description: Drafts }]\n";

describe("org plan", () => {
  test("prints one line if nothing differs", async () => {
    const { code, out, err, sent } = await planned("channels: [{ name: design }]", ["--exit-code", "--prune"]);
    expect({ code, out, err, requests: sent.length }).toEqual({
      code: 0,
      out: "https://chat.example matches the file. Not in the file: 4 profile fields, 6 people, 1 bot, 3 groups, 1 folder, 5 channels, 2 linkifiers.\n",
      err: "",
      requests: 4,
    });
    const kept = "complete: [groups]\ngroups: [{ name: makers }]\n";
    expect((await planned(kept, ["--prune"])).out).toMatch(
      /^https:\S+ matches the file\. Kept because in use: group designers \(by group makers \(subgroups\)\), group writers .*\n$/,
    );
  });

  test("ends with 8 if something differs, with --exit-code", async () => {
    expect((await planned(drift)).code).toBe(0);
    const { code, err } = await planned(drift, ["--exit-code"]);
    expect({ code, err }).toEqual({ code: 8, err: "zulipctl: 1 thing differs from the file\n" });
    const json = await planned(drift, ["--exit-code", "-o", "json"]);
    expect({ code: json.code, changes: JSON.parse(json.out).changes.length }).toEqual({ code: 8, changes: 1 });
    const withheld = "complete: [linkifiers]\nlinkifiers: [{ pattern: '#(?P<id>[0-9]+)' }]\n";
    expect((await planned(withheld, ["--exit-code"])).code).toBe(0);
    expect((await planned(withheld, ["--exit-code", "--prune"])).code).toBe(8);
    expect((await planned("folders: [{ name: x }]", ["--exit-code"], { level: 371 })).code).toBe(8);
  });

  test("shows what --prune would do, what the server would refuse, and what guards stop", async () => {
    const text =
      "complete: [linkifiers]\nlinkifiers: [{ pattern: '#(?P<id>[0-9]+)' }]\nchannels: [{ name: council, topics_policy: inherit, folder: null }]\ngroups: [{ name: designers, members: [] }]\n";
    const { code, out } = await planned(text, [], { level: 391 });
    expect({ code, out }).toEqual({
      code: 0,
      out:
        "https://chat.example as iris@sandbox.example, level 391\n\n" +
        "~ group designers\n    members: − Adam Admin, Cora Member\n  ! takes 2 people out\n" +
        "- linkifier (?P<repo>[a-z]+)@(?P<commit>[0-9a-f]{7,40}): only with --prune\n  ! removes it\n\n" +
        "✗ channel council: topics_policy requires feature level 392; this server has level 391\n\n" +
        "✗ all members of group designers would be removed (--allow-empty)\n\n" +
        "1 to change, 1 to remove (kept: no --prune). 1 request, 2 people get a message.\n" +
        "Not in the file: 4 profile fields, 6 people, 1 bot, 2 groups, 1 folder, 5 channels, 1 linkifier.\n",
    });
    expect((await planned(text, ["--allow-empty"], { level: 391 })).out).not.toContain("--allow-empty");
  });

  test("refuses new groups that would contain each other", async () => {
    const text = "groups: [{ name: one, subgroups: [two, makers] }, { name: two, members: [], subgroups: [one] }]\n";
    const { code, out } = await planned(text);
    expect(code).toBe(0);
    expect(out).toContain("✗ group one: cannot have these subgroups: the group would contain itself\n");
    expect(out).toContain("✗ group two: cannot have these subgroups: the group would contain itself\n");
    const files = new Map([["org.yaml", text]]);
    const applied = await zulipctl(["org", "apply", "org.yaml", "--yes"], { files });
    expect(applied.code).toBe(1);
    expect(applied.err).toContain("nothing was sent: the server would refuse some of it: group one: cannot have");
    const diff = await zulipctl(["permissions", "diff", "org.yaml"], { files });
    expect(diff.code).toBe(0);
    expect(diff.err).toContain("would be refused: one: cannot have these subgroups");
  });

  test.each([["plan"], ["apply"], ["permissions"]])(
    "of files that say nothing at all, %s says so and ends with 2",
    async (verb) => {
      const words = verb === "permissions" ? ["permissions", "diff"] : ["org", verb];
      const run = (texts: Record<string, string>) =>
        zulipctl([...words, ...Object.keys(texts)], { files: new Map(Object.entries(texts)) });
      for (const text of ["", " \n", "# nothing yet\n", "---\n", "null\n"]) {
        const { code, out, err, sent } = await run({ "a.yaml": text });
        expect({ code, out, sent }).toEqual({ code: 2, out: "", sent: [] });
        expect(err).toBe(`zulipctl: 1 problem in a.yaml
  a.yaml, line 1, column 1: the file is empty; write {} if it should change nothing
`);
      }
      expect((await run({ "a.yaml": "", "b.yaml": "# b" })).err).toContain("2 problems in a.yaml, b.yaml");
      for (const said of ["{}", "organization: https://chat.example", "channels: []"])
        expect((await run({ "a.yaml": "", "b.yaml": said })).code).toBe(0);
    },
  );

  test.each([
    ["channels", "{ name: desing2, was: desing }", "channel", "desing", "desing2", "design", "design"],
    ["groups", "{ name: poets, was: writer }", "group", "writer", "poets", "writers", "writers"],
    [
      "linkifiers",
      "{ pattern: 'Q!(?P<id>[0-9]+)', was: '@(?P<id>[0-9]+)', url_template: 'https://a.example/{id}' }",
      "linkifier",
      "@(?P<id>[0-9]+)",
      "Q!(?P<id>[0-9]+)",
      "#(?P<id>[0-9]+)",
      "'#(?P<id>[0-9]+)'",
    ],
    ["folders", "{ name: Elsewhere, was: Nowhere at all }", "folder", "Nowhere at all", "Elsewhere", undefined, ""],
  ])("an old name in %s that nothing has is told of", async (section, entry, one, was, name, near, pasted) => {
    const { code, err } = await planned(`${section}: [${entry}]\n`);
    const meant = near ? `; there is "${near}": did you mean it? Then add "was: ${pasted}"` : "";
    expect(code).toBe(0);
    expect(err).toMatch(/^zulipctl: org\.yaml:1:\d+: /);
    expect(err.replace(/^zulipctl: org\.yaml:1:\d+: /, "")).toBe(
      `no ${one} is named "${was}": "${name}" will be created${meant}\n`,
    );
  });

  test("names what --prune would remove if there is nothing else to apply", async () => {
    const linkifier = "{ pattern: '#(?P<id>[0-9]+)' }";
    const files = new Map([["org.yaml", `complete: [linkifiers]\nlinkifiers: [${linkifier}]\n`]]);
    const { code, err } = await zulipctl(["org", "apply", "org.yaml"], { files });
    expect({ code, err }).toEqual({
      code: 0,
      err: "zulipctl: https://chat.example: no changes; 1 to remove (kept: no --prune)\n",
    });
  });

  test("shows the old name of a renamed thing, and the name of the organization", async () => {
    const { out } = await planned("settings: { name: Sandcastle }\nchannels: [{ name: sketches, was: design }]\n");
    expect(out).toContain(
      '\n~ settings\n    name: "Sandbox" → "Sandcastle"\n~ channel sketches (was design)\n    name: "design" → "sketches"\n',
    );
  });

  test("prints values of the file before and after, as JSON", async () => {
    const text =
      "channels: [{ name: sketches, was: design, folder: null, subscribers: { remove: [otis@sandbox.example] } }]\ngroups: [{ name: crew, members: ['name:Cora Member'] }]\n";
    const record = JSON.parse((await planned(text, ["-o", "json"])).out);
    expect(Object.keys(record)).toEqual([
      "site",
      "email",
      "feature_level",
      "changes",
      "requests",
      "messages",
      "unmanaged",
    ]);
    expect(record.changes.map(({ requests: _, ...change }: { requests: number }) => change)).toEqual(
      expect.arrayContaining([
        { section: "groups", name: "crew", action: "create", to: { name: "crew", members: ["cora@sandbox.example"] } },
        {
          section: "channels",
          name: "sketches",
          action: "update",
          fields: [
            { field: "name", from: "design", to: "sketches" },
            { field: "folder", from: "Projects", to: null },
            {
              field: "subscribers",
              from: ["iris@sandbox.example", "cora@sandbox.example", "otis@sandbox.example", "gwen@sandbox.example"],
              to: ["iris@sandbox.example", "cora@sandbox.example", "gwen@sandbox.example"],
            },
          ],
          destructive: ["takes 1 person out"],
        },
      ]),
    );
  });

  test("writes the plan with a digest, and overwrites only a plan", async () => {
    const { code, files } = await planned(drift, ["--out", "plan.json"]);
    const text = files.get("plan.json")!;
    const { digest, ...content } = JSON.parse(text);
    expect({ code, digest }).toEqual({
      code: 0,
      digest: `sha256:${createHash("sha256").update(JSON.stringify(content)).digest("hex")}`,
    });
    expect(readPlan(text, "plan.json")).toMatchObject({
      site: "https://chat.example",
      email: "iris@sandbox.example",
      feature_level: 442,
      changes: [
        {
          section: "channels",
          name: "design",
          id: 1,
          action: "update",
          fields: [{ field: "description", from: "Sketches and **drafts**", to: "Drafts" }],
        },
      ],
    });
    for (const [changed, says] of [
      [text.replace('"Drafts"', '"Draft"'), "plan.json was changed after it was made: its digest does not match"],
      [text.replace('"version": 2', '"version": 1'), "plan.json is a plan of version 1; this zulipctl reads version 2"],
      ["{}", "plan.json is not a plan"],
      ["{", "plan.json:1:2: "],
    ] as const)
      expect(() => readPlan(changed, "plan.json")).toThrow(new RegExp(`^${says}`));
    expect(() => readPlan("[]", "plan.json")).toThrow(Usage);
    expect((await planned(drift, ["--out", "plan.json"], { files })).code).toBe(0);
    files.set("other.json", "{}");
    expect(await planned(drift, ["--out", "other.json"], { files })).toMatchObject({
      code: 2,
      sent: [],
      err: "zulipctl: --out: other.json already exists and is not a plan\n",
    });
    expect(files.get("other.json")).toBe("{}");
  });

  test("plans from a snapshot, without a server", async () => {
    const files = new Map<string, string>();
    await zulipctl(["org", "snapshot", "--to", "all.json"], { files });
    const here = await planned(drift, ["--from", "all.json"], { files, env: {} });
    expect(here).toMatchObject({ code: 0, err: "", sent: [] });
    expect(here.out).toBe((await planned(drift)).out);
    const told = JSON.parse(files.get("all.json")!);
    files.set(
      "all.json",
      JSON.stringify({ ...told, email: "otis@sandbox.example", organization: { ...told.organization, user_id: 12 } }),
    );
    expect(await planned(drift, ["--from", "all.json"], { files, env: {} })).toMatchObject({
      code: 1,
      out: "",
      sent: [],
    });
  });

  test("reports all problems with their places, and plans nothing", async () => {
    const { code, out, err } = await planned(
      "channels:\n  - name: design\n    folder: Nowhere\n    subscribers: [nobody@sandbox.example]\n  - name: attic\n",
      ["--out", "plan.json"],
    );
    expect({ code, out }).toEqual({ code: 2, out: "" });
    expect(err.split("\n").slice(0, 4)).toEqual([
      "zulipctl: 3 problems in org.yaml",
      '  org.yaml, line 3, column 13: folder "Nowhere" not found',
      "  org.yaml, line 4, column 19: no person with the e-mail address nobody@sandbox.example",
      '  org.yaml, line 5, column 5: channel "attic" is archived or deactivated: add "archived: false" to restore it, or "archived: true"',
    ]);
  });

  test("prints notices with their places on stderr, unless --quiet", async () => {
    const text = "channels:\n  - name: general\n    was: design\n";
    const { err } = await planned(text);
    expect(err).toBe('zulipctl: org.yaml:3:10: channel "general" exists, and so does "design": "was" is ignored\n');
    expect((await planned(text, ["--quiet"])).err).toBe("");
  });

  test("escapes server text for a terminal, and wraps every line", async () => {
    const hostile = (state: State) => {
      named(state, "design").description = "\u001b[2Jold\u202e";
      for (const user of state.users.values())
        if (user.full_name === "Otis Member") user.full_name = "Otis\u001b]0;x\u0007\nMember";
      for (const user of state.users.values())
        if (user.full_name === "Cora Member") user.full_name = `Cora ${"Long ".repeat(20)}`;
    };
    const text =
      "channels: [{ name: design, description: 'a new one that is long enough to be broken into several lines of text' , subscribers: [iris@sandbox.example] }]\n" +
      "people: [{ email: otis@sandbox.example, role: guest }]\n";
    const { out } = await planned(text, [], { given: hostile, terminal: true });
    expect(out.replace(/\u001b\[\d+m/g, "")).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u202e]/);
    expect(Math.max(...out.split("\n").map((line) => line.replace(/\u001b\[\d+m/g, "").length))).toBeLessThanOrEqual(
      100,
    );
    expect(out).toContain("− Cora Long");
  });

  test.each([
    [["-o", "csv"], "org plan supports text, JSON, YAML and Markdown, not -o csv"],
    [["--out", ""], "--out is empty"],
    [["--out", "."], "--out: . is not a regular file"],
  ])("%j is refused before anything is sent", async (words, says) => {
    expect(await planned(drift, words)).toMatchObject({ code: 2, out: "", err: `zulipctl: ${says}\n`, sent: [] });
  });
});

test("shows who gains a permission, however long the list is", async () => {
  const sandbox = fresh({ users: 12 });
  const crowd = [...sandbox.state.users.values()].filter(({ delivery_email }) => /^crowd/.test(delivery_email));
  const { can_send_message_group: _, ...settings } = named(sandbox.state, "design").settings;
  const before = { direct_members: crowd.slice(0, 11).map(({ user_id }) => user_id), direct_subgroups: [] };
  named(sandbox.state, "design").settings = { ...settings, can_send_message_group: before } as never;
  const users = crowd.map(({ delivery_email }) => delivery_email).join(", ");
  const files = new Map([["a.yaml", `channels: [{ name: design, can_send_message_group: { users: [${users}] } }]`]]);
  const { out } = await zulipctl(["org", "plan", "a.yaml"], { sandbox, files });
  expect(out).toContain(`can_send_message_group: + ${crowd[11]!.full_name}\n`);
});

test("shows invisible characters of a text", async () => {
  const { out } = await planned('channels: [{ name: design, description: "a\\u202eb\\u200b" }]\n');
  expect(out).toContain(' → "a\\u202eb\\u200b"\n');
});

/** `org diff` of organizations, snapshots and files. */
import { readFileSync } from "node:fs";
import { Ajv2020 } from "ajv/dist/2020.js";
import { describe, expect, test } from "vitest";
import { main } from "../../src/main.ts";
import { sectionNames } from "../../src/organization/section-names.ts";
import { type Fleet, fleet } from "../fleet.ts";
import { type Setup, testWorld } from "../world.ts";

async function diff({ setup }: Fleet, argv: readonly string[], more: Setup = {}) {
  const world = testWorld({ ...setup, ...more });
  const code = await main(["org", "diff", ...argv], world);
  return { code, out: world.stdout.text, err: world.stderr.text };
}

/** Returns two equal organizations. */
function twins() {
  const some = fleet(["acme", "beta"]);
  return { some, acme: some.sandboxes.get("acme")!.state, beta: some.sandboxes.get("beta")!.state };
}

async function snapshotOf({ setup }: Fleet, profile: string): Promise<string> {
  const files = new Map<string, string>();
  const world = testWorld({ ...setup, files });
  expect(await main(["org", "snapshot", "--profile", profile, "--to", "s.json"], world)).toBe(0);
  return files.get("s.json")!;
}

describe("two organizations", () => {
  test("match if they are equal", async () => {
    expect(await diff(twins().some, ["acme", "beta", "--exit-code"])).toEqual({
      code: 0,
      out: "https://acme.example matches beta.\n",
      err: "",
    });
  });

  test("are compared like a plan, and nothing is sent", async () => {
    const { some, acme, beta } = twins();
    beta.channels.get(1)!.description = "Other";
    beta.groups.get(17)!.members.add(12);
    beta.folders.get(1)!.name = "Work";
    beta.linkifiers.length = 0;
    const { code, out, err } = await diff(some, ["acme", "beta", "--exit-code"]);
    expect({ code, err }).toEqual({ code: 8, err: expect.stringContaining("things differ from beta") });
    expect(out.split("\n").filter((line) => /^[-+~]/.test(line))).toEqual([
      "+ folder Work",
      "~ group designers",
      "~ channel design",
      '- 2 linkifiers: #(?P<id>[0-9]+), "(?P<repo>[a-z]+)@(?P<commit>[0-9a-f]{7,40})"',
      "- folder Projects: archived",
      "~ order of folders",
    ]);
    expect(acme.channels.get(1)!.description).not.toBe("Other");
  });

  test("can have different people", async () => {
    const { some, beta } = twins();
    beta.users.get(12)!.delivery_email = "olga@sandbox.example";
    const { out } = await diff(some, ["acme", "beta", "--only", "people"]);
    expect(out).toContain("+ person olga@sandbox.example: invited");
    expect(out).toContain("- person Otis Member (otis@sandbox.example): deactivated");
  });

  test("match bots with the addresses of each server", async () => {
    const { some, acme, beta } = twins();
    Object.assign(acme.users.get(14)!, { delivery_email: "beep-bot@acme.example" });
    Object.assign(beta.users.get(14)!, { delivery_email: "beep-bot@beta.example", full_name: "Beeper" });
    const { out, err } = await diff(some, ["acme", "beta", "--only", "bots"]);
    expect({ out, err }).toEqual({
      out: expect.stringMatching(/name: "Beep Bot" → "Beeper"\n\n1 to change\.\n$/),
      err: "",
    });
  });

  test("skip what cannot be compared, with a warning", async () => {
    const { some, acme, beta } = twins();
    beta.groups.get(17)!.members.add(14);
    acme.users.get(14)!.delivery_email = "other-bot@sandbox.example";
    const { code, out, err } = await diff(some, ["acme", "beta", "--only", "groups"]);
    expect({ code, out }).toEqual({ code: 0, out: expect.stringContaining("acme.example matches beta.") });
    expect(err).toMatch(/^zulipctl: not compared: group designers: members: .*beep-bot@sandbox\.example/);
  });
});

describe("a side can be", () => {
  test("a snapshot", async () => {
    const { some, beta } = twins();
    const files = new Map([["before.json", await snapshotOf(some, "beta")]]);
    beta.channels.get(1)!.description = "Other";
    beta.channels.get(1)!.subscribers.add(9);
    const { out } = await diff(some, ["before.json", "beta"], { files });
    expect(out).toContain('drafts**" → "Other"\n    subscribers: + Adam Admin\n');
    expect((await diff(some, ["beta", "before.json"], { files })).out).toContain('"Other" → "Sketches');
  });

  test("files, which describe a part of an organization", async () => {
    const { some } = twins();
    const files = new Map([
      ["one.yaml", "channels: [{name: design, description: One}]\n"],
      ["two.yaml", "channels: [{name: design, description: Two}]\nfolders: [{name: Projects, description: Two}]\n"],
    ]);
    expect((await diff(some, ["acme", "one.yaml"], { files })).out).toContain('drafts**" → "One"');
    expect((await diff(some, ["one.yaml", "beta"], { files })).out).toContain('"One" → "Sketches');
    const both = await diff(some, ["one.yaml", "two.yaml", "--only", "channels", "--profile", "acme"], { files });
    expect(both.out).toContain('"One" → "Two"');
    expect(both.out).not.toContain("Projects");
  });

  test("files with somebody who is deactivated in the first organization", async () => {
    const { some, acme } = twins();
    acme.users.get(12)!.is_active = false;
    const files = new Map([["file.yaml", "people: [{ email: otis@sandbox.example, role: member }]\n"]]);
    const { code, out, err } = await diff(some, ["acme", "file.yaml", "--summary", "--exit-code"], { files });
    expect({ code, err }).toEqual({ code: 8, err: expect.stringContaining("differ") });
    expect(out).toContain("person Otis Member\tdeactivated\texists\n");
    expect(out).not.toContain("✗");
  });

  test("nothing else", async () => {
    expect(await diff(twins().some, ["acme", "gamma"])).toEqual({
      code: 2,
      out: "",
      err: 'zulipctl: <b>: "gamma" is not a file, a folder or a profile\nProfiles: acme, beta.\n',
    });
  });
});

test("shows the reads of each side in a dry run", async () => {
  const { out } = await diff(twins().some, ["acme", "beta", "--dry-run"]);
  for (const site of ["acme", "beta"]) expect(out).toContain(`POST https://${site}.example/api/v1/register`);
  const files = new Map([
    ["one.yaml", "folders: [{name: One}]\n"],
    ["two.yaml", "folders: [{name: Two}]\n"],
  ]);
  const both = await diff(twins().some, ["one.yaml", "two.yaml", "--dry-run", "--profile", "beta"], { files });
  expect(both.out).toContain("POST https://beta.example/api/v1/register");
});

test("prints JSON and Markdown as a plan does", async () => {
  const { some, beta } = twins();
  beta.channels.get(1)!.description = "Other";
  const { out } = await diff(some, ["acme", "beta", "-o", "json"]);
  expect(JSON.parse(out)).toMatchObject({
    site: "https://acme.example",
    changes: [{ section: "channels", name: "design", action: "update", fields: [{ field: "description" }] }],
  });
  expect((await diff(some, ["acme", "beta", "-o", "markdown"])).out).toContain("### Plan for `https://acme.example`");

  const files = new Map([["@team [x](y).yaml", "folders: [{name: Projects}]\n"]]);
  const named = await diff(some, ["acme", "@team [x](y).yaml", "-o", "markdown"], { files });
  expect(named.out).toContain("No changes: the organization matches `@team [x](y).yaml`.");
  expect(named.out).toContain("Not in `@team [x](y).yaml`: ");
});

describe("--summary", () => {
  test("counts the entries of long lists, and says what the other side has more and less", async () => {
    const { some, acme, beta } = twins();
    for (const state of [acme, beta])
      for (let id = 100; id < 112; id++) {
        const about = { user_id: id, delivery_email: `p${id}@sandbox.example`, full_name: `Person ${id}` };
        state.users.set(id, { ...state.users.get(12)!, ...about });
        state.groups.get(17)!.members.add(id);
      }
    beta.groups.get(17)!.members.delete(100);
    beta.groups.get(17)!.members.add(12);
    const { out } = await diff(some, ["acme", "beta", "--summary", "--only", "groups"]);
    expect(out).toContain(
      "group designers: members\t14: Adam Admin, Cora Member, Person 100, Person 101, Person 102, Person 103, Person 104, " +
        "Person 105 and 6 more\t14: + Otis Member; − Person 100\n",
    );
  });

  test("ends with 8 for an order alone, and names it in one line", async () => {
    const { some, beta } = twins();
    beta.linkifiers.reverse();
    expect(await diff(some, ["acme", "beta", "--summary", "--exit-code"])).toEqual({
      code: 8,
      out: expect.stringMatching(/\n\nIn another order: linkifiers\.\n\n1 thing differs\.\n$/),
      err: "zulipctl: 1 thing differs between acme and beta\n",
    });
    expect((await diff(some, ["acme", "beta", "acme", "--summary"])).out).toContain(
      "\n\nIn another order than in acme: linkifiers (beta).\n",
    );
  });

  test("docs/comparison.schema.json describes the JSON", async () => {
    const { some, acme, beta } = twins();
    beta.linkifiers.reverse();
    beta.folders.get(1)!.name = "Work";
    acme.channels.get(1)!.description = "Other";
    const { out } = await diff(some, ["acme", "beta", "--summary", "-o", "json"]);
    const schema = JSON.parse(readFileSync("docs/comparison.schema.json", "utf8"));
    const passes = new Ajv2020().compile({ ...schema, additionalProperties: false });
    expect([passes(JSON.parse(out)), passes.errors]).toEqual([true, null]);
    expect(JSON.parse(out).orders).toEqual([{ section: "linkifiers", sides: ["beta"] }]);
    expect(schema.$defs.section.enum).toEqual(sectionNames);
  });

  test("has groups that only one side has, although something uses them", async () => {
    const { some, acme } = twins();
    acme.channels.get(1)!.settings.can_send_message_group = 17;
    const files = new Map([["some.yaml", "complete: [groups]\ngroups: [{name: makers, subgroups: []}]\n"]]);
    const { out } = await diff(some, ["acme", "some.yaml", "--summary"], { files });
    expect(out).toContain("group designers\texists\tmissing\n");
    expect(out).toContain("group writers\texists\tmissing\n");
  });
});

/** What an organization is, as a file. */
import { Ajv2020 } from "ajv/dist/2020.js";
import { describe, expect, test } from "vitest";
import { parse } from "yaml";
import { exportContent } from "../../src/organization/export.ts";
import { file } from "../../src/organization/file.ts";
import { schema } from "../../src/organization/schema.ts";
import { validate } from "../../src/organization/shape.ts";
import { readSnapshot, type Snapshot } from "../../src/organization/snapshot.ts";
import type { State } from "../../src/sandbox/index.ts";
import { fresh, zulipctl } from "../run.ts";

const passes = new Ajv2020().compile(schema());

interface Way {
  level?: number;
  given?: (state: State) => void;
}

async function text(words: string[], { level, given }: Way = {}) {
  const sandbox = fresh({ level });
  given?.(sandbox.state);
  return zulipctl(["org", "export", ...words], { sandbox });
}

async function value(words: string[] = [], way: Way = {}) {
  const { code, err, out } = await text(words, way);
  expect({ code, err }).toEqual({ code: 0, err: "" });
  return parse(out) as Record<string, never> & {
    people: Record<string, unknown>[];
    channels: Record<string, unknown>[];
    groups: Record<string, unknown>[];
    folders: Record<string, unknown>[];
    profile_fields: Record<string, unknown>[];
    settings: Record<string, unknown>;
  };
}

const called = (all: readonly Record<string, unknown>[], name: string) => all.find((one) => one.name === name)!;

describe("org export", () => {
  test.each([507, 371])("matches the schema on level %i", async (level) => {
    const made = await value([], { level });
    expect(passes(made), JSON.stringify(passes.errors)).toBe(true);
    expect(validate(file, made)).toEqual([]);
  });

  test("has the same bytes whatever the server's order is", async () => {
    const first = await text([]);
    expect((await text([])).out).toBe(first.out);
    const turned = await text([], {
      given: (state) => {
        for (const all of [state.channels, state.groups, state.users] as Map<number, unknown>[]) {
          const entries = [...all].reverse();
          all.clear();
          for (const [id, one] of entries) all.set(id, one);
        }
      },
    });
    expect(turned.out).toBe(first.out);
  });

  test("is the same from a snapshot, without a server", async () => {
    const files = new Map<string, string>();
    const sandbox = fresh();
    await zulipctl(["org", "snapshot", "--to", "all.json"], { sandbox, files });
    const from = await zulipctl(["org", "export", "--from", "all.json"], { files, env: {} });
    expect(from).toEqual({ ...(await text([])), sent: [] });
    const missing = await zulipctl(["org", "export", "--from", "none.json"], { files, env: {} });
    expect({ ...missing, out: "" }).toEqual({
      code: 2,
      out: "",
      err: "zulipctl: --from: file not found: none.json\n",
      sent: [],
    });
  });

  test("names people, groups, channels and folders, and says roles and kinds in words", async () => {
    const { settings, people, groups, channels, profile_fields } = await value();
    expect(settings).toMatchObject({
      message_content_edit_limit_seconds: 600,
      message_retention_days: "unlimited",
      moderation_request_channel_id: "moderation requests",
      signup_announcements_stream_id: null,
      can_create_groups: "role:members",
      jitsi_server_url: "default",
      authentication_methods: { Email: true },
    });
    expect(called(channels, "design")).toMatchObject({
      folder: "Projects",
      is_private: false,
      is_default_stream: false,
    });
    expect(called(channels, "staff")).toMatchObject({
      is_private: true,
      message_retention_days: "realm_default",
      subscribers: ["adam@sandbox.example", "iris@sandbox.example"],
    });
    expect(called(channels, "attic")).toEqual({ name: "attic", description: "Archived", archived: true });
    expect(groups.map(({ name }) => name)).toEqual(["designers", "makers", "writers"]);
    expect(called(groups, "makers")).toMatchObject({
      members: ["mona@sandbox.example"],
      subgroups: ["designers", "writers"],
    });
    expect(people.map(({ email, role, active }) => [email, role, active])).toContainEqual([
      "dora@sandbox.example",
      "member",
      false,
    ]);
    expect(people.some(({ email }) => email === "beep-bot@sandbox.example")).toBe(false);
    expect(people.find(({ email }) => email === "cora@sandbox.example")).toEqual({
      email: "cora@sandbox.example",
      full_name: "Cora Member",
      role: "member",
      profile: {
        Phone: "+49 30 1234",
        "About me": "I *draw*.",
        Office: "Lisbon",
        Mentor: ["iris@sandbox.example"],
      },
    });
    expect(called(profile_fields, "Office")).toMatchObject({ type: "options", options: ["Berlin", "Lisbon"] });
  });

  test("lists subscribers of open channels only with --with subscribers", async () => {
    const listed = async (words: string[], given?: Way["given"]) =>
      (await value(words, given ? { given } : {})).channels
        .filter(({ subscribers }) => subscribers)
        .map(({ name }) => name);
    expect(await listed([])).toEqual(["council", "moderation requests", "staff"]);
    expect(await listed(["--with", "subscribers"])).toEqual([
      "announcements",
      "council",
      "design",
      "general",
      "moderation requests",
      "staff",
    ]);
    expect(await listed(["--without", "subscribers"])).toEqual([]);
    const joinable = ({ channels }: State) => {
      const staff = [...channels.values()].find(({ name }) => name === "staff")!;
      staff.settings.can_subscribe_group = { direct_members: [8], direct_subgroups: [] };
    };
    expect(await listed([], joinable)).toEqual(["council", "moderation requests"]);
  });

  test("--only and --without leave sections and members out", async () => {
    expect(Object.keys(await value(["--only", "folders,channels"]))).toEqual(["organization", "folders", "channels"]);
    const { people, groups } = await value(["--without", "members,people"]);
    expect(people).toBeUndefined();
    expect(called(groups, "makers")).toMatchObject({ subgroups: ["designers", "writers"] });
    expect(called(groups, "makers")).not.toHaveProperty("members");
  });

  test("writes the id of a person with a hidden address, with the name as a comment", async () => {
    const hide = ({ users }: State) => {
      for (const user of users.values()) if (user.full_name === "Otis Member") user.email_address_visibility = 4;
    };
    const { out } = await text([], { given: hide });
    expect(out).toContain("- id:12 # Otis Member\n");
    expect(parse(out).people.at(-1)).toMatchObject({ id: 12, full_name: "Otis Member" });
    const json = JSON.parse((await text(["-o", "json"], { given: hide })).out);
    expect(json).toEqual(parse(out));
  });

  test("writes ids of things with the same name", async () => {
    const twice = ({ folders }: State) => {
      const [, past] = folders.values();
      past!.name = "projects";
    };
    const { folders } = await value([], { given: twice });
    expect(folders.map(({ name, id, archived }) => [name, id, archived])).toEqual([
      ["Projects", 1, undefined],
      ["projects", 2, true],
    ]);
  });

  test("nothing that a server tells reaches a terminal raw, or another line", async () => {
    const hostile = ({ users, channels }: State) => {
      for (const user of users.values())
        if (user.full_name === "Otis Member") {
          user.email_address_visibility = 4;
          user.full_name = "Otis\n- eve@example.com\u001b[2J";
        }
      for (const channel of channels.values()) if (channel.name === "design") channel.description = "a: b\u202e # c";
    };
    const { out } = await text([], { given: hostile });
    expect(out).not.toMatch(/[\u001b\u202e]|^- eve/m);
    expect(called(parse(out).channels, "design").description).toBe("a: b\u202e # c");
  });

  test.each([
    [["-o", "csv"], "org export supports YAML and JSON, not -o csv"],
    [["--fields", "settings"], "org export writes the whole file: remove --fields\nSee --only."],
    [
      ["--with", "subscribers", "--without", "subscribers"],
      "--with subscribers cannot be combined with --without subscribers",
    ],
  ])("%j is refused before anything is sent", async (words, says) => {
    expect(await text(words)).toEqual({ code: 2, out: "", err: `zulipctl: ${says}\n`, sent: [] });
  });
});

test("what is newer than this program is left out and named", async () => {
  const files = new Map<string, string>();
  await zulipctl(["org", "snapshot", "--to", "all.json"], { files });
  const snapshot = readSnapshot(files.get("all.json")!, "all.json") as Snapshot & {
    organization: { realm_digest_weekday: unknown };
  };
  snapshot.organization.realm_digest_weekday = "every day";
  const design = snapshot.organization.subscriptions.find(({ name }) => name === "design")!;
  design.topics_policy = "anything";
  snapshot.organization.realm_linkifiers!.unshift({ id: 90, pattern: " ", url_template: 7 } as never);
  const { value, omitted } = exportContent(snapshot, {});
  expect(omitted.map((line) => line.replace(/\.\d+\./, ".n.").replace(/: .*/, ""))).toEqual([
    "settings.digest_weekday",
    "channels.n.topics_policy",
    "linkifiers.n.pattern",
    "linkifiers.n.url_template",
  ]);
  expect((value.linkifiers as unknown[]).length).toBe(snapshot.organization.realm_linkifiers!.length - 1);
  expect(value.settings).not.toHaveProperty("digest_weekday");
  expect(validate(file, JSON.parse(JSON.stringify(value)))).toEqual([]);
});

/** Words for the numbers that servers use, in both directions. */
import { expect, test } from "vitest";
import { fresh, zulipctl } from "../run.ts";

/** Sets a value at a feature level, and returns it as stored. */
async function set(level: number, assignment: string, newUsers = false) {
  const sandbox = fresh({ level });
  const { organization } = sandbox.state;
  const argv = ["settings", "update", assignment, "--yes", ...(newUsers ? ["--new-users"] : [])];
  const { code, out, err } = await zulipctl(argv, { sandbox });
  const [name = ""] = assignment.split("=");
  const value = newUsers ? organization.defaults[name] : Reflect.get(organization.settings, name);
  return { code, out, err, value };
}

test.each<[number, string, number, string]>([
  [442, "digest_weekday=Friday", 4, "digest_weekday set to friday.\n"],
  [442, "digest_weekday=4", 4, "digest_weekday set to friday.\n"],
  [442, "org_type=open_source", 20, "org_type set to open_source.\n"],
  [371, "giphy_rating=r", 5, "giphy_rating set to r.\n"],
  [442, "giphy_rating=r", 4, "giphy_rating set to r.\n"],
  [
    442,
    "message_content_edit_limit_seconds=90m",
    5400,
    "message_content_edit_limit_seconds set to 90 minutes (5400).\n",
  ],
  [442, "waiting_period_threshold=2d", 2, "waiting_period_threshold set to 2 days.\n"],
])("level %i: %s", async (level, assignment, value, out) => {
  expect(await set(level, assignment)).toEqual({ code: 0, out, err: "", value });
});

test("shows words and units in a preview", async () => {
  const { out } = await zulipctl([
    "settings",
    "update",
    "digest_weekday=friday",
    "waiting_period_threshold=3",
    "--diff",
  ]);
  expect(out).toContain("digest_weekday: tuesday → friday\n");
  expect(out).toContain("waiting_period_threshold: 0 days → 3 days\n");
});

test("accepts words for the settings of new people", async () => {
  expect(await set(442, "color_scheme=dark", true)).toMatchObject({ code: 0, value: 2 });
});

test.each<[string, string]>([
  ["giphy_rating=y", 'giphy_rating: this server has no "y": must be one of disabled, g, pg, pg-13, r'],
  ["giphy_rating=5", 'giphy_rating: this server has no "5": must be one of disabled, g, pg, pg-13, r'],
  ["digest_weekday=fryday", 'digest_weekday: invalid value "fryday": must be one of monday,'],
  ["waiting_period_threshold=12h", 'waiting_period_threshold: "0.5" must be a whole number'],
])("%s is refused, and nothing is sent", async (assignment, says) => {
  const before = await set(442, "name=x");
  expect(await set(442, assignment)).toMatchObject({ code: 2, err: expect.stringContaining(says) });
  expect(before.code).toBe(0);
});

test("prints words and units in tables, and numbers in JSON", async () => {
  const names = ["digest_weekday", "message_content_edit_limit_seconds"];
  const table = await zulipctl(["settings", "show", ...names]);
  expect(table.out).toContain("digest_weekday\ttuesday\t");
  expect(table.out).toContain("message_content_edit_limit_seconds\t10 minutes (600)\t");
  const json = await zulipctl(["settings", "show", ...names, "-o", "json"]);
  expect(JSON.parse(json.out).map(({ value }: { value: unknown }) => value)).toEqual([1, 600]);
});

const plan = async (level: number, text: string) =>
  zulipctl(["org", "plan", "org.yaml"], {
    sandbox: fresh({ level }),
    files: new Map([["org.yaml", `organization: https://chat.example\n${text}`]]),
  });

test.each([
  [442, "settings: { digest_weekday: tuesday }", 0, "matches the file"],
  [442, "settings: { digest_weekday: 1 }", 0, "matches the file"],
  [442, "settings: { digest_weekday: friday }", 0, "digest_weekday: tuesday → friday"],
  [442, "settings: { digest_weekday: 4 }", 0, "digest_weekday: tuesday → friday"],
  [442, "new_users: { color_scheme: light }", 0, "color_scheme: automatic → light"],
  [371, "settings: { giphy_rating: r }", 0, "giphy_rating: g → r"],
  [442, "settings: { giphy_rating: y }", 2, "must be disabled, g, pg, pg-13 or r"],
  [442, "settings: { digest_weekday: fryday }", 2, 'must be "monday"'],
])("an organization file at level %i: %s", async (level, text, code, says) => {
  const { out, err, ...ended } = await plan(level, text);
  expect(ended.code).toBe(code);
  expect(out + err).toContain(says);
});

test("exports words", async () => {
  const { out } = await zulipctl(["org", "export"]);
  expect(out).toContain("digest_weekday: tuesday\n");
  expect(out).toContain("color_scheme: automatic\n");
});

test("prints times in CSV as ISO 8601", async () => {
  const { out } = await zulipctl(["folder", "list", "-o", "csv", "--fields", "name,date_created"]);
  expect(out).toMatch(/^Projects,2026-01-\d\dT\d\d:\d\d:\d\dZ\r$/m);
});

test("settings show describes a setting, its choices and its default", async () => {
  const { out } = await zulipctl(["settings", "show", "digest_weekday", "can_create_groups"], { terminal: true });
  expect(out).toBe(`digest_weekday: tuesday
  The day on which weekly mails are sent.
  Choices: monday, tuesday, wednesday, thursday, friday, saturday, sunday
  Default: tuesday
  Changed by: administrators

can_create_groups: role:members
  Who may create groups.
  Choices: a group, people, or nobody
  Default: role:members
  Changed by: owners
`);
  const json = await zulipctl(["settings", "show", "digest_weekday", "invite_required", "-o", "json"]);
  expect(JSON.parse(json.out)).toEqual([
    {
      ...{ name: "digest_weekday", value: 1, kind: "choice", who: "administrators" },
      description: "The day on which weekly mails are sent.",
      choices: ["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"],
      default: 1,
    },
    {
      ...{ name: "invite_required", value: true, kind: "boolean", who: "owners" },
      description: "Whether people need an invitation to join. If false, everybody with an allowed address can join.",
      choices: [true, false],
      default: true,
    },
  ]);
});

test("describes every setting", async () => {
  for (const newUsers of [[], ["--new-users"]]) {
    const { out } = await zulipctl(["settings", "list", "-o", "ids", ...newUsers]);
    const shown = await zulipctl(["settings", "show", ...out.trim().split("\n"), "-o", "json", ...newUsers]);
    for (const { name, description } of JSON.parse(shown.out))
      expect({ name, description }).toEqual({
        name,
        description: expect.stringMatching(/^(The|A|Wh|What|How|Days|In|For) ?.*\.$/),
      });
  }
});

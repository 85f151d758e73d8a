/** Applies an older file again, and checks what servers do not restore. */
import { expect, test } from "vitest";
import type { Sandbox } from "../../../src/sandbox/index.ts";
import { fresh, zulipctl } from "../../run.ts";
import { channelNamed, filesOf } from "./applying.ts";

type State = Sandbox["state"];
type Facts = ReadonlyMap<string, unknown>;

/** Counters, times and derived values, which are not compared. */
const ignoredPaths =
  /^(counters|tokens|messages|events|audit)|date|_at\b|edited|api_key|role:(everyone|members|fullmembers)/;

/** Returns every value of an organization by its path, and the elements of sets. */
function factsOf(state: State): Facts {
  const facts = new Map<string, unknown>();
  const walk = (path: string, value: unknown): void => {
    if (ignoredPaths.test(path)) return;
    if (value instanceof Set) for (const each of value) facts.set(`${path} has ${String(each)}`, true);
    else if (value instanceof Map || (typeof value === "object" && value !== null))
      for (const [name, each] of value instanceof Map ? value : Object.entries(value))
        walk(`${path} ${name}`.trim(), each);
    else facts.set(path, value);
  };
  const { users, channels, groups, folders, linkifiers, profile_fields, domains, playgrounds, organization } = state;
  for (const [name, part] of Object.entries({ users, channels, groups, folders })) walk(name, part);
  for (const [name, part] of Object.entries({ linkifiers, profile_fields, domains, playgrounds })) walk(name, part);
  walk("settings", organization.settings);
  walk("permissions", organization.permissions);
  walk(
    "invitations",
    state.invitations.filter(({ expiry_date }) => expiry_date !== 0).map(({ email }) => ({ email })),
  );
  return facts;
}

const textOf = (value: unknown) => (value === undefined ? "none" : JSON.stringify(value));

/** Returns a line for each value that differs. */
const difference = (before: Facts, after: Facts): string[] =>
  [...new Set([...before.keys(), ...after.keys()])]
    .filter((path) => before.get(path) !== after.get(path))
    .map((path) => `${path}: ${textOf(before.get(path))} → ${textOf(after.get(path))}`)
    .sort();

type Work = (state: State) => void;

/** Applies files or functions one after the other. Returns how the last run ended, and what differs. */
async function applied(steps: readonly (string | Work)[], given: Work = () => undefined) {
  const sandbox = fresh();
  given(sandbox.state);
  const before = factsOf(sandbox.state);
  let last = { code: 0, err: "" };
  for (const step of steps) {
    expect(last.code).toBe(0);
    if (typeof step !== "string") step(sandbox.state);
    else
      last = await zulipctl(["org", "apply", "organization.yaml", "--prune", "--yes"], {
        sandbox,
        files: filesOf(step),
      });
  }
  const plan = async (text: string) =>
    (await zulipctl(["org", "plan", "organization.yaml", "--prune"], { sandbox, files: filesOf(text) })).out;
  return { code: last.code, err: last.err, left: difference(before, factsOf(sandbox.state)), plan };
}

test.each([
  ["channels: [{ name: deck, description: x }]", "channels: [{ name: deck, archived: true }]", "channels"],
  ["groups: [{ name: crew, description: x, members: [] }]", "groups: [{ name: crew, deactivated: true }]", "groups"],
  ["folders: [{ name: Work, description: x }]", "folders: [{ name: Work, archived: true }]", "folders"],
])("archives what %s created, and the name stays taken", async (text, older, section) => {
  const { code, left } = await applied([text, older]);
  expect(code).toBe(0);
  const things = new Set(left.map((line) => line.split(" ", 2).join(" ")));
  expect({ things: things.size, section: [...things][0]!.split(" ")[0] }).toEqual({ things: 1, section });
  expect(left.filter((line) => /(is_archived|deactivated): none → true$/.test(line))).toHaveLength(1);
});

const personNamed = ({ users }: State, name: string) =>
  [...users.values()].find(({ delivery_email }) => delivery_email.startsWith(`${name}@`))!;

test("keeps what is still in use, and names it", async () => {
  const folders = "complete: [folders]\nfolders: [{ name: Projects }, { name: Past, archived: true }";
  const { code, plan, left } = await applied([
    `${folders}, { name: Work, description: x }]`,
    (state) => {
      channelNamed(state, "design").folder_id = [...state.folders.values()].find(({ name }) => name === "Work")!.id;
    },
    `${folders}]`,
  ]);
  expect({ code, kept: left.filter((line) => /^folders \d+ is_archived/.test(line)) }).toEqual({
    code: 0,
    kept: ["folders 3 is_archived: none → false"],
  });
  expect(await plan(`${folders}]`)).toMatch(/folder Work[^\n]*design/);
});

const otherFields = fresh().state.profile_fields.map(({ name }) => name);
const fields = (...more: object[]) => ({
  complete: ["profile_fields"],
  profile_fields: [...otherFields.map((name) => ({ name })), ...more],
});
const addDesk =
  (of: object): Work =>
  (state) => {
    state.profile_fields.push({
      ...state.profile_fields[0]!,
      id: 9,
      order: 9,
      name: "Desk",
      hint: "",
      field_data: "",
      display_in_profile_summary: false,
      ...of,
    });
    state.counters.field = 9;
  };
const has =
  (name: string, value: string): Work =>
  (state) =>
    void personNamed(state, name).profile.set(9, value);
const cora = (Desk: string) => ({ people: [{ email: "cora@sandbox.example", profile: { Desk } }] });
/** Returns changed values of the field, whose id changes when it is created again. */
const values = (left: readonly string[]) =>
  left.flatMap((line) => /^users (\d+) profile (?:9|10): (.*)$/.exec(line)?.slice(1).join(" ") ?? []);

test("does not bring back values of a removed profile field", async () => {
  const given: Work = (state) => {
    addDesk({ type: 1 })(state);
    has("cora", "12")(state);
    has("otis", "13")(state);
  };
  const older = { ...fields({ name: "Desk", type: "short_text" }), ...cora("12") };
  const { code, left } = await applied([JSON.stringify(fields()), JSON.stringify(older)], given);
  expect(code).toBe(0);
  expect(values(left)).toEqual(['11 none → "12"', '11 "12" → none', '12 "13" → none']);
  expect(left.filter((line) => /^profile_fields \d+ (?!id|order)/.test(line))).toEqual([]);
});

test("does not bring back values of a removed option", async () => {
  const options = { "0": { text: "A", order: "1" }, "1": { text: "B", order: "2" } };
  const given: Work = (state) => {
    addDesk({ type: 3, field_data: JSON.stringify(options) })(state);
    has("cora", "1")(state);
    has("otis", "1")(state);
  };
  const desk = (...texts: string[]) => fields({ name: "Desk", options: texts });
  const older = { ...desk("A", "B"), ...cora("B") };
  const { code, left } = await applied([JSON.stringify(desk("A")), JSON.stringify(older)], given);
  expect(code).toBe(0);
  // A new option gets its old key if that is unused.
  expect(left).toEqual(['users 12 profile 9: "1" → none']);
});

test("leaves bots of a reactivated person deactivated, and their invitations revoked", async () => {
  const { code, left } = await applied(
    [
      "people: [{ email: cora@sandbox.example, active: false }]",
      "people: [{ email: cora@sandbox.example, active: true }]",
    ],
    (state) => {
      [...state.users.values()].find(({ bot_type }) => bot_type !== null)!.bot_owner_id = personNamed(
        state,
        "cora",
      ).user_id;
      const times = { invited: 0, expiry_date: null, invited_as: 400, notify_referrer_on_join: true, revoked: false };
      state.invitations.push({ id: 7, email: "new@sandbox.example", key: "k", invited_by_user_id: 11, ...times });
    },
  );
  expect({ code, left }).toEqual({
    code: 0,
    left: ['invitations 0 email: "new@sandbox.example" → none', "users 14 is_active: true → false"],
  });
});

test("removes a reactivated person from the lists of the file in the same run", async () => {
  const older =
    "people: [{ email: cora@sandbox.example, active: true }]\nchannels: [{ name: staff, subscribers: { remove: [cora@sandbox.example] } }]";
  const { code, left, err } = await applied(
    [
      "channels: [{ name: staff, subscribers: { add: [cora@sandbox.example] } }]",
      "people: [{ email: cora@sandbox.example, active: false }]",
      older,
    ],
    (state) => void channelNamed(state, "staff").subscribers.delete(11),
  );
  expect({ code, left }).toEqual({ code: 0, left: ["channels 4 unsubscribed has 11: none → true"] });
  expect(err).toContain("zulipctl: 1 more change for reactivated or new accounts: channel staff\n");
});

test("restores default channels and settings of an unarchived channel only from the file", async () => {
  const announcing: Work = ({ organization }) =>
    void Object.assign(organization.settings, { new_stream_announcements_stream_id: 2 });
  const away = "channels: [{ name: general, archived: true }]";
  const { code, left } = await applied([away, "channels: [{ name: general, archived: false }]"], announcing);
  expect({ code, left }).toEqual({
    code: 0,
    left: ["channels 2 is_default: true → false", "settings new_stream_announcements_stream_id: 2 → -1"],
  });
  const whole = await applied(
    [
      away,
      "channels: [{ name: general, archived: false, is_default_stream: true }]\nsettings: { new_stream_announcements_stream_id: general }",
    ],
    announcing,
  );
  expect({ code: whole.code, left: whole.left }).toEqual({ code: 0, left: [] });
});

test("a linkifier that no server would accept any more can be removed", async () => {
  const sandbox = fresh();
  const [first, second] = sandbox.state.linkifiers;
  if (first) first.pattern = "C-(?P<id>[0-9]+)-(?P<unused>[0-9]+)";
  const kept = `complete: [linkifiers]\nlinkifiers: [{ pattern: '${second?.pattern}', url_template: '${second?.url_template}' }]\n`;
  const files = new Map([["organization.yaml", kept]]);
  const { code, out, err } = await zulipctl(["org", "plan", "organization.yaml", "--prune"], { sandbox, files });
  expect(code, err).toBe(0);
  expect(out).toContain("- linkifier C-(?P<id>[0-9]+)-(?P<unused>[0-9]+)");
});

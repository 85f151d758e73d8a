/** New names must not contain invisible characters. */
import { expect, test } from "vitest";
import { fresh, zulipctl } from "../run.ts";

test.each([
  [["channel", "create", "sta\x85ff"], "<name>", "U+0085 at position 4"],
  [["channel", "create", "coun\x1ccil"], "<name>", "U+001C at position 5"],
  [["channel", "update", "design", "--new-name", "de\u200bsign"], "--new-name", "U+200B at position 3"],
  [["group", "create", "cr\ufeffew"], "<name>", "U+FEFF at position 3"],
  [["group", "update", "makers", "--new-name", "\u{1f600}\u202ex"], "--new-name", "U+202E at position 2"],
  [["folder", "create", "a\xadb"], "<name>", "U+00AD at position 2"],
  [["folder", "update", "Projects", "--new-name", "a\tb"], "--new-name", "U+0009 at position 2"],
  [["users", "update", "9", "--full-name", "Ada\u2060"], "--full-name", "U+2060 at position 4"],
  [["users", "create", "--email", "a@b.example", "--full-name", "A\u200dda"], "--full-name", "U+200D at position 2"],
])("%j is refused, and nothing is sent", async (argv, flag, where) => {
  const { code, err, sent } = await zulipctl(argv);
  expect({ code, sent }).toEqual({ code: 2, sent: [] });
  expect(err).toMatch(new RegExp(`^zulipctl: ${flag}: invalid name ".*": control or invisible character `));
  expect(err).toContain(where);
});

test.each(["crew\x85", "\x1ccrew", "\ufeffcrew", "\u00a0crew\t"])("takes the blanks off %j", async (name) => {
  const { code, sent } = await zulipctl(["group", "create", name]);
  expect({ code, bodies: sent.map(({ body }) => body) }).toEqual({
    code: 0,
    bodies: ["name=crew&description=&members=%5B%5D"],
  });
});

test("batch refuses all rows if a row has such a name", async () => {
  const input = "name\nplans\nsta\u200bff\n";
  const words = ["batch", "-", "--format", "csv", "--yes", "--", "channel", "create", "{name}"];
  const { code, err, sent } = await zulipctl(words, { input });
  expect({ code, changes: sent.filter(({ method }) => method !== "GET") }).toEqual({ code: 2, changes: [] });
  expect(err).toContain("U+200B at position 4");
});

test("an organization file cannot create such a name, but can contain an existing one", async () => {
  const sandbox = fresh();
  sandbox.state.channels.get(1)!.name = "\ufeffgeneral";
  const plan = (text: string) =>
    zulipctl(["org", "plan", "organization.yaml"], { sandbox, files: new Map([["organization.yaml", text]]) });
  const names = 'channels: [{ name: "\\ufeffgeneral", description: x }, { name: general, description: y }]\n';
  expect(await plan(names)).toMatchObject({ code: 0 });
  const { code, err } = await plan(
    'channels: [{ name: "pla\\u200bns", description: x }]\ngroups: [{ name: "makers\\N", was: makers }]\n',
  );
  expect(code).toBe(2);
  expect(err).toContain(
    'organization.yaml, line 1, column 20: invalid name "plans": control or invisible character U+200B at position 4',
  );
  expect(err).toContain("organization.yaml, line 2, column 18: invalid name");
  expect(err).toContain("U+0085 at position 7");
});

test.each(["👩‍💻 team", "می‌خواهم", "❤️‍🔥"])("%s keeps its joiners", async (name) => {
  expect(await zulipctl(["channel", "create", name])).toMatchObject({ code: 0, err: "" });
});

test.each([
  ["name:Cora\u00a0Member", 'user "Cora Member" contains U+00A0 (no-break space) at position 5'],
  ["name:Cora\u202fMember", 'user "Cora Member" contains U+202F (narrow no-break space) at position 5'],
])("a name that is not found because of its blank names the blank: %j", async (user, says) => {
  const { code, err } = await zulipctl(["group", "members", "writers", "--add", user]);
  expect({ code, err: err.replaceAll(/[^\S\n]/g, " ").includes(says) }, err).toEqual({ code: 2, err: true });
});

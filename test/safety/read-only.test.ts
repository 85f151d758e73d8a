/** Read-only: changes are refused before they are sent, and everything else works. */
import { expect, test } from "vitest";
import { operations } from "../../src/api/registry.ts";
import { call } from "../../src/wire/call.ts";
import { isChange } from "../../src/wire/operation.ts";
import { everyLine, isMaking, setup, withFlags } from "../cases/all.ts";
import { scripted } from "../client/scripted.ts";
import { fresh, inProfile, person, site, zulipctl } from "../run.ts";

const refusal = "chat.example is read-only here (--read-only): no change was sent";

test.each(operations().map((operation) => [operation.name, operation] as const))("%s", async (_, operation) => {
  const { world, server } = scripted([], { readOnlyBy: "--read-only", level: 999 });
  // The guard does not look at parameters.
  const error: unknown = await server.deliver(call({ ...operation, params: {} }, {})).catch((error: unknown) => error);
  if (isChange(operation)) {
    expect(error).toMatchObject({ message: refusal, exitCode: 2, details: { outcome: "not_sent" } });
    expect(world.sent).toEqual([]);
  } else expect(error).not.toMatchObject({ message: refusal });
});

const makers = everyLine.flatMap((line) => (isMaking(line) ? [[line.argv.join(" "), line.argv, line] as const] : []));

test.each(makers)("%s --read-only", async (_, argv, line) => {
  const { sandbox, ...options } = setup(line);
  const before = structuredClone(sandbox.state);
  const { code, err } = await zulipctl(withFlags(argv, ["--read-only"]), { sandbox, ...options });
  expect({ code, err }).toEqual({ code: 2, err: expect.stringContaining("is read-only here (--read-only)") });
  expect(line.made(sandbox.state, before)).not.toBe(true);
});

const readOnlyProfile = () => {
  const sandbox = fresh();
  const { email } = person(sandbox, 100);
  const work = { site, email, store: "keychain", account: "work", read_only: true };
  return { sandbox, ...inProfile(sandbox, "work"), config: { current: "work", profiles: { work } } };
};

test("a profile can be read-only, and an unnecessary flag or variable does not change that", async () => {
  const options = readOnlyProfile();
  const create = ["channel", "create", "x"];
  const says = (by: string) =>
    `zulipctl: chat.example is read-only here (${by}): no change was sent\nReads, plans and dry runs work.\n`;
  expect(await zulipctl(create, options)).toMatchObject({ code: 2, err: says("profile work") });
  expect(await zulipctl(create, { ...options, env: { ZULIPCTL_READ_ONLY: "0" } })).toMatchObject({ code: 2 });
  expect(await zulipctl([...create, "--dry-run"], options)).toMatchObject({ code: 0 });
  expect(await zulipctl(["channel", "list", "-o", "ids"], options)).toMatchObject({ code: 0 });
});

test.each([
  ["1", 2],
  ["true", 2],
  ["0", 0],
  ["", 0],
])("ZULIPCTL_READ_ONLY=%s", async (value, code) => {
  const sandbox = fresh();
  const { env, ...options } = inProfile(sandbox, "work");
  const found = await zulipctl(["channel", "create", "x"], {
    sandbox,
    ...options,
    env: { ...env, ZULIPCTL_READ_ONLY: value },
  });
  expect(found.code).toBe(code);
});

test("another value of ZULIPCTL_READ_ONLY is refused: it could be meant as a guard", async () => {
  const { env, ...options } = readOnlyProfile();
  const found = await zulipctl(["channel", "list"], { ...options, env: { ...env, ZULIPCTL_READ_ONLY: "on" } });
  expect(found).toMatchObject({
    code: 2,
    err: 'zulipctl: ZULIPCTL_READ_ONLY: invalid value "on": must be 1 or 0\n',
    sent: [],
  });
});

test.each(["ZULIPCTL_READONLY", "zulipctl_read_only"])("%s is refused: the guard is misspelled", async (name) => {
  const { env, ...options } = inProfile(fresh(), "work");
  const found = await zulipctl(["channel", "create", "x"], { ...options, env: { ...env, [name]: "1" } });
  expect(found).toMatchObject({
    code: 2,
    err: `zulipctl: unknown variable ${name}: did you mean ZULIPCTL_READ_ONLY?\n`,
    sent: [],
  });
});

test("nothing is asked, and a batch opens no journal", async () => {
  const files = new Map([["rows.csv", "channel\nx\n"]]);
  const found = await zulipctl(["batch", "rows.csv", "--read-only", "--", "channel", "create", "{channel}"], { files });
  expect(found).toMatchObject({ code: 2, err: expect.stringContaining(refusal) });
  expect(found.err).not.toContain("Journal");
  const deletion = await zulipctl(["channel", "archive", "design", "--read-only"], { terminal: true });
  expect(deletion).toMatchObject({ code: 2, err: expect.stringContaining(refusal) });
});

test("messages are found, and neither copied nor deleted", async () => {
  const files = new Map();
  const argv = ["messages", "delete", "--narrow", "channel:design", "--keep", "copy.json", "--yes", "--read-only"];
  const found = await zulipctl(argv, { files });
  expect(found).toMatchObject({ code: 2, err: expect.stringContaining(refusal) });
  expect([...files.keys()].filter((path) => path.startsWith("copy") || path.endsWith(".jsonl"))).toEqual([]);
});

test("a raw call counts as a change unless it is a GET", async () => {
  expect(await zulipctl(["api", "POST", "register", "--read-only"])).toMatchObject({ code: 2, sent: [] });
  expect(await zulipctl(["api", "users/me", "--read-only"])).toMatchObject({ code: 0 });
});

test("auth status, doctor and profile list say it", async () => {
  const options = readOnlyProfile();
  expect((await zulipctl(["profile", "list", "--fields", "NAME,READ ONLY"], options)).out).toBe(
    "NAME\tREAD ONLY\nwork\tyes\n",
  );
  const status = await zulipctl(["auth", "status"], options);
  expect(status.out).toContain("yes, by profile work: changes are refused");
  const json = JSON.parse((await zulipctl(["auth", "status", "--json"], options)).out);
  expect(json).toMatchObject({ read_only: true });
  const doctor = await zulipctl(["doctor", "--jq", '.[] | select(.check == "credentials").message'], options);
  expect(doctor.out).toContain("by profile work; read-only by profile work: changes are refused");
});

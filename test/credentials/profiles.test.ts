import { expect, test } from "vitest";
import type { Flags } from "../../src/argv/global-flags.ts";
import { saveProfile, testStorage } from "../../src/credentials/login.ts";
import { listProfiles, profileName, removeProfile, renameProfile } from "../../src/credentials/profiles.ts";
import { NeedsLogin, Usage } from "../../src/errors.ts";
import { KeychainFailure, Secret, type World } from "../../src/world/world.ts";
import { testWorld } from "../world.ts";

const site = "https://chat.example";
const ada = "ada@chat.example";
const bob = "bob@chat.example";

/** Saves a key in a profile, by default ada's in the keychain. */
const save = (
  world: World,
  profile: string | undefined,
  { store = "keychain" as "keychain" | "file", key = `${profile}-key`, email = ada, at = site, input = false } = {},
) => {
  const login = { email, key: new Secret(key), userId: null };
  return saveProfile(world, { profile, input } as Flags, { site: at, tls: {} }, store, login, { use: true });
};

const summary = async (world: World) =>
  (await listProfiles(world)).map(({ name, current }) => (current ? `*${name}` : name));

const remove = (world: World, name: string) => removeProfile(world, name, "<name>");

const failLocked = async () => {
  throw new KeychainFailure("the keychain is locked", "locked");
};

test("a saved profile is current, and its key is only in the keychain", async () => {
  const world = testWorld({ config: { log: true, profiles: {} } });
  await save(world, "first");
  await save(world, "work");
  expect(await summary(world)).toEqual(["first", "*work"]);
  expect([...world.keys]).toEqual([
    ["first (chat.example)", "first-key"],
    ["work (chat.example)", "work-key"],
  ]);
  expect(JSON.stringify(world.config())).not.toContain("-key");
  expect(world.config()).toMatchObject({
    log: true,
    profiles: { work: { site, email: ada, store: "keychain", account: "work (chat.example)" } },
  });
});

test("a key file is in the configuration directory", async () => {
  const world = testWorld();
  await save(world, "Work:1", { store: "file" });
  expect([...world.files.content]).toEqual([["/config/keys/work%3A1", "Work:1-key\n"]]);
});

test("a new key of a profile gets a new place, and then the old key is removed", async () => {
  const world = testWorld();
  await save(world, "work", { key: "one" });
  await save(world, "work", { key: "two" });
  expect([...world.keys]).toEqual([["work-2 (chat.example)", "two"]]);
  await save(world, "work", { store: "file", key: "three" });
  expect([...world.keys]).toEqual([]);
  expect(world.files.content.get("/config/keys/work")).toBe("three\n");
});

test("an old key that cannot be removed only causes a warning", async () => {
  const world = testWorld();
  await save(world, "work");
  world.keychain.forget = failLocked;
  await save(world, "work", { store: "file" });
  expect(await summary(world)).toEqual(["*work"]);
  expect(world.stderr.text).toBe(
    "zulipctl: warning: profile work is saved. Its old key stays: the key cannot be removed from the keychain: the keychain is locked\n",
  );
});

test("a key is removed again if the configuration cannot be written", async () => {
  const world = testWorld();
  const unwritable = () => Promise.reject(new Usage("cannot be written"));
  world.settings.edit = (work) => work(undefined, unwritable);
  await expect(save(world, "work")).rejects.toThrow("cannot be written");
  expect([...world.keys]).toEqual([]);
});

test("a renamed profile keeps its key and stays current", async () => {
  const world = testWorld();
  await save(world, "a");
  await save(world, "b");
  await renameProfile(world, "b", "c");
  expect(await summary(world)).toEqual(["a", "*c"]);
  expect(world.keys.get("b (chat.example)")).toBe("b-key");
  await save(world, "b");
  expect([...world.keys.keys()]).toEqual(["a (chat.example)", "b (chat.example)", "b-2 (chat.example)"]);
  await expect(renameProfile(world, "c", "a")).rejects.toThrow('profile "a" already exists');
  await expect(renameProfile(world, "x", "y")).rejects.toThrow('<old>: profile "x" not found');
});

test("a profile is removed with its key, and then none is current", async () => {
  const world = testWorld();
  await save(world, "a");
  await save(world, "b", { store: "file" });
  await remove(world, "b");
  expect(await summary(world)).toEqual(["a"]);
  await remove(world, "a");
  expect([await summary(world), [...world.keys], [...world.files.content]]).toEqual([[], [], []]);
  await expect(remove(world, "a")).rejects.toThrow('<name>: profile "a" not found');
});

test("a profile stays if its key cannot be removed", async () => {
  const world = testWorld();
  await save(world, "a");
  world.keychain.forget = failLocked;
  const hint = "Unlock it and try again; or, to leave the key there, take profile a out of /config/config.json.";
  await expect(remove(world, "a")).rejects.toMatchObject({ exitCode: 3, details: { hint } });
  expect(await summary(world)).toEqual(["*a"]);
});

test("an absolute key file is not removed with its profile", async () => {
  const profile = { site, email: "a", store: "file", key_file: "/run/secrets/zulip" };
  const world = testWorld({ config: { profiles: { a: profile } }, files: new Map([["/run/secrets/zulip", "k"]]) });
  await remove(world, "a");
  expect(world.files.content.get("/run/secrets/zulip")).toBe("k");
});

test("a key of two profiles is removed with the last one", async () => {
  const profile = { site, email: "a", store: "file", key_file: "keys/a" };
  const config = { profiles: { a: profile, b: { ...profile, key_file: "./keys/a" } } };
  const world = testWorld({ config, files: new Map([["/config/keys/a", "k"]]) });
  await remove(world, "a");
  expect(world.files.content.get("/config/keys/a")).toBe("k");
  await remove(world, "b");
  expect(world.files.content.size).toBe(0);
});

test.each(["../outside", "keys/../../outside", "..", "", "keys/../config.json", "a\\..\\b"])(
  "refuses the key file %j, and removes nothing outside the keys",
  async (key_file) => {
    const config = { profiles: { a: { site, email: "a", store: "file", key_file } } };
    const world = testWorld({ config, files: new Map([["/outside", "not ours"]]) });
    await expect(remove(world, "a")).rejects.toThrow(
      "invalid configuration file /config/config.json: profiles.a.key_file: must be a file, without .. in its path",
    );
    expect([...world.files.content.keys()]).toEqual(["/outside"]);
  },
);

test.each([
  ["https://chat.example", "chat.example"],
  ["https://chat.example:8443", "chat.example:8443"],
  ["http://[::1]:9991", "::1:9991"],
])("a profile of %s is called %s by default", async (at, name) => {
  const world = testWorld();
  expect((await save(world, undefined, { at })).answer).toMatchObject({ profile: name, site: at });
  expect(await summary(world)).toEqual([`*${name}`]);
});

test("another account's profile is not replaced, even if it was created meanwhile", async () => {
  const world = testWorld();
  await save(world, "work");
  await expect(save(world, "work", { email: bob })).rejects.toThrow(
    `confirmation required: --no-input is given. Give profile work to ${bob} on chat.example? The profile belongs to ${ada} on ${site}, whose key is forgotten. Pass --yes to confirm.`,
  );
  const { load } = world.settings;
  world.settings.load = async () => {
    world.settings.load = load;
    return undefined;
  };
  await expect(save(world, "work", { email: bob })).rejects.toThrow(
    `profile work now belongs to ${ada} on ${site}; nothing was saved`,
  );
  expect([...world.keys.values()]).toEqual(["work-key"]);
});

test.each([[[false]], [[]]])("after the login, the answer %j to the question saves nothing", async (confirm) => {
  const world = testWorld({ terminal: true, confirm: [...confirm] });
  await save(world, "work");
  const declined = { message: "canceled; nothing was saved", exitCode: 130, details: {} };
  await expect(save(world, "work", { email: bob, input: true })).rejects.toMatchObject(declined);
  expect([...world.keys.values()]).toEqual(["work-key"]);
});

test.each([
  [[], "must be an object, not a list"],
  [{ profiles: [] }, "must be an object, not a list"],
  [7, "must be an object"],
  [{ profiles: { a: { site, email: 7, store: "keychain", account: "x" } } }, "profiles.a.email: must be text"],
  [{ profiles: { a: { site, email: "a", store: "cloud" } } }, "must have a store: keychain, file or command"],
  [{ profiles: { a: { site, email: "a", store: "command", key_command: [] } } }, "must name a program"],
  [{ profiles: { "-x": { site, email: "a", store: "file", key_file: "f" } } }, 'invalid profile name "-x"'],
  [{ current: "b", profiles: {} }, 'current is "b": profile not found'],
])("refuses the configuration %j", async (config, what) => {
  const listing = listProfiles(testWorld({ config }));
  const message = expect.stringMatching(/^invalid configuration file \/config\/config\.json: /);
  await expect(listing).rejects.toMatchObject({ exitCode: 2, message });
  await expect(listing).rejects.toThrow(what);
});

test.each(["", "-x", ".x", "a b", "a/b", "__proto__", "ä", "a\nb", "x".repeat(201)])("refuses the name %j", (name) => {
  expect(() => profileName(name, "--profile")).toThrow(Usage);
});

test("profiles whose names differ only in case have different places for their keys", async () => {
  const world = testWorld();
  for (const profile of ["A", "a"]) await save(world, profile, { store: "file" });
  for (const profile of ["B", "b"]) await save(world, profile, { store: "keychain" });
  expect([...world.files.content]).toEqual([
    ["/config/keys/a", "A-key\n"],
    ["/config/keys/a-2", "a-key\n"],
  ]);
  expect([...world.keys]).toEqual([
    ["B (chat.example)", "B-key"],
    ["b-2 (chat.example)", "b-key"],
  ]);
});

test.each(["keychain", "file"] as const)("trying the %s leaves nothing behind", async (store) => {
  const world = testWorld();
  await testStorage(world, store);
  expect([[...world.keys], [...world.files.content]]).toEqual([[], []]);
});

test.each(["get", "set", "forget"] as const)("trying detects a keychain that cannot %s", async (call) => {
  const world = testWorld();
  world.keychain[call] = failLocked;
  const error = await testStorage(world, "keychain").catch((reason: unknown) => reason);
  expect(error).toBeInstanceOf(NeedsLogin);
  expect((error as NeedsLogin).details.hint).toBe("To keep the key in a file of your own instead, add --store file.");
});

test.each([
  [{ readOnly: true }, 'profiles.work: unknown key "readOnly"; did you mean "read_only"?'],
  [{ READ_ONLY: true }, 'profiles.work: unknown key "READ_ONLY"; did you mean "read_only"?'],
  [{ "read-only": true }, 'profiles.work: unknown key "read-only"; did you mean "read_only"?'],
  [{ readonly: true }, 'profiles.work: unknown key "readonly"; did you mean "read_only"?'],
])("a guard that is misspelled is refused: %j", async (more, says) => {
  const world = testWorld({
    config: { profiles: { work: { site, email: ada, store: "keychain", account: "w", ...more } } },
  });
  await expect(listProfiles(world)).rejects.toMatchObject({ exitCode: 2, message: expect.stringContaining(says) });
});

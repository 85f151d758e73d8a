import { expect, test } from "vitest";
import type { Flags } from "../../src/argv/flags.ts";
import { makeProfile, tryKeeping } from "../../src/credentials/login.ts";
import { listProfiles, profileName, removeProfile, renameProfile } from "../../src/credentials/profiles.ts";
import { NeedsLogin, Usage } from "../../src/errors.ts";
import { KeychainFailure, Secret, type World } from "../../src/world.ts";
import { testWorld } from "../world.ts";

const site = "https://chat.example";

/** Keeps a key of ada's, under a name or the one that it gets. */
const save = (
  world: World,
  profile: string | undefined,
  store: "keychain" | "file" = "keychain",
  key = `${profile}-key`,
  { email = "ada@chat.example", at = site, tls = {} } = {},
) =>
  makeProfile(
    world,
    { profile, input: false } as Flags,
    { site: at, tls },
    store,
    { email, key: new Secret(key), userId: null },
    undefined,
  );

const summary = async (world: World) =>
  (await listProfiles(world)).map(({ name, current }) => (current ? `*${name}` : name));

const broken = async () => {
  throw new KeychainFailure("the keychain is locked", "locked");
};

test("a saved profile is the current one; its key is in the keychain and nowhere in the configuration", async () => {
  const world = testWorld();
  await save(world, "first");
  await save(world, "work");
  expect(await summary(world)).toEqual(["first", "*work"]);
  expect([...world.keys]).toEqual([
    ["first (chat.example)", "first-key"],
    ["work (chat.example)", "work-key"],
  ]);
  expect(JSON.stringify(world.config())).not.toContain("-key");
  expect((world.config() as { profiles: object }).profiles).toMatchObject({
    work: { site, email: "ada@chat.example", store: "keychain", account: "work (chat.example)" },
  });
});

test("a key stored in a file lies in the configuration directory", async () => {
  const world = testWorld();
  await save(world, "Work:1", "file");
  expect([...world.files.content]).toEqual([["/config/keys/work%3A1", "Work:1-key\n"]]);
});

test("a new key under an old name goes beside the old one, which is removed when the profile names the new", async () => {
  const world = testWorld();
  await save(world, "work", "keychain", "one");
  await save(world, "work", "keychain", "two");
  expect([...world.keys]).toEqual([["work-2 (chat.example)", "two"]]);
  await save(world, "work", "file", "three");
  expect([...world.keys]).toEqual([]);
  expect(world.files.content.get("/config/keys/work")).toBe("three\n");
});

test("a former key that cannot be removed is told and costs nothing else", async () => {
  const world = testWorld();
  await save(world, "work");
  world.keychain.forget = broken;
  await save(world, "work", "file");
  expect(await summary(world)).toEqual(["*work"]);
  expect(world.stderr.text).toBe(
    "zulipctl: warning: profile work is saved, but of its former key: the key cannot be removed from the keychain: the keychain is locked\n",
  );
});

test("where the configuration cannot be written the key is not kept either", async () => {
  const world = testWorld();
  world.settings.edit = (work) =>
    work(undefined, async () => {
      throw new Usage("cannot be written");
    });
  await expect(save(world, "work")).rejects.toThrow("cannot be written");
  expect([...world.keys]).toEqual([]);
});

test("a renamed profile keeps its place, its key and being current", async () => {
  const world = testWorld();
  await save(world, "a");
  await save(world, "b");
  await renameProfile(world, "b", "c");
  expect(await summary(world)).toEqual(["a", "*c"]);
  expect(world.keys.get("b (chat.example)")).toBe("b-key");
  await save(world, "b");
  expect([...world.keys.keys()]).toEqual(["a (chat.example)", "b (chat.example)", "b-2 (chat.example)"]);
  await expect(renameProfile(world, "c", "a")).rejects.toThrow('profile "a" already exists');
  await expect(renameProfile(world, "x", "y")).rejects.toThrow('profile rename: profile "x" not found');
});

test("a removed profile takes its key along, and none is current then", async () => {
  const world = testWorld();
  await save(world, "a");
  await save(world, "b", "file");
  await removeProfile(world, "b", "profile rm");
  expect(await summary(world)).toEqual(["a"]);
  await removeProfile(world, "a", "profile rm");
  expect([await summary(world), [...world.keys], [...world.files.content]]).toEqual([[], [], []]);
  await expect(removeProfile(world, "a", "profile rm")).rejects.toThrow('profile rm: profile "a" not found');
});

test("a profile whose key cannot be removed stays, and the way out is named", async () => {
  const world = testWorld();
  await save(world, "a");
  world.keychain.forget = broken;
  const error: unknown = await removeProfile(world, "a", "profile rm").catch((reason: unknown) => reason);
  expect(error).toBeInstanceOf(NeedsLogin);
  expect((error as NeedsLogin).details.hint).toBe(
    "Unlock it and try again; or, to leave the key there, take profile a out of /config/config.json.",
  );
  expect(await summary(world)).toEqual(["*a"]);
});

test("a key file that is somebody else's is not removed with its profile", async () => {
  const profile = { site, email: "a", store: "file", key_file: "/run/secrets/zulip" };
  const world = testWorld({ config: { profiles: { a: profile } }, files: new Map([["/run/secrets/zulip", "k"]]) });
  await removeProfile(world, "a", "profile rm");
  expect(world.files.content.get("/run/secrets/zulip")).toBe("k");
});

test("a key that another profile has too is not removed with one of them", async () => {
  const profile = { site, email: "a", store: "file", key_file: "keys/a" };
  const config = { profiles: { a: profile, b: { ...profile, key_file: "./keys/a" } } };
  const world = testWorld({ config, files: new Map([["/config/keys/a", "k"]]) });
  await removeProfile(world, "a", "profile rm");
  expect(world.files.content.get("/config/keys/a")).toBe("k");
  await removeProfile(world, "b", "profile rm");
  expect(world.files.content.size).toBe(0);
});

test.each(["../outside", "keys/../../outside", "..", "", "keys/../config.json", "a\\..\\b"])(
  "a key file of %j is refused, so that nothing beside the keys is removed",
  async (key_file) => {
    const config = { profiles: { a: { site, email: "a", store: "file", key_file } } };
    const world = testWorld({ config, files: new Map([["/outside", "not ours"]]) });
    await expect(removeProfile(world, "a", "profile rm")).rejects.toThrow(
      "invalid configuration file /config/config.json: profiles.a.key_file: must be a file, without .. in its path",
    );
    expect([...world.files.content.keys()]).toEqual(["/outside"]);
  },
);

const ada = "ada@chat.example";
const bob = "bob@chat.example";

test("without a name given a profile has that of the host, with a port that is not the usual one", async () => {
  for (const [at, name] of [
    ["https://chat.example", "chat.example"],
    ["https://chat.example:8443", "chat.example:8443"],
    ["http://127.0.0.1:9991", "127.0.0.1:9991"],
    ["http://[::1]:9991", "::1:9991"],
    ["http://[::1]", "::1"],
  ]) {
    const world = testWorld();
    expect((await save(world, undefined, "file", "k", { at })).answer).toMatchObject({ profile: name, site: at });
    expect(await summary(world)).toEqual([`*${name}`]);
  }
});

test("another account's name is not taken, also where that account came between the look and the writing", async () => {
  const world = testWorld();
  await save(world, "work");
  await expect(save(world, "work", "keychain", "k", { email: bob })).rejects.toThrow(
    `confirmation required: --no-input is given. Give profile work to ${bob} on ${new URL(site).host}? The profile belongs to ${ada} on ${site}, whose key is forgotten. Pass --yes to confirm.`,
  );
  const { load } = world.settings;
  world.settings.load = async () => {
    world.settings.load = load;
    return undefined;
  };
  await expect(save(world, "work", "keychain", "k", { email: bob })).rejects.toThrow(
    `profile work now belongs to ${ada} on ${site}; nothing was saved`,
  );
  expect([...world.keys.values()]).toEqual(["work-key"]);
});

test.each([[[false]], [[]]])(
  "a no or Ctrl-C after the key came does not say that nothing was sent (%j)",
  async (confirm) => {
    const world = testWorld({ terminal: true, confirm: [...confirm] });
    await save(world, "work");
    const flags = { profile: "work", input: true } as Flags;
    const login = { email: bob, key: new Secret("k"), userId: null };
    const ended = makeProfile(world, flags, { site, tls: {} }, "keychain", login, undefined);
    await expect(ended).rejects.toMatchObject({ message: "canceled; nothing was saved", exitCode: 130, details: {} });
    expect([...world.keys.values()]).toEqual(["work-key"]);
  },
);

test("what else the configuration holds stays", async () => {
  const world = testWorld({ config: { later: { version: 2 }, profiles: {} } });
  await save(world, "a");
  expect(world.config()).toMatchObject({ later: { version: 2 } });
});

test.each([
  [[], "must be an object, not a list"],
  [{ profiles: [] }, "must be an object, not a list"],
  [7, "must be an object"],
  [{ profiles: { a: { site, email: 7, store: "keychain", account: "x" } } }, "profiles.a.email: must be text"],
  [
    { profiles: { a: { site, email: "a", store: "cloud" } } },
    /profiles\.a.*must have a store: keychain, file or command/,
  ],
  [{ profiles: { a: { site, email: "a", store: "command", key_command: [] } } }, "must name a program"],
  [{ profiles: { "-x": { site, email: "a", store: "file", key_file: "f" } } }, 'invalid profile name "-x"'],
  [{ current: "b", profiles: {} }, 'current is "b": profile not found'],
])("a configuration of %j is refused by its place", async (config, what) => {
  const error: unknown = await listProfiles(testWorld({ config })).catch((reason: unknown) => reason);
  expect(error).toBeInstanceOf(Usage);
  expect((error as Usage).message).toMatch(/^invalid configuration file \/config\/config\.json: /);
  expect((error as Usage).message).toMatch(what);
});

test.each(["", "-x", ".x", "a b", "a/b", "__proto__", "ä", "a\nb", "x".repeat(201)])("%j names no profile", (name) => {
  expect(() => profileName(name, "--profile")).toThrow(Usage);
});

test("profiles whose names differ in case alone keep their keys apart", async () => {
  const world = testWorld();
  for (const store of ["keychain", "file"] as const) {
    await save(world, "Work", store, "one");
    await save(world, "work", store, "two");
  }
  expect(world.files.content.get("/config/keys/work")).toBe("one\n");
  expect(world.files.content.get("/config/keys/work-2")).toBe("two\n");
});

test.each(["keychain", "file"] as const)("trying the %s leaves nothing behind", async (store) => {
  const world = testWorld();
  await tryKeeping(world, store);
  expect([[...world.keys], [...world.files.content]]).toEqual([[], []]);
});

test.each(["get", "set", "forget"] as const)("a keychain that cannot %s is found out by trying", async (call) => {
  const world = testWorld();
  world.keychain[call] = broken;
  const error: unknown = await tryKeeping(world, "keychain").catch((e: unknown) => e);
  expect(error).toBeInstanceOf(NeedsLogin);
  expect((error as NeedsLogin).details.hint).toBe("To keep the key in a file of your own instead, add --store file.");
});

import { expect, test } from "vitest";
import { NeedsLogin, Usage } from "../../src/errors.ts";
import { tryPlace } from "../../src/shell/keyplace.ts";
import {
  listProfiles,
  placeFor,
  profileName,
  removeProfile,
  renameProfile,
  saveProfile,
  useProfile,
} from "../../src/shell/profiles.ts";
import { KeychainFailure, Secret, type World } from "../../src/world.ts";
import { testWorld } from "../world.ts";

const site = "https://chat.example";

async function save(world: World, name: string, store: "keychain" | "file" = "keychain", key = `${name}-key`) {
  const place = await placeFor(world, name, site, store);
  await saveProfile(world, { name, site, email: "ada@chat.example", tls: {}, place }, new Secret(key));
}

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

test("the TLS files of a profile are remembered", async () => {
  const world = testWorld();
  const place = await placeFor(world, "work", site, "keychain");
  const tls = { ca: "/ca", cert: "/cert", key: "/key" };
  await saveProfile(world, { name: "work", site, email: "a", tls, place }, new Secret("k"));
  expect((await listProfiles(world))[0]?.profile).toMatchObject({
    ca_file: "/ca",
    client_cert: "/cert",
    client_key: "/key",
  });
});

test("a new key under an old name goes beside the old one, which is removed when the profile names the new", async () => {
  const world = testWorld();
  await save(world, "work", "keychain", "one");
  expect(await placeFor(world, "work", site, "keychain")).toEqual({
    store: "keychain",
    account: "work-2 (chat.example)",
  });
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
  const place = await placeFor(world, "work", site, "keychain");
  world.settings.save = async () => {
    throw new Usage("cannot be written");
  };
  const saving = saveProfile(world, { name: "work", site, email: "a", tls: {}, place }, new Secret("k"));
  await expect(saving).rejects.toThrow("cannot be written");
  expect([...world.keys]).toEqual([]);
});

test("another profile can be made the current one", async () => {
  const world = testWorld();
  await save(world, "a");
  await save(world, "b");
  await useProfile(world, "a");
  expect(await summary(world)).toEqual(["*a", "b"]);
  await expect(useProfile(world, "c")).rejects.toThrow("profile use: there is no profile “c”");
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
  await expect(renameProfile(world, "c", "A")).rejects.toThrow("there is a profile a already");
  await expect(renameProfile(world, "x", "y")).rejects.toThrow("profile rename: there is no profile “x”");
});

test("a removed profile takes its key along, and none is current then", async () => {
  const world = testWorld();
  await save(world, "a");
  await save(world, "b", "file");
  await removeProfile(world, "b", "profile rm");
  expect(await summary(world)).toEqual(["a"]);
  await removeProfile(world, "a", "profile rm");
  expect([await summary(world), [...world.keys], [...world.files.content]]).toEqual([[], [], []]);
  await expect(removeProfile(world, "a", "profile rm")).rejects.toThrow("profile rm: there is no profile “a”");
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

test("what else the configuration holds stays", async () => {
  const world = testWorld({ config: { later: { version: 2 }, profiles: {} } });
  await save(world, "a");
  expect(world.config()).toMatchObject({ later: { version: 2 } });
});

test.each([
  [[], "it has a list where an object must be"],
  [{ profiles: [] }, "it has a list where an object must be"],
  [7, "must be an object"],
  [{ profiles: { a: { site, email: 7, store: "keychain", account: "x" } } }, "profiles.a.email: must be text"],
  [
    { profiles: { a: { site, email: "a", store: "cloud" } } },
    /profiles\.a.*must have a store: keychain, file or command/,
  ],
  [{ profiles: { a: { site, email: "a", store: "command", key_command: [] } } }, "must name a program"],
  [{ profiles: { "-x": { site, email: "a", store: "file", key_file: "f" } } }, "“-x” is no name for a profile"],
  [{ current: "b", profiles: {} }, "current is “b”, and there is no such profile"],
])("a configuration of %j is refused by its place", async (config, what) => {
  const error: unknown = await listProfiles(testWorld({ config })).catch((reason: unknown) => reason);
  expect(error).toBeInstanceOf(Usage);
  expect((error as Usage).message).toMatch(/^the configuration file \/config\/config\.json is not valid: /);
  expect((error as Usage).message).toMatch(what);
});

test.each(["", "-x", ".x", "a b", "a/b", "__proto__", "ä", "a\nb", "x".repeat(201)])("%j names no profile", (name) => {
  expect(() => profileName(name, "--profile")).toThrow(Usage);
});

test.each(["work", "chat.example.com", "127.0.0.1", "::1", "a_b-c@d+e"])("%j names a profile", (name) => {
  expect(profileName(name, "--profile")).toBe(name);
});

test("names that differ in case alone are refused, for some file systems would mix them up", async () => {
  const world = testWorld();
  await save(world, "Work");
  await expect(placeFor(world, "work", site, "file")).rejects.toThrow(
    "the profile Work differs from work in case alone",
  );
});

test.each(["keychain", "file"] as const)("trying the %s leaves nothing behind", async (store) => {
  const world = testWorld();
  await tryPlace(world, await placeFor(world, "work", site, store));
  expect([[...world.keys], [...world.files.content]]).toEqual([[], []]);
});

test.each(["get", "set", "forget"] as const)("a keychain that cannot %s is found out by trying", async (call) => {
  const world = testWorld();
  world.keychain[call] = broken;
  const error: unknown = await tryPlace(world, await placeFor(world, "work", site, "keychain")).catch(
    (e: unknown) => e,
  );
  expect(error).toBeInstanceOf(NeedsLogin);
  expect((error as NeedsLogin).details.hint).toBe("To keep the key in a file of your own instead, add --store file.");
});

test("a keychain that forgets is found out by trying", async () => {
  const world = testWorld();
  world.keychain.get = async () => undefined;
  await expect(tryPlace(world, await placeFor(world, "work", site, "keychain"))).rejects.toThrow(
    "the keychain does not keep what is written to it",
  );
});

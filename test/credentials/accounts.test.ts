import { expect, test } from "vitest";
import { newSite, resolveAccount, resolveSite } from "../../src/credentials/accounts.ts";
import { KeychainFailure, type ProgramResult } from "../../src/world/world.ts";
import { type Setup, testWorld } from "../world.ts";

const rc = (site: string, more = "") => `[api]\nemail=rc@${site}\nkey=rckey\nsite=https://${site}\n${more}`;
const environment = { ZULIP_SITE: "https://env.example", ZULIP_EMAIL: "env@env.example", ZULIP_API_KEY: "envkey" };
const config = {
  current: "work",
  profiles: {
    work: {
      site: "https://work.example",
      email: "ada@work.example",
      store: "keychain",
      account: "work (work.example)",
    },
    play: { site: "https://play.example", email: "ada@play.example", store: "file", key_file: "keys/play" },
    run: { site: "https://run.example", email: "ada@run.example", store: "command", key_command: ["pass", "zulip"] },
  },
};
const keys = () => new Map([["work (work.example)", "workkey"]]);
const files = () =>
  new Map([
    ["/home/test/.zuliprc", rc("home.example")],
    ["/rc", rc("flag.example")],
    ["/rc2", rc("variable.example")],
    ["/config/keys/play", "playkey\n"],
    ["/key", "filekey\n"],
    ["/bare", "[api]\nemail=rc@flag.example\nkey=rckey\n"],
  ]);

async function resolve(flags: object, setup: Setup = {}) {
  const account = await resolveAccount(testWorld(setup), flags as never);
  const { site, email, source } = account;
  return [site, email, (await account.key()).reveal(), source];
}

const allSources = { config, files: files(), keys: keys() };

test.each<[string, object, Record<string, string>, string[]]>([
  [
    "--profile",
    { profile: "play" },
    environment,
    ["https://play.example", "ada@play.example", "playkey", "profile play"],
  ],
  ["--zuliprc", { zuliprc: "/rc" }, environment, ["https://flag.example", "rc@flag.example", "rckey", "/rc"]],
  [
    "a zuliprc without site, and --site",
    { zuliprc: "/bare", site: "flag.example" },
    { ZULIP_SITE: "https://x.example" },
    ["https://flag.example", "rc@flag.example", "rckey", "/bare"],
  ],
  [
    "a zuliprc without site, and ZULIP_SITE",
    { zuliprc: "/bare" },
    { ZULIP_SITE: "https://x.example" },
    ["https://x.example", "rc@flag.example", "rckey", "/bare"],
  ],
  [
    "ZULIP_CONFIG without site, and ZULIP_SITE",
    {},
    { ZULIP_CONFIG: "/bare", ZULIP_SITE: "https://x.example" },
    ["https://x.example", "rc@flag.example", "rckey", "/bare"],
  ],
  [
    "ZULIP_CONFIG without site, and --site",
    { site: "flag.example" },
    { ZULIP_CONFIG: "/bare" },
    ["https://flag.example", "rc@flag.example", "rckey", "/bare"],
  ],
  [
    "the environment",
    {},
    { ...environment, ZULIPCTL_PROFILE: "play", ZULIP_CONFIG: "/rc2" },
    ["https://env.example", "env@env.example", "envkey", "the environment"],
  ],
  [
    "the environment with a key file",
    {},
    { ZULIP_SITE: "env.example", ZULIP_EMAIL: "env@env.example", ZULIP_API_KEY_FILE: "/key" },
    ["https://env.example", "env@env.example", "filekey", "the environment"],
  ],
  [
    "ZULIPCTL_PROFILE",
    {},
    { ZULIPCTL_PROFILE: "play", ZULIP_CONFIG: "/rc2" },
    ["https://play.example", "ada@play.example", "playkey", "profile play"],
  ],
  ["ZULIP_CONFIG", {}, { ZULIP_CONFIG: "/rc2" }, ["https://variable.example", "rc@variable.example", "rckey", "/rc2"]],
  ["the current profile", {}, {}, ["https://work.example", "ada@work.example", "workkey", "profile work"]],
])("%s gives site, e-mail and key together", async (_, flags, env, all) => {
  expect(await resolve(flags, { ...allSources, env })).toEqual(all);
});

test("without any source, the hint says how to get a key", async () => {
  await expect(resolve({})).rejects.toMatchObject({
    exitCode: 3,
    message: "no credentials found",
    details: {
      hint: "Get a key with: zulipctl fetch-key --site <url>. Scripts can set ZULIP_SITE, ZULIP_EMAIL and ZULIP_API_KEY.",
    },
  });
});

const site = { ZULIP_SITE: "https://x.example" };
const address = { ZULIP_EMAIL: "a@x.example" };

test.each<[object, Record<string, string>, string | RegExp]>([
  [{}, site, "missing ZULIP_EMAIL and ZULIP_API_KEY or ZULIP_API_KEY_FILE"],
  [{}, { ...site, ...address, ZULIP_API_KEY: "" }, "missing ZULIP_API_KEY or ZULIP_API_KEY_FILE"],
  [{}, { ZULIP_API_KEY_FILE: "/key" }, "missing ZULIP_SITE and ZULIP_EMAIL"],
  [{}, { ...site, ZULIP_API_KEY: "k" }, "incomplete credentials in the environment: missing ZULIP_EMAIL"],
  [{ profile: "work", zuliprc: "/rc" }, {}, "--profile cannot be combined with --zuliprc"],
  [{ profile: "none" }, {}, '--profile: profile "none" not found'],
  [{ profile: "p@$$ word" }, {}, /^--profile: profile not found$/],
  [{}, { ZULIPCTL_PROFILE: "none" }, 'ZULIPCTL_PROFILE: profile "none" not found'],
  [{ zuliprc: "/none" }, {}, "--zuliprc: file not found: /none"],
  [{}, { ZULIP_CONFIG: "/none" }, "ZULIP_CONFIG: file not found: /none"],
  [{}, { ...environment, ZULIP_API_KEY_FILE: "/key" }, "ZULIP_API_KEY cannot be combined with ZULIP_API_KEY_FILE"],
  [{}, { ...site, ...address, ZULIP_API_KEY_FILE: "/none" }, "ZULIP_API_KEY_FILE: file not found: /none"],
  [{}, { ...environment, ZULIP_API_KEY: "two words" }, "ZULIP_API_KEY does not hold an API key"],
  [{}, { ...environment, ZULIP_API_KEY: '"k"' }, "ZULIP_API_KEY has quotes around it"],
  [{}, { ...environment, ZULIP_EMAIL: "'a@x.example'" }, "ZULIP_EMAIL has quotes around it"],
  [{}, { ...environment, ZULIP_SITE: '"https://x.example"' }, "ZULIP_SITE has quotes around it"],
  [{}, { ...site, ZULIPCTL_PROFILE: "play", ZULIP_CONFIG: "/bare" }, /^incomplete credentials/],
  [{ zuliprc: "/bare" }, {}, "the zuliprc /bare has no site in its section [api]"],
  [{}, { ...site, ZULIP_CONFIG: "/rc" }, "ZULIP_SITE is https://x.example, but /rc is for https://flag.example"],
  [{}, { ...environment, ZULIP_SITE: "http://env.example" }, /^ZULIP_SITE is http:\/\/, which would show the key/],
  [
    { site: "https://other.example" },
    environment,
    "--site is https://other.example, but the credentials from the environment are for https://env.example",
  ],
])("%j with %j is refused", async (flags, env, message) => {
  const refusal = resolve(flags, { ...allSources, env });
  await expect(refusal).rejects.toMatchObject({ exitCode: 2 });
  await expect(refusal).rejects.toThrow(message);
});

test("the keychain is read once, when the key is needed", async () => {
  let reads = 0;
  const world = testWorld(allSources);
  const { get } = world.keychain;
  world.keychain.get = (account) => {
    reads++;
    return get(account);
  };
  const account = await resolveAccount(world, {});
  expect(reads).toBe(0);
  await account.key();
  await account.key();
  expect(reads).toBe(1);
});

test("a locked keychain ends with 3, and the hint names other places", async () => {
  const world = testWorld(allSources);
  world.keychain.get = async () => {
    throw new KeychainFailure("the keychain is locked", "locked");
  };
  await expect((await resolveAccount(world, {})).key()).rejects.toMatchObject({
    exitCode: 3,
    message: "the keychain is locked",
    details: {
      hint: "If nobody can unlock it, keep the key in a file (zulipctl fetch-key --profile work --store file) or set ZULIP_SITE, ZULIP_EMAIL and ZULIP_API_KEY_FILE.",
    },
  });
});

test.each([
  ["work", "the keychain"],
  ["play", "the file /config/keys/play"],
])("a missing key of profile %s is reported with the way to get it again", async (profile, place) => {
  await expect(resolve({ profile }, { config })).rejects.toMatchObject({
    exitCode: 3,
    message: `the key of profile ${profile} is not in ${place}`,
    details: { hint: `Get the key again with: zulipctl fetch-key --profile ${profile}` },
  });
});

test("a key command prints the key on its first line", async () => {
  const world = testWorld({ config });
  const calls: unknown[] = [];
  world.run = async (...call) => {
    calls.push(call);
    return { code: 0, stdout: "runkey\nlogin: ada\n" };
  };
  expect((await (await resolveAccount(world, { profile: "run" })).key()).reveal()).toBe("runkey");
  expect(calls).toEqual([[["pass", "zulip"], 30_000]]);
});

test.each<[Partial<ProgramResult>, number, string]>([
  [{ code: 1, stdout: "secret" }, 3, "the key command pass ended with 1"],
  [{ code: null, endedBy: "timeout" }, 3, "the key command pass did not end within 30 seconds"],
  [
    { code: null, endedBy: "output", stdout: "y\ny\n" },
    3,
    "the key command pass did not stop printing, and was ended after a megabyte",
  ],
  [{ stdout: "\n" }, 2, "no API key found in the command pass"],
])("a key command that ends with %j fails without its output", async (ran, exitCode, message) => {
  const world = testWorld({ config });
  world.run = async () => ({ code: 0, stdout: "", ...ran });
  const error = await (await resolveAccount(world, { profile: "run" })).key().catch((reason) => reason);
  expect(error).toMatchObject({ exitCode, message });
  expect(error.details.hint ?? "").not.toContain("secret");
});

test("a file that others can read causes a warning", async () => {
  const world = testWorld({ ...allSources, env: {} });
  const { read } = world.files;
  world.files.readWithAccess = async (path) => {
    const text = await read(path);
    return text === undefined ? undefined : { text, access: { readable: true, writable: false } };
  };
  await (await resolveAccount(world, { profile: "play" })).key();
  await resolveAccount(world, { zuliprc: "/rc" });
  const warning = (path: string) =>
    `zulipctl: warning: others can read ${path}; make it private with: chmod 600 ${path}\n`;
  expect(world.stderr.text).toBe(warning("/config/keys/play") + warning("/rc"));
});

const certificate = "-----BEGIN CERTIFICATE-----\nMIIB\n-----END CERTIFICATE-----\n";
const privateKey = "-----BEGIN EC PRIVATE KEY-----\nMIIB\n-----END EC PRIVATE KEY-----\n";
const pem = new Map([
  ["/ca", certificate],
  ["/cert", certificate],
  ["/key", privateKey],
  ["/ca2", certificate],
  ["/cert2", certificate + privateKey],
  ["/empty", ""],
]);
const rcWith = (more: string) => ({ files: new Map([...pem, ["/rc", rc("flag.example", more)]]) });

test.each<[string, object, Setup, object]>([
  [
    "of the zuliprc",
    {},
    rcWith("cert_bundle=/ca\nclient_cert=/cert\nclient_cert_key=/key\n"),
    { ca: "/ca", cert: "/cert", key: "/key" },
  ],
  ["of the environment", {}, { ...rcWith("cert_bundle=/ca\n"), env: { ZULIP_CERT_BUNDLE: "/ca2" } }, { ca: "/ca2" }],
  ["of the flags", { caFile: "/ca" }, { ...rcWith(""), env: { ZULIP_CERT_BUNDLE: "/ca2" } }, { ca: "/ca" }],
  [
    "with a certificate and key of one place",
    { clientCert: "/cert2" },
    rcWith("client_cert=/cert\nclient_cert_key=/key\n"),
    { cert: "/cert2", key: "/cert2" },
  ],
  ["of nobody, and insecure=false says no more", {}, rcWith("insecure=False\n"), {}],
])("the TLS files %s", async (_, flags, setup, tls) => {
  const account = await resolveAccount(testWorld(setup), { zuliprc: "/rc", ...flags });
  const read = Object.entries(tls).map(([name, path]) => [name, { path, text: pem.get(path as string) }]);
  expect(account.tls).toEqual(Object.fromEntries(read));
});

test.each<[object, Setup, string]>([
  [{ caFile: "/none" }, rcWith(""), "--ca-file: file not found: /none"],
  [{ clientKey: "/key" }, rcWith(""), "--client-key names a key without a certificate"],
  [{}, rcWith("client_cert_key=/key\n"), "client_cert_key in /rc names a key without a certificate"],
  [{}, rcWith("cert_bundle=/none\n"), "cert_bundle in /rc: file not found: /none"],
  [{}, { ...rcWith(""), env: { ZULIP_CERT: "/none" } }, "ZULIP_CERT: file not found: /none"],
  [{ caFile: "/empty" }, rcWith(""), "--ca-file: /empty holds no certificate (PEM)"],
  [{ clientCert: "/cert", clientKey: "/empty" }, rcWith(""), "--client-key: /empty holds no private key (PEM)"],
  [{ clientCert: "/cert" }, rcWith(""), "--client-cert: /cert holds no private key (PEM)"],
  [{}, { ...rcWith(""), env: { ZULIP_CERT_BUNDLE: "/key" } }, "ZULIP_CERT_BUNDLE: /key holds no certificate (PEM)"],
  [
    {},
    { ...rcWith(""), env: { NODE_TLS_REJECT_UNAUTHORIZED: "0" } },
    "NODE_TLS_REJECT_UNAUTHORIZED=0 turns certificate checks off, which zulipctl refuses",
  ],
  [{}, rcWith("insecure=true\n"), "insecure in /rc turns certificate checks off, which zulipctl refuses"],
  [
    {},
    { ...rcWith(""), env: { ZULIP_ALLOW_INSECURE: "true" } },
    "ZULIP_ALLOW_INSECURE turns certificate checks off, which zulipctl refuses",
  ],
])("TLS as in %j with %j is refused", async (flags, setup, message) => {
  const refusal = resolveAccount(testWorld(setup), { zuliprc: "/rc", ...flags });
  await expect(refusal).rejects.toMatchObject({ exitCode: 2, message });
});

test.each<[string, object, Setup, string]>([
  ["--site", { site: "flag.example" }, { ...allSources, env: environment }, "https://flag.example"],
  ["--profile", { profile: "play" }, { ...allSources, env: environment }, "https://play.example"],
  ["ZULIP_SITE alone", {}, { ...allSources, env: { ZULIP_SITE: "env.example" } }, "https://env.example"],
  ["the current profile", {}, allSources, "https://work.example"],
])("a command without credentials takes the site of %s", async (_, flags, setup, url) => {
  expect((await resolveSite(testWorld(setup), flags)).site).toBe(url);
});

test.each<[string, object, Setup, string | undefined]>([
  ["--site", { site: "flag.example", profile: "play" }, allSources, "https://flag.example"],
  ["a known profile", { profile: "play" }, { ...allSources, env: environment }, "https://play.example"],
  ["ZULIP_SITE under a new name", { profile: "new" }, { ...allSources, env: environment }, "https://env.example"],
  ["nothing, though there is a current profile", {}, allSources, undefined],
])("a new key is fetched from the site of %s", async (_, flags, setup, url) => {
  expect((await newSite(testWorld(setup), flags as never))?.site).toBe(url);
});

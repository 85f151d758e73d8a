import { expect, test } from "vitest";
import { newSite, resolveAccount, resolveSite } from "../../src/credentials/accounts.ts";
import { Failure } from "../../src/errors.ts";
import { KeychainFailure } from "../../src/world.ts";
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
  ]);

async function found(flags: object, setup: Setup = {}) {
  const account = await resolveAccount(testWorld(setup), flags as never);
  const { site, email, source } = account;
  return [site, email, (await account.key()).reveal(), source];
}

async function refused(promise: Promise<unknown>) {
  const error = await promise.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  if (!(error instanceof Failure)) throw error ?? new Error("it succeeded");
  return { code: error.exitCode, message: error.message, hint: error.details.hint };
}

const everything = { config, files: files(), keys: keys() };

test.each<[string, object, Record<string, string>, string[]]>([
  [
    "--profile",
    { profile: "play" },
    environment,
    ["https://play.example", "ada@play.example", "playkey", "profile play"],
  ],
  ["--zuliprc", { zuliprc: "/rc" }, environment, ["https://flag.example", "rc@flag.example", "rckey", "/rc"]],
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
  expect(await found(flags, { ...everything, env })).toEqual(all);
});

test("without any source the way to a key is named", async () => {
  expect(await refused(found({}))).toEqual({
    code: 3,
    message: "no credentials found",
    hint: "Get a key with: zulipctl fetch-key --site <url>. Scripts can set ZULIP_SITE, ZULIP_EMAIL and ZULIP_API_KEY.",
  });
});

test.each([
  [{ ZULIP_SITE: "https://x.example" }, "ZULIP_EMAIL and ZULIP_API_KEY or ZULIP_API_KEY_FILE"],
  [
    { ZULIP_SITE: "https://x.example", ZULIP_EMAIL: "a@x.example", ZULIP_API_KEY: "" },
    "ZULIP_API_KEY or ZULIP_API_KEY_FILE",
  ],
  [{ ZULIP_API_KEY_FILE: "/key" }, "ZULIP_SITE and ZULIP_EMAIL"],
  [{ ZULIP_SITE: "https://x.example", ZULIP_API_KEY: "k" }, "ZULIP_EMAIL"],
])("an environment in part, %j, is refused also where there is a profile", async (env, lacking) => {
  expect(await refused(found({}, { ...everything, env: env as Record<string, string> }))).toMatchObject({
    code: 2,
    message: `incomplete credentials in the environment: missing ${lacking}`,
  });
});

test.each<[object, Setup, string | RegExp]>([
  [{ profile: "work", zuliprc: "/rc" }, everything, "--profile cannot be combined with --zuliprc"],
  [{ profile: "none" }, everything, "--profile: profile not found"],
  [{}, { ...everything, env: { ZULIPCTL_PROFILE: "none" } }, 'ZULIPCTL_PROFILE: profile "none" not found'],
  [{ zuliprc: "/none" }, everything, "--zuliprc: file not found: /none"],
  [{}, { ...everything, env: { ZULIP_CONFIG: "/none" } }, "ZULIP_CONFIG: file not found: /none"],
  [
    {},
    { env: { ...environment, ZULIP_API_KEY_FILE: "/key" } },
    "ZULIP_API_KEY cannot be combined with ZULIP_API_KEY_FILE",
  ],
  [
    {},
    { env: { ZULIP_SITE: "x.example", ZULIP_EMAIL: "a@x.example", ZULIP_API_KEY_FILE: "/none" } },
    "ZULIP_API_KEY_FILE: file not found: /none",
  ],
  [{}, { env: { ...environment, ZULIP_API_KEY: "two words" } }, "ZULIP_API_KEY does not hold an API key"],
  [
    {},
    { env: { ...environment, ZULIP_SITE: "http://env.example" } },
    /^ZULIP_SITE is http:\/\/, which would show the key/,
  ],
  [
    { site: "https://other.example" },
    { env: environment },
    "--site is https://other.example, but the credentials from the environment are for https://env.example",
  ],
])("%j with %j is refused", async (flags, setup, message) => {
  const told = await refused(found(flags, setup));
  expect(told.code).toBe(2);
  expect(told.message).toMatch(message);
});

test("a keychain is asked when the key is wanted, once, and not before", async () => {
  let asked = 0;
  const world = testWorld(everything);
  const { get } = world.keychain;
  world.keychain.get = (account) => {
    asked += 1;
    return get(account);
  };
  const account = await resolveAccount(world, {});
  expect(asked).toBe(0);
  await account.key();
  await account.key();
  expect(asked).toBe(1);
});

test("a keychain that does not give the key is a matter of logging in, with ways out", async () => {
  const world = testWorld(everything);
  world.keychain.get = async () => {
    throw new KeychainFailure("the keychain is locked", "locked");
  };
  expect(await refused((await resolveAccount(world, {})).key())).toEqual({
    code: 3,
    message: "the keychain is locked",
    hint: "If nobody can unlock it, keep the key in a file (zulipctl fetch-key --profile work --store file) or set ZULIP_SITE, ZULIP_EMAIL and ZULIP_API_KEY_FILE.",
  });
});

test.each<[string, Setup, string]>([
  ["work", { config }, "the key of profile work is not in the keychain"],
  ["play", { config }, "the key of profile play is not in the file /config/keys/play"],
])("a key of profile %s that is gone", async (profile, setup, message) => {
  expect(await refused(found({ profile }, setup))).toEqual({
    code: 3,
    message,
    hint: `Get the key again with: zulipctl fetch-key --profile ${profile}`,
  });
});

test("a key command gives the first line it prints", async () => {
  const world = testWorld({ config });
  const ran: unknown[] = [];
  world.run = async (...call) => {
    ran.push(call);
    return { code: 0, stdout: "runkey\nlogin: ada\n", stderr: "" };
  };
  expect((await (await resolveAccount(world, { profile: "run" })).key()).reveal()).toBe("runkey");
  expect(ran).toEqual([[["pass", "zulip"], 30_000]]);
});

test.each([
  [{ code: 1, stdout: "secret", stderr: "secret" }, 3, "the key command pass ended with 1"],
  [
    { code: null, ended: "timeout" as const, stdout: "", stderr: "" },
    3,
    "the key command pass did not end within 30 seconds",
  ],
  [
    { code: null, ended: "output" as const, stdout: "y\ny\n", stderr: "" },
    3,
    "the key command pass did not stop printing, and was ended after a megabyte",
  ],
  [{ code: 0, stdout: "\n", stderr: "" }, 2, "no API key found in the command pass"],
])("a key command that comes to %j", async (ran, code, message) => {
  const world = testWorld({ config });
  world.run = async () => ran;
  const told = await refused((await resolveAccount(world, { profile: "run" })).key());
  expect(told).toMatchObject({ code, message });
  expect(told.hint ?? "").not.toContain("secret");
});

test("files that others can read are used with a warning", async () => {
  const world = testWorld({ ...everything, env: {} });
  const { read } = world.files;
  world.files.guarded = async (path) => {
    const text = await read(path);
    return text === undefined ? undefined : { text, access: { readable: true, writable: false } };
  };
  await (await resolveAccount(world, { profile: "play" })).key();
  await resolveAccount(world, { zuliprc: "/rc" });
  expect(world.stderr.text).toBe(
    "zulipctl: warning: others can read /config/keys/play; make it yours alone with: chmod 600 /config/keys/play\n" +
      "zulipctl: warning: others can read /rc; make it yours alone with: chmod 600 /rc\n",
  );
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
  expect(await refused(resolveAccount(testWorld(setup), { zuliprc: "/rc", ...flags }))).toMatchObject({
    code: 2,
    message,
  });
});

test.each<[string, object, Setup, string]>([
  ["--site", { site: "flag.example" }, { ...everything, env: environment }, "https://flag.example"],
  ["--profile", { profile: "play" }, { ...everything, env: environment }, "https://play.example"],
  ["ZULIP_SITE alone", {}, { ...everything, env: { ZULIP_SITE: "env.example" } }, "https://env.example"],
  ["the current profile", {}, everything, "https://work.example"],
])("a command without credentials takes the site of %s", async (_, flags, setup, site) => {
  expect((await resolveSite(testWorld(setup), flags)).site).toBe(site);
});

test.each<[string, object, Setup, string | undefined]>([
  ["--site", { site: "flag.example", profile: "play" }, everything, "https://flag.example"],
  ["a known profile", { profile: "play" }, { ...everything, env: environment }, "https://play.example"],
  ["ZULIP_SITE under a new name", { profile: "new" }, { ...everything, env: environment }, "https://env.example"],
  ["nothing, though there is a current profile", {}, everything, undefined],
])("a new key is fetched from the site of %s", async (_, flags, setup, site) => {
  expect((await newSite(testWorld(setup), flags as never))?.site).toBe(site);
});

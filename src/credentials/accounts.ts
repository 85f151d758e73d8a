/** Finds site, e-mail and key: the first matching source provides all three. */

import type { Flags } from "../argv/global-flags.ts";
import type { AccountWithKey, Site } from "../client/sending-types.ts";
import { asError, Failure, NeedsLogin, Usage } from "../errors.ts";
import type { Secret, World } from "../world/world.ts";
import { type KeyLocation, keyLocationText, parseKey, readChecked, readKey } from "./key-location.ts";
import type { ListedProfile } from "./profiles.ts";
import { refuseQuotes } from "./quotes.ts";
import { parseSite } from "./site.ts";
import { refuseInsecure, tlsOf } from "./tls.ts";
import { parseZuliprc } from "./zuliprc.ts";

const profiles = () => import("./profiles.ts");

type AuthFlags = Pick<Flags, "profile" | "zuliprc" | "site" | "caFile" | "clientCert" | "clientKey">;

export interface Credentials extends AccountWithKey {
  /** Absent if the credentials are not from a profile. */
  profile?: string;
  /** The profile refuses changes. */
  readOnly?: boolean;
  storage: KeyLocation["store"] | "environment" | "zuliprc";
  /** The source in words: `the keychain`, `ZULIP_API_KEY`, `/home/ada/.zuliprc`. */
  location: string;
}

/** Throws `NeedsLogin` without any source, and `Usage` if the first source is incomplete. */
export async function resolveAccount(world: World, flags: AuthFlags): Promise<Credentials> {
  const found = (await fromFlags(world, flags)) ?? (await fromDefaults(world, flags));
  if (!found) throw new NeedsLogin("no credentials found", { hint: await loginHint(world) });
  const site = flags.site === undefined ? found.site : parseSite(flags.site, "--site");
  if (site !== found.site)
    throw new Usage(`--site is ${site}, but the credentials from ${found.source} are for ${found.site}`, {
      hint: "Remove --site, or choose other credentials with --profile.",
    });
  return found;
}

/** Returns a hint. There may be profiles without a current one. */
async function loginHint(world: World): Promise<string> {
  const { choiceHint, listProfiles } = await profiles();
  const names = (await listProfiles(world)).map(({ name }) => name);
  if (names.length) return choiceHint(names);
  return "Get a key with: zulipctl fetch-key --site <url>. Scripts can set ZULIP_SITE, ZULIP_EMAIL and ZULIP_API_KEY.";
}

/** The organization alone, for commands that need no credentials. */
export async function resolveSite(world: World, flags: AuthFlags): Promise<Site> {
  const found = (await explicitSite(world, flags)) ?? (await fromDefaults(world, flags));
  if (!found) throw missingSite();
  return found;
}

/**
 * The organization for commands that create credentials. Existing credentials count only if a flag names them, and
 * `--profile` may be a new name. Undefined if nothing tells.
 */
export async function newSite(world: World, flags: AuthFlags): Promise<Site | undefined> {
  const { profile } = flags;
  const isNew = profile !== undefined && !(await (await profiles()).profileNamed(world, profile));
  return explicitSite(world, isNew ? { ...flags, profile: undefined } : flags);
}

/** The organization of an address. `origin`: the flag or variable, for messages. */
export const siteFrom = async (world: World, flags: AuthFlags, text: string, origin: string): Promise<Site> => ({
  site: parseSite(text, origin),
  tls: await tlsOf(world, flags),
});

export const missingSite = () =>
  new Usage("missing required flag: --site", { hint: "For example: --site https://chat.example.com" });

async function explicitSite(world: World, flags: AuthFlags): Promise<Site | undefined> {
  if (flags.site !== undefined) return siteFrom(world, flags, flags.site, "--site");
  const byFlag = await fromFlags(world, flags);
  if (byFlag) return byFlag;
  return world.env.ZULIP_SITE ? siteFrom(world, flags, world.env.ZULIP_SITE, "ZULIP_SITE") : undefined;
}

async function fromFlags(world: World, flags: AuthFlags): Promise<Credentials | undefined> {
  const { profile, zuliprc } = flags;
  if (profile !== undefined && zuliprc !== undefined)
    throw new Usage("--profile cannot be combined with --zuliprc", { hint: "Pass only one of them." });
  if (profile !== undefined) return fromProfileName(world, flags, profile, "--profile");
  return zuliprc === undefined ? undefined : fromZuliprc(world, flags, zuliprc, "--zuliprc");
}

async function fromDefaults(world: World, flags: AuthFlags): Promise<Credentials | undefined> {
  const { env } = world;
  const complete = await fromEnvironment(world, flags);
  if (complete) return complete;
  if (env.ZULIPCTL_PROFILE) return fromProfileName(world, flags, env.ZULIPCTL_PROFILE, "ZULIPCTL_PROFILE");
  if (env.ZULIP_CONFIG) {
    const found = await fromZuliprc(world, flags, env.ZULIP_CONFIG, "ZULIP_CONFIG");
    // Zulip's own tools would send the key there.
    if (env.ZULIP_SITE && parseSite(env.ZULIP_SITE, "ZULIP_SITE") !== found.site)
      throw new Usage(`ZULIP_SITE is ${env.ZULIP_SITE}, but ${env.ZULIP_CONFIG} is for ${found.site}`, {
        hint: "Unset ZULIP_SITE, or choose other credentials with --profile or --zuliprc.",
      });
    return found;
  }
  const current = (await (await profiles()).listProfiles(world)).find((listed) => listed.current);
  if (current) return fromProfile(world, flags, current);
  const defaultPath = `${world.directories.home}/.zuliprc`;
  return zuliprcAt(world, flags, defaultPath, defaultPath);
}

async function fromEnvironment(world: World, flags: AuthFlags): Promise<Credentials | undefined> {
  const { ZULIP_SITE: site, ZULIP_EMAIL: email, ZULIP_API_KEY: key, ZULIP_API_KEY_FILE: file } = world.env;
  if (!site && !email && !key && !file) return undefined;
  // A zuliprc may leave out its site.
  if (site && !email && !key && !file && !world.env.ZULIPCTL_PROFILE && world.env.ZULIP_CONFIG) return undefined;
  const missing = [
    !site && "ZULIP_SITE",
    !email && "ZULIP_EMAIL",
    !key && !file && "ZULIP_API_KEY or ZULIP_API_KEY_FILE",
  ];
  const names = missing.filter(Boolean).join(" and ");
  if (!site || !email || names)
    throw new Usage(`incomplete credentials in the environment: missing ${names}`, {
      hint: "Set all of them or none, or choose other credentials with --profile or --zuliprc.",
    });
  if (key && file)
    throw new Usage("ZULIP_API_KEY cannot be combined with ZULIP_API_KEY_FILE", { hint: "Unset one of them." });
  refuseQuotes(email, "ZULIP_EMAIL");
  const [location, secret] = file
    ? [file, await fromKeyFile(world, file)]
    : ["ZULIP_API_KEY", parseKey(key ?? "", "ZULIP_API_KEY")];
  return {
    site: parseSite(site, "ZULIP_SITE"),
    email: email.trim(),
    source: "the environment",
    storage: "environment",
    location,
    tls: await tlsOf(world, flags),
    key: async () => secret,
  };
}

async function fromKeyFile(world: World, path: string): Promise<Secret> {
  const text = await readText(world, path, "ZULIP_API_KEY_FILE");
  if (text === undefined) throw new Usage(`ZULIP_API_KEY_FILE: file not found: ${path}`);
  return parseKey(text, `the file ${path}`);
}

/** Undefined for a missing file. */
const readText = (world: World, path: string, origin: string): Promise<string | undefined> =>
  readChecked(world, path).catch((error: unknown) => {
    if (error instanceof Failure) throw error;
    throw new Usage(`${origin}: cannot read ${path}: ${asError(error).message}`);
  });

/** The account of a zuliprc that a flag, variable or argument names. */
export async function fromZuliprc(world: World, flags: AuthFlags, path: string, origin: string): Promise<Credentials> {
  const found = await zuliprcAt(world, flags, path, origin);
  if (!found) throw new Usage(`${origin}: file not found: ${path}`);
  return found;
}

/** A zuliprc without a site gets that of `--site`, else of `ZULIP_SITE`. */
function zuliprcSite(
  { env }: World,
  flags: AuthFlags,
  { site, path, name }: { site: string | undefined; path: string; name: string },
): string {
  if (site !== undefined) return parseSite(site, name);
  if (flags.site !== undefined) return parseSite(flags.site, "--site");
  if (env.ZULIP_SITE) return parseSite(env.ZULIP_SITE, "ZULIP_SITE");
  throw new Usage(`the zuliprc ${path} has no site in its section [api]`, {
    hint: "Add the line site=https://… to the file, or pass --site <url>.",
  });
}

async function zuliprcAt(
  world: World,
  flags: AuthFlags,
  path: string,
  origin: string,
): Promise<Credentials | undefined> {
  const text = await readText(world, path, origin);
  if (text === undefined) return undefined;
  const { site, email, key, insecure, ...tls } = parseZuliprc(text, path);
  const name = (option: string) => `${option} in ${path}`;
  refuseInsecure(insecure, name("insecure"));
  const secret = parseKey(key, path);
  return {
    site: zuliprcSite(world, flags, { site, path, name: name("site") }),
    email,
    source: path,
    storage: "zuliprc",
    location: path,
    tls: await tlsOf(world, flags, {
      ca: { path: tls.cert_bundle, name: name("cert_bundle") },
      cert: { path: tls.client_cert, name: name("client_cert") },
      key: { path: tls.client_cert_key, name: name("client_cert_key") },
    }),
    key: async () => secret,
  };
}

const fromProfileName = async (world: World, flags: AuthFlags, name: string, origin: string): Promise<Credentials> =>
  fromProfile(world, flags, await (await profiles()).findProfile(world, name, origin));

async function fromProfile(world: World, flags: AuthFlags, { name, profile }: ListedProfile): Promise<Credentials> {
  const memberName = (member: string) => `${member} of profile ${name} in ${world.settings.path}`;
  let key: Promise<Secret> | undefined;
  return {
    site: profile.site,
    email: profile.email,
    source: `profile ${name}`,
    profile: name,
    readOnly: profile.read_only ?? false,
    storage: profile.store,
    location: keyLocationText(world, profile),
    tls: await tlsOf(world, flags, {
      ca: { path: profile.ca_file, name: memberName("ca_file") },
      cert: { path: profile.client_cert, name: memberName("client_cert") },
      key: { path: profile.client_key, name: memberName("client_key") },
    }),
    key: () => (key ??= readKey(world, profile, name)),
  };
}

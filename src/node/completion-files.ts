/** Reads what completion needs from files: the account of a command line, and names. It needs no keychain and no key. */
import { closeSync, constants, fstatSync, openSync, readFileSync, readSync } from "node:fs";
import type { AccountId } from "../client/sending-types.ts";
import { parseSite } from "../credentials/site.ts";
import { parseZuliprc } from "../credentials/zuliprc.ts";
import { systemErrorCode } from "../errors.ts";
import type { Env } from "../world/world.ts";
import { accessOf } from "./trusted.ts";

const { O_RDONLY, O_NONBLOCK = 0 } = constants;

/** The part of the configuration that completion reads. */
export interface CompletionConfiguration {
  current?: string;
  profiles?: Record<string, Partial<AccountId>>;
}

interface CompletionInput {
  env: Env;
  home: string;
  configuration: () => CompletionConfiguration;
}

/** A missing file is empty. Throws if it cannot be read. */
export function readConfiguration(path: string): CompletionConfiguration {
  try {
    return JSON.parse(readOwn(path)) ?? {};
  } catch (error) {
    if (systemErrorCode(error) === "ENOENT") return {};
    throw error;
  }
}

const accountIn = (record: Partial<AccountId> | undefined): AccountId | undefined =>
  record?.site && record.email ? { site: parseSite(record.site, ""), email: record.email.trim() } : undefined;

function inZuliprc(path: string, otherSite: string | undefined): AccountId | undefined {
  const { site = otherSite, email } = parseZuliprc(readOwn(path), path);
  return accountIn({ ...(site !== undefined && { site }), email });
}

/** Uses the same order as commands. */
function chosenAccount(
  flags: ReadonlyMap<string, string>,
  { env, home, configuration }: CompletionInput,
): AccountId | undefined {
  const ofProfile = (name: string): AccountId | undefined => {
    const { profiles = {} } = configuration();
    return accountIn(Object.hasOwn(profiles, name) ? profiles[name] : undefined);
  };
  const otherSite = flags.get("site") ?? env.ZULIP_SITE;
  const profile = flags.get("profile");
  if (profile !== undefined) return ofProfile(profile);
  const zuliprc = flags.get("zuliprc");
  if (zuliprc !== undefined) return inZuliprc(zuliprc, otherSite);
  const { ZULIP_SITE: site, ZULIP_EMAIL: email, ZULIP_API_KEY: key, ZULIP_API_KEY_FILE: file } = env;
  const isForZuliprc = !email && !key && !file && !env.ZULIPCTL_PROFILE && env.ZULIP_CONFIG;
  if ((site || email || key || file) && !isForZuliprc) return accountIn({ site: site ?? "", email: email ?? "" });
  if (env.ZULIPCTL_PROFILE) return ofProfile(env.ZULIPCTL_PROFILE);
  if (env.ZULIP_CONFIG) return inZuliprc(env.ZULIP_CONFIG, otherSite);
  const { current } = configuration();
  return current === undefined ? inZuliprc(`${home}/.zuliprc`, otherSite) : ofProfile(current);
}

const orUndefined = (work: () => AccountId | undefined): AccountId | undefined => {
  try {
    return work();
  } catch {
    return undefined;
  }
};

/**
 * Returns the account of a command line. Undefined if a file cannot be read: commands report why. If `--site` names
 * another organization than that of the credentials, it is the first profile there.
 */
export function accountIdOf(flags: ReadonlyMap<string, string>, input: CompletionInput): AccountId | undefined {
  const account = orUndefined(() => chosenAccount(flags, input));
  const typedSite = flags.get("site");
  if (typedSite === undefined) return account;
  return orUndefined(() => {
    const site = parseSite(typedSite, "");
    if (account?.site === site) return account;
    if (flags.has("profile") || flags.has("zuliprc")) return undefined;
    return Object.values(input.configuration().profiles ?? {})
      .map((profile) => orUndefined(() => accountIn(profile)))
      .find((each) => each?.site === site);
  });
}

/** Returns the text of a regular file, or its last `most` bytes. Throws if others can have written it. */
function readOwn(path: string, most?: number): string {
  const fd = openSync(path, O_RDONLY | O_NONBLOCK);
  try {
    const stats = fstatSync(fd);
    const { owner, writable } = accessOf(stats);
    if (!stats.isFile() || writable || owner !== undefined) throw new Error(`others can have written ${path}`);
    if (most === undefined || stats.size <= most) return readFileSync(fd, "utf8");
    const end = Buffer.alloc(most);
    return end.toString("utf8", 0, readSync(fd, end, 0, most, stats.size - most));
  } finally {
    closeSync(fd);
  }
}

/** Returns the line as it continues what was typed: shells compare accents by their spelling. Undefined if it does not. */
function completed(line: string, typed: string): string | undefined {
  if (line.startsWith(typed)) return line;
  const [whole, prefix] = [line.normalize(), typed.normalize()];
  return whole.startsWith(prefix) ? typed + whole.slice(prefix.length) : undefined;
}

/**
 * Returns at most `most` of the lines that begin with `prefix`. A missing file has none. The last line is included:
 * shells complete what all lines have in common, so the rest must not have more in common.
 */
export function linesFrom(path: string, prefix: string, most: number): string[] {
  try {
    const lines = readOwn(path).split("\n").slice(0, -1);
    const found = lines.flatMap((line) => completed(line, prefix) ?? []);
    return found.length > most ? [...found.slice(0, most - 1), found.at(-1)!] : found;
  } catch {
    return [];
  }
}

/** How much of the log is read for its newest runs, in bytes. */
const endOfLog = 128 * 1024;

/** Returns the newest runs of the log with their commands, the latest first. */
export function loggedRuns(path: string, most: number): string[] {
  try {
    const runs = new Map<string, string>();
    for (const line of readOwn(path, endOfLog).split("\n")) {
      const [, run] = /"run":"([\w-]+)"/.exec(line) ?? [];
      const [, command = ""] = /"command":"((?:[^"\\]|\\.)*)"/.exec(line) ?? [];
      if (run !== undefined) runs.set(run, `${run}\t${command.replaceAll(/\\./g, " ")}`);
    }
    return [...runs.values()].reverse().slice(0, most);
  } catch {
    return [];
  }
}

/** What the doctor finds, a check at a time. */

import { dirname, isAbsolute, join } from "node:path";
import { getServerSettings } from "../../api/server.ts";
import { getOwnUser, roleName } from "../../api/users.ts";
import { earlierRuns } from "../../batch/earlier-runs.ts";
import { oldest } from "../../client/level.ts";
import { headersOf } from "../../client/response-head.ts";
import type { Sender } from "../../client/sending.ts";
import { counted } from "../../counted.ts";
import type { Found } from "../../credentials/accounts.ts";
import { refuseForeign, tryStore, warningOf } from "../../credentials/keyplace.ts";
import { listProfiles } from "../../credentials/profiles.ts";
import { Failure } from "../../errors.ts";
import { isLoopback } from "../../loopback.ts";
import type { Context } from "../../run/context.ts";
import { NoAnswer, type World } from "../../world.ts";
import { abilities, tooOldForAll } from "../server/abilities.ts";

export interface Check {
  check: string;
  status: "ok" | "warn" | "fail";
  message: string;
  /** What mends it. */
  hint?: string | undefined;
}

/** The exit code of a run in which a check fails. */
export type Code = 2 | 3 | 4;

export interface Finding extends Check {
  /** Of one that fails. */
  code?: Code;
}

export const ok = (check: string, message: string): Finding => ({ check, status: "ok", message });

export const warn = (check: string, message: string, hint?: string): Finding => ({
  check,
  status: "warn",
  message,
  ...(hint !== undefined && { hint }),
});

/** What went wrong, as a check that fails, or as a warning. Throws what is a bug. */
export function troubled(check: string, error: unknown, { lesser = false, hint = "" } = {}): Finding {
  if (!(error instanceof Failure || error instanceof NoAnswer)) throw error;
  if (error instanceof Failure && error.kind === "cancelled") throw error;
  const { exitCode, details } = error instanceof Failure ? error : { exitCode: 4, details: {} };
  const remedy = details.hint ?? hint;
  return {
    check,
    status: lesser ? "warn" : "fail",
    message: error.message,
    ...(remedy && { hint: remedy }),
    // What is no matter of the command line or of logging in may pass.
    ...(!lesser && { code: exitCode === 2 || exitCode === 3 ? exitCode : 4 }),
  };
}

export async function configuration(world: World): Promise<Finding> {
  const { path } = world.settings;
  try {
    const loaded = await world.settings.load();
    const all = await listProfiles(world);
    const keys = all.flatMap(({ profile }) =>
      profile.store === "file"
        ? [isAbsolute(profile.key_file) ? profile.key_file : join(dirname(path), profile.key_file)]
        : [],
    );
    const warnings = loaded ? [warningOf(loaded.access, path)] : [];
    for (const key of keys) {
      const found = await world.files.guarded(key).catch(() => undefined);
      if (!found) continue;
      refuseForeign(found.access, key);
      warnings.push(warningOf(found.access, key));
    }
    const [first] = warnings.filter((each) => each !== undefined);
    if (first !== undefined) {
      const [message = "", hint] = first.split("; ");
      return warn("configuration", message, hint);
    }
    return ok("configuration", loaded ? `${path}: ${counted(all.length, "profile")}` : `there is no ${path}`);
  } catch (error) {
    return troubled("configuration", error);
  }
}

/** One that the credentials in use do not need is not in the way. */
export async function keychain(world: World, account: Found | undefined): Promise<Finding> {
  const needed = account?.kept === "keychain";
  try {
    await tryStore(world, "keychain");
    return ok("keychain", "what is put into it comes back");
  } catch (error) {
    return troubled("keychain", error, { lesser: !needed });
  }
}

export async function credentials(account: Found): Promise<Finding> {
  const { source, email, site, key } = account;
  try {
    await key();
    return ok("credentials", `${email} on ${site}, by ${source}`);
  } catch (error) {
    return troubled("credentials", error);
  }
}

/** Nobody can resume a run whose server is gone, as sandboxes are when they end. */
const isSandbox = (site: string | undefined): boolean =>
  site !== undefined && URL.canParse(site) && isLoopback(new URL(site).hostname);

/** How many are named. */
const most = 3;

export async function runs(world: World): Promise<Finding> {
  const open: string[] = [];
  for await (const { run, state, site } of earlierRuns(world))
    if (state !== "finished" && !isSandbox(site)) open.push(run);
  if (!open.length) return ok("batch", "every run is finished");
  const named = [...open.reverse().slice(0, most), ...(open.length > most ? ["…"] : [])].join(", ");
  return warn(
    "batch",
    `${counted(open.length, "run")} not finished: ${named}`,
    'Run "zulipctl batch show <run>" to see how to resume it.',
  );
}

const day = 24 * 3_600_000;
/** Days before a certificate ends in which somebody should see to it. */
const soon = 14;
/** Seconds that two clocks may differ: a request is on its way meanwhile. */
const apart = 30;

/** Proxy, name and certificate; what cannot be had ends it, since nothing behind it can. */
export async function* way(
  { world: { peers, clock }, flags }: Context,
  { site, tls }: Sender,
): AsyncGenerator<Finding> {
  const { hostname, protocol } = new URL(site);
  let proxy: string | undefined;
  try {
    proxy = await peers.proxyFor(site);
    yield ok("proxy", proxy ?? "none");
  } catch (error) {
    return yield troubled("proxy", error);
  }
  if (proxy !== undefined) yield ok("dns", `${hostname} is left to the proxy`);
  else
    try {
      yield ok("dns", `${hostname} is ${(await peers.addressesOf(site)).join(", ")}`);
    } catch (error) {
      return yield troubled("dns", error, { hint: "Check the name, and this machine's name server." });
    }
  if (protocol === "http:" && isLoopback(hostname)) return yield ok("tls", "none, as the server is on this machine");
  try {
    const { expires, issuer } = await peers.certificateOf(site, tls, flags.timeout * 1000);
    const days = Math.floor((expires - clock.now()) / day);
    const message = `a certificate of ${issuer || "an unnamed authority"}, valid for ${counted(days, "more day")}`;
    yield days < soon ? warn("tls", message, "Whoever runs the server must renew it.") : ok("tls", message);
  } catch (error) {
    const hint = "Trust a private certificate authority with --ca-file.";
    yield troubled("tls", error, { hint });
  }
}

/** What the server is; undefined where it is none, or gives no answer. */
export async function* server(context: Context, sender: Sender): AsyncGenerator<Finding> {
  const { clock } = context.world;
  try {
    const begun = clock.now();
    const settings = await context.at(sender).call(getServerSettings, {});
    const own = settings.zulip_feature_level ?? 0;
    const version = `Zulip ${settings.zulip_version}, feature level ${own}`;
    yield own < oldest ? warn("server", `${version}: ${tooOldForAll}`, "Upgrade the server.") : ok("server", version);
    yield clockOf(headersOf(settings).date, begun, clock.now());
    const level = context.flags.featureLevel ?? own;
    const lacking = abilities(level, settings).flatMap(({ command, available, without }) => {
      if (!available) return [command];
      return without.length ? [`${command} with ${without.map(({ flag }) => flag).join(", ")}`] : [];
    });
    yield lacking.length
      ? warn("abilities", `not with this server: ${lacking.join("; ")}`, 'Run "zulipctl server info" for details.')
      : ok("abilities", "this server knows all that zulipctl server info lists");
  } catch (error) {
    yield troubled("server", error);
  }
}

function clockOf(date: string | undefined, begun: number, ended: number): Finding {
  const there = date === undefined ? Number.NaN : Date.parse(date);
  if (Number.isNaN(there)) return warn("clock", "the server does not tell its time");
  // The server tells whole seconds, of a moment between the question and the answer.
  const off = Math.round((there < begun - 1000 ? there - begun : there > ended ? there - ended : 0) / 1000);
  if (Math.abs(off) <= apart) return ok("clock", "agrees with the server's");
  const message = `this machine's clock is ${counted(Math.abs(off), "second")} ${off > 0 ? "behind" : "ahead of"} the server's`;
  return warn("clock", message, "Let this machine set its clock by a time server.");
}

export async function* login(context: Context, sender: Sender): AsyncGenerator<Finding> {
  try {
    const own = await context.at(sender).call(getOwnUser, {});
    yield ok("login", `${own.full_name}, ${typeof own.role === "number" ? roleName(own.role) : "role not told"}`);
    const { "x-ratelimit-remaining": left, "x-ratelimit-limit": limit } = headersOf(own);
    yield left === undefined
      ? warn("rate limit", "the server does not tell what is left")
      : ok("rate limit", limit === undefined ? `${left} requests left` : `${left} of ${limit} requests left`);
  } catch (error) {
    yield troubled("login", error);
  }
}

/** The way to the server, and what the server says. */
import { getServerSettings } from "../../api/server.ts";
import { getOwnUser, roleName } from "../../api/users.ts";
import { headersOf } from "../../client/head.ts";
import { oldest } from "../../client/level.ts";
import type { Sender } from "../../client/sending.ts";
import { counted } from "../../counted.ts";
import { isLoopback } from "../../loopback.ts";
import type { Context } from "../../run/context.ts";
import { abilities, tooOldForAll } from "../server/abilities.ts";
import { type Finding, ok, troubled, warn } from "./check.ts";

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

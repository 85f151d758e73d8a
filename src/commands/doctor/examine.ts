/** The checks of `doctor`. */
import { newestRelease, releaseOf } from "../../api/releases.ts";
import { getServerSettings } from "../../api/server.ts";
import { getOwnUser } from "../../api/users.ts";
import { outputOptions } from "../../argv/global-flags.ts";
import { minimumLevel } from "../../client/level.ts";
import { headersOf } from "../../client/response-reader.ts";
import type { Sender } from "../../client/sending-types.ts";
import { counted, joinFirst } from "../../common/counted.ts";
import { isLoopback } from "../../common/loopback.ts";
import { day } from "../../common/unit-sizes.ts";
import { type Credentials, resolveAccount, resolveSite } from "../../credentials/accounts.ts";
import { accessWarning, pathOf, requireOwnFile, tryStore } from "../../credentials/key-location.ts";
import { listProfiles } from "../../credentials/profiles.ts";
import { readOnlyBy } from "../../credentials/read-only.ts";
import { undefinedOnFailure } from "../../errors.ts";
import { roleName } from "../../model/person.ts";
import type { Column, Listing } from "../../output/form.ts";
import { checkOutputOptions } from "../../output/printer.ts";
import type { Context } from "../../run/context.ts";
import { earlierRuns } from "../../run/journal/journal-files.ts";
import { noOldPushes, pushRequirement } from "../../run/push-notifications.ts";
import { call } from "../../wire/call.ts";
import type { World } from "../../world/world.ts";
import { abilities, tooOldForAll } from "../server/info.ts";
import { attempt, type DoctorFinding, isFailedFinding, ok, warn } from "./finding.ts";

async function program(world: World): Promise<DoctorFinding> {
  const { kind, path, node, compiledCode } = await world.installation();
  const { directory, problem } = compiledCode;
  const how = `zulipctl ${world.version}, the ${kind} ${path}, with Node ${node}`;
  if (problem === undefined) return ok("program", `${how}; compiled code is kept in ${directory}`);
  return warn(
    "program",
    `${how}; compiled code cannot be kept in ${directory}: ${problem}`,
    "Each start takes longer. ZULIPCTL_CACHE_DIR can name another cache directory.",
  );
}

const configuration = (world: World) =>
  attempt("configuration", async () => {
    const { path } = world.settings;
    const loaded = await world.settings.load();
    const all = await listProfiles(world);
    const warnings = loaded ? [accessWarning(loaded.access, path)] : [];
    for (const { profile } of all) {
      if (profile.store !== "file") continue;
      const key = pathOf(world, profile);
      const found = await world.files.readWithAccess(key).catch(() => undefined);
      if (!found) continue;
      requireOwnFile(found.access, key);
      warnings.push(accessWarning(found.access, key));
    }
    const [message = "", hint] = warnings.find((each) => each !== undefined)?.split("; ") ?? [];
    if (message) return warn("configuration", message, hint);
    return ok("configuration", loaded ? `${path}: ${counted(all.length, "profile")}` : `there is no ${path}`);
  });

/** Credentials that are not in use only cause warnings. */
const keychain = (world: World, account: Credentials | undefined) =>
  attempt(
    "keychain",
    async () => {
      await tryStore(world, "keychain");
      return ok("keychain", "what is put into it comes back");
    },
    { onlyWarn: account?.storage !== "keychain" },
  );

/** A run whose server is gone, such as another sandbox, cannot be resumed. */
const isSandbox = (site: string | undefined): boolean =>
  site !== undefined && URL.canParse(site) && isLoopback(new URL(site).hostname);

async function runs(world: World, siteInUse: string | undefined): Promise<DoctorFinding> {
  const [unfinished, onSandboxes]: [string[], string[]] = [[], []];
  for await (const { run, state, site } of earlierRuns(world))
    if (state !== "finished") (isSandbox(site) && site !== siteInUse ? onSandboxes : unfinished).unshift(run);
  const textOf = (all: string[], where = "") =>
    `${counted(all.length, "run")}${where} not finished: ${joinFirst(all, 3)}`;
  if (!unfinished.length)
    return ok("batch", onSandboxes.length ? textOf(onSandboxes, " on other sandboxes") : "every run is finished");
  return warn("batch", textOf(unfinished), 'Run "zulipctl batch show <run>" to see how to resume it.');
}

/** A certificate that expires in fewer days causes a warning. */
const expiryWarningDays = 14;

/** Checks proxy, name and certificate. */
async function* connection({ world, flags }: Context, { site, tls }: Sender): AsyncGenerator<DoctorFinding> {
  const { peers, clock } = world;
  const { hostname, protocol } = new URL(site);
  let proxy: string | undefined;
  yield* await attempt("proxy", async () => {
    proxy = await peers.proxyFor(site);
    return ok("proxy", proxy ?? "none");
  });
  if (proxy !== undefined) yield ok("dns", `${hostname} is left to the proxy`);
  else
    yield* await attempt("dns", async () => ok("dns", `${hostname} is ${(await peers.addressesOf(site)).join(", ")}`), {
      hint: "Check the name, and this machine's name server.",
    });
  if (protocol === "http:" && isLoopback(hostname)) return yield ok("tls", "none, as the server is on this machine");
  const certificate = async () => {
    const { expires, issuer } = await peers.certificateOf(site, tls, flags.timeout * 1000);
    const days = Math.floor((expires - clock.now()) / day);
    const message = `a certificate of ${issuer || "an unnamed authority"}, valid for ${counted(days, "more day")}`;
    return days < expiryWarningDays
      ? warn("tls", message, "Whoever runs the server must renew it.")
      : ok("tls", message);
  };
  yield* await attempt("tls", certificate, { hint: "Trust a private certificate authority with --ca-file." });
}

/** Checks version and features of the server. */
function server(context: Context, sender: Sender) {
  const { world } = context;
  const startedAt = world.clock.now();
  return attempt("server", async () => {
    const settings = await context.connectAs(sender).call(getServerSettings, {});
    const level = settings.zulip_feature_level ?? 0;
    const limits = abilities(context.flags.featureLevel ?? level, settings).flatMap(
      ({ command, available, without }) => {
        if (!available) return [command];
        // An upgrade would not help with the others.
        const flags = without.flatMap(({ flag, needs }) => (needs <= newestRelease ? [flag] : []));
        return flags.length ? [`${command} with ${flags.join(", ")}`] : [];
      },
    );
    const version = `Zulip ${releaseOf(level)}, feature level ${level}`;
    return [
      level < minimumLevel
        ? warn("server", `${version}: ${tooOldForAll}`, "Upgrade the server.")
        : ok("server", version),
      clock(headersOf(settings).date, startedAt, world.clock.now()),
      limits.length
        ? warn("abilities", `not with this server: ${limits.join("; ")}`, 'Run "zulipctl server info" for details.')
        : ok("abilities", "this server knows all that zulipctl server info lists"),
    ];
  });
}

/** The allowed difference of clocks in seconds, with the time of a request. */
const maxClockSkew = 30;

function clock(date: string | undefined, startedAt: number, endedAt: number): DoctorFinding {
  const time = date === undefined ? Number.NaN : Date.parse(date);
  if (Number.isNaN(time)) return warn("clock", "the server does not tell its time");
  // The server sends whole seconds, of a moment during the request.
  const skew = Math.round((time < startedAt - 1000 ? time - startedAt : time > endedAt ? time - endedAt : 0) / 1000);
  if (Math.abs(skew) <= maxClockSkew) return ok("clock", "agrees with the server's");
  const message = `this machine's clock is ${counted(Math.abs(skew), "second")} ${skew > 0 ? "behind" : "ahead of"} the server's`;
  return warn("clock", message, "Let this machine set its clock by a time server.");
}

const login = (context: Context, sender: Sender) =>
  attempt("login", async () => {
    const user = await context.connectAs(sender).call(getOwnUser, {});
    const { "x-ratelimit-remaining": left, "x-ratelimit-limit": limit } = headersOf(user);
    return [
      ...(user.is_bot === true
        ? [
            warn(
              "bot",
              "servers refuse invitations, new bots, uploads of device tokens and personal settings to bots",
              "Use the key of a person for these.",
            ),
          ]
        : []),
      ok("login", `${user.full_name}, ${typeof user.role === "number" ? roleName(user.role) : "role unknown"}`),
      left === undefined
        ? warn("rate limit", "the server does not tell what is left")
        : ok("rate limit", `${left}${limit === undefined ? "" : ` of ${limit}`} requests left`),
    ];
  });

const pushNotifications = (context: Context, sender: Sender) =>
  attempt(
    "push notifications",
    async () => {
      const server = context.connectAs(sender);
      const requirement = await pushRequirement(server, await server.featureLevel.refresh());
      if (!requirement) return [];
      if (!requirement.isOn) return ok("push notifications", "old and new apps get them");
      return warn(
        "push notifications",
        noOldPushes,
        'Update the apps, or run "zulipctl settings update require_e2ee_push_notifications=false".',
      );
    },
    { onlyWarn: true },
  );

/** Warnings of other checks become a check of their own. */
const silent = (world: World): World => ({
  ...world,
  stderr: Object.create(world.stderr, { write: { value: async () => undefined } }),
});

const members = ["check", "status", "message"];

async function* examine(context: Context): AsyncGenerator<DoctorFinding> {
  const { flags } = context;
  const world = silent(context.world);
  yield await program(world);
  const configured = await configuration(world);
  yield* configured;
  let account: Credentials | undefined;
  const exposed = new Set<string>();
  const found = await attempt("credentials", async () => {
    account = await resolveAccount({ ...world, onExposedFile: (warning) => void exposed.add(warning) }, flags);
    await account.key();
    const guard = readOnlyBy(world, flags, account);
    const refused = guard === undefined ? "" : `; read-only by ${guard}: changes are refused`;
    return ok("credentials", `${account.email} on ${account.site}, by ${account.source}${refused}`);
  });
  yield* found;
  for (const warning of exposed) {
    const [message = "", hint] = warning.split("; ");
    if (configured.every((each) => each.message !== message)) yield warn("credentials", message, hint);
  }
  yield* await keychain(world, account);
  const sender = account ?? (await undefinedOnFailure(resolveSite(world, flags)));
  yield await runs(world, sender?.site);
  if (!sender) return;
  for (const step of [connection, server, ...(found.some(isFailedFinding) ? [] : [login, pushNotifications])])
    for await (const finding of await step(context, sender)) {
      yield finding;
      if (isFailedFinding(finding)) return;
    }
}

const styles = { ok: "good", warn: "warn", fail: "bad" } as const;

const columns: Column<DoctorFinding>[] = [
  { head: "CHECK", value: ({ check }) => check, whole: true, importance: "high" },
  {
    head: "STATUS",
    value: ({ status }) => status,
    style: ({ status }) => styles[status],
    whole: true,
    importance: "high",
  },
  {
    head: "MESSAGE",
    value: ({ message, hint }) =>
      hint === undefined ? message : `${message}${/[.?]$/.test(message) ? "" : "."} ${hint}`,
    importance: "high",
  },
];

export async function examineInstallation(context: Context): Promise<Listing<DoctorFinding>> {
  await checkOutputOptions(outputOptions(context.flags), [...members, "hint"]);
  await context.showInstead([call(getServerSettings, {}), call(getOwnUser, {})]);
  const failed: DoctorFinding[] = [];
  let bug: unknown;
  async function* records(): AsyncGenerator<DoctorFinding> {
    try {
      for await (const { FailureClass, ...finding } of examine(context)) {
        if (FailureClass) failed.push({ ...finding, FailureClass });
        yield finding;
      }
    } catch (error) {
      bug = error;
    }
  }
  return {
    kind: "listing",
    records: records(),
    allFields: members,
    optionalFields: ["hint"],
    id: "check",
    columns,
    finish: async () => {
      if (bug) throw bug;
      const [first, ...others] = failed;
      if (!first?.FailureClass) return undefined;
      const { check, message, hint, FailureClass } = first;
      const more = others.length ? ` (and ${counted(others.length, "other check")})` : "";
      return new FailureClass(`the check of ${check} fails${more}: ${message}`, { hint });
    },
  };
}

/** What lies on this machine: configuration, credentials, keychain, and runs that were not finished. */
import { dirname, isAbsolute, join } from "node:path";
import { earlierRuns } from "../../batch/earlier-runs.ts";
import { counted } from "../../counted.ts";
import type { Found } from "../../credentials/accounts.ts";
import { refuseForeign, warningOf } from "../../credentials/guard.ts";
import { tryStore } from "../../credentials/keyplace.ts";
import { listProfiles } from "../../credentials/profiles.ts";
import { isLoopback } from "../../loopback.ts";
import type { World } from "../../world.ts";
import { type Finding, ok, troubled, warn } from "./check.ts";

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

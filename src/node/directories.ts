/** Returns the platform's directories, unless the environment sets others. */
import "./home.ts";
import { homedir } from "node:os";
import { join, resolve } from "node:path";
import envPaths from "env-paths";
import type { Directories, Env } from "../world/world.ts";

const inSandbox = ({ ZULIPCTL_SANDBOX: sandbox, ZULIP_SITE: site }: Env): boolean => !!sandbox && sandbox === site;

/** `settings` is the path of the configuration file. */
export function directoriesOf(env: Env): Directories & { settings: string } {
  const usual = envPaths("zulipctl", { suffix: "" });
  const directory = (variable: string, otherwise: string) => (env[variable] ? resolve(env[variable]) : otherwise);
  const state = directory("ZULIPCTL_STATE_DIR", usual.log);
  return {
    home: homedir(),
    cache: directory("ZULIPCTL_CACHE_DIR", usual.cache),
    // Runs of a sandbox are kept apart.
    state: inSandbox(env) ? join(state, "sandbox") : state,
    settings: join(directory("ZULIPCTL_CONFIG_DIR", usual.config), "config.json"),
  };
}

import { roles } from "../../api/users.ts";
import { readFile } from "../../argv/text.ts";
import type { EmbeddedSetup, SandboxInfo } from "../../embedded.ts";
import type { Context } from "../../run/context.ts";

/** Bytes of a description at most. */
const largest = 256 * 1024 * 1024;

export interface Options {
  world?: string;
  users?: number;
  exportSize?: number;
  rateLimits: boolean;
  fixedPasswords?: boolean;
  fault?: string[];
}

export async function setupOf(
  { world, flags }: Pick<Context, "world" | "flags">,
  { world: file, users = 0, exportSize, rateLimits, fixedPasswords, fault = [] }: Options,
): Promise<EmbeddedSetup> {
  return {
    users,
    rateLimits,
    ...(fixedPasswords && { fixedPasswords }),
    faults: fault,
    ...(exportSize !== undefined && { exportSize }),
    ...(flags.featureLevel !== undefined && { level: flags.featureLevel }),
    ...(file !== undefined && { world: { file, text: await readFile(world, "--world", file, largest) } }),
  };
}

type Person = SandboxInfo["users"][number];

/** Whose credentials programs get. Every organization has an owner who is active. */
export const owner = ({ users }: SandboxInfo): Person =>
  users.find(({ role, is_bot, is_active }) => role === roles.owner && is_active && !is_bot)!;

/** The environment with these credentials and no others. */
export function environment(env: Record<string, string | undefined>, line: SandboxInfo) {
  const { email, api_key } = owner(line);
  const own = Object.entries(env).filter(([name]) => !/^(ZULIP_|ZULIPCTL_PROFILE$)/.test(name));
  // Loopback addresses are not a proxy's to reach.
  const direct = [env.no_proxy ?? env.NO_PROXY, "127.0.0.1"].filter(Boolean).join(",");
  return {
    ...Object.fromEntries(own),
    no_proxy: direct,
    NO_PROXY: direct,
    ZULIP_SITE: line.site,
    ZULIP_EMAIL: email,
    ZULIP_API_KEY: api_key,
    // What is changed there is gone with it, and not for the log.
    ZULIPCTL_SANDBOX: line.site,
  };
}

import { roles } from "../../api/users.ts";
import type { SandboxInfo } from "../../embedded.ts";

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

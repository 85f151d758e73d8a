/** The credentials in the environment of programs that zulipctl starts. */
import type { Env } from "../world/world.ts";
import type { Credentials } from "./accounts.ts";
import { readOnlyEnv } from "./read-only.ts";

/** Returns the environment without what tells an account or a key. Proxies stay: programs need them for the network. */
export const withoutCredentials = (env: Env): Env =>
  Object.fromEntries(Object.entries(env).filter(([name]) => !/^(ZULIP_|ZULIPCTL_PROFILE$)/i.test(name)));

/** Returns the environment with this account, its guard against changes, and the certificates that its server needs. */
export const withCredentials = async (
  env: Env,
  { site, email, key, tls }: Credentials,
  guard: string | undefined,
): Promise<Env> => ({
  ...withoutCredentials(env),
  ZULIP_SITE: site,
  ZULIP_EMAIL: email,
  ZULIP_API_KEY: (await key()).reveal(),
  ...readOnlyEnv(guard),
  ZULIP_CERT_BUNDLE: tls.ca?.path,
  ZULIP_CERT: tls.cert?.path,
  ZULIP_CERT_KEY: tls.key?.path,
});

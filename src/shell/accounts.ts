/** Where site, e-mail and key come from. */
import type { Account, Site } from "../client/account.ts";
import { NeedsLogin } from "../errors.ts";
import { Secret, type World } from "../world.ts";
import type { Flags } from "./flags.ts";

/** The account that the flags and the environment name. */
export async function resolveAccount({ env }: World, _flags: Flags): Promise<Account> {
  const { ZULIP_SITE: site, ZULIP_EMAIL: email, ZULIP_API_KEY: key } = env;
  if (!site || !email || !key)
    throw new NeedsLogin("no credentials", { hint: "Get a key with: zulipctl fetch-key --site <url>" });
  return { site, email, source: "the environment", tls: {}, key: async () => new Secret(key) };
}

/** The organization alone: that of `--site`, else of `ZULIP_SITE`. */
export async function resolveSite({ env }: World, { site }: Flags): Promise<Site> {
  const url = site ?? env.ZULIP_SITE;
  if (!url) throw new NeedsLogin("no site", { hint: "Name it with --site." });
  return { site: url, tls: {} };
}

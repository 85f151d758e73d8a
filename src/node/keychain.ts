import { type Keychain, keychainPatience, Secret } from "../world.ts";

/** What the entries are filed under; the accounts are the shell's to name. */
const service = "zulipctl";

export function keychain(
  env: Record<string, string | undefined>,
  stop: AbortSignal,
  limit = keychainPatience,
): Keychain {
  const keytar = async () => (await import("./keytar.ts")).keytar(env, stop, limit);
  return {
    async get(account) {
      const password = await (await keytar()).getPassword(service, account);
      return password === null ? undefined : new Secret(password);
    },
    async set(account, secret) {
      await (await keytar()).setPassword(service, account, secret.reveal());
    },
    forget: async (account) => (await keytar()).deletePassword(service, account),
  };
}

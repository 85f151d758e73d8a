import { type Keychain, Secret } from "../world.ts";

/** What the entries are filed under; the accounts are the shell's to name. */
const service = "zulipctl";

/** Milliseconds. A keychain that asks a person who is not there would wait for ever. */
const patience = 5000;

export function keychain(env: Record<string, string | undefined>, stop: AbortSignal, limit = patience): Keychain {
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

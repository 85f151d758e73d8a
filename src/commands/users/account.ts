import { regenerateKey } from "../../api/people.ts";
import { type Credentials, resolveAccount } from "../../credentials/accounts.ts";
import type { KeyTarget } from "../../credentials/key-location.ts";
import { replaceKey, testLocation } from "../../credentials/login.ts";
import { findProfile } from "../../credentials/profiles.ts";
import { Partial, Usage } from "../../errors.ts";
import { type Changed, changed } from "../../output/form.ts";
import { programLine } from "../../output/line.ts";
import { commit } from "../../run/commit.ts";
import type { Conclusion, Context } from "../../run/context.ts";
import { Secret, type World } from "../../world/world.ts";
import { checkPrintable, newKeyIn, regeneration } from "../bots/keys.ts";

/** Returns where zulipctl stores the key. Undefined if it comes from elsewhere. */
async function keyLocationOf(world: World, { profile, storage }: Credentials): Promise<KeyTarget | undefined> {
  if (profile === undefined || (storage !== "keychain" && storage !== "file")) return undefined;
  return (await findProfile(world, profile, "--profile")).profile as KeyTarget;
}

function checkPrint(
  { flags }: Context,
  keyLocation: KeyTarget | undefined,
  { location }: Credentials,
  print: boolean,
): void {
  if (!keyLocation && !print)
    throw new Usage(`the key comes from ${location}: zulipctl does not write there`, {
      hint: "Pass --print to write it to stdout.",
    });
  if (keyLocation && print)
    throw new Usage(`--print: the key is replaced in ${location} and not printed`, { hint: "Remove --print." });
  if (print) checkPrintable(flags);
}

export async function apiKey(context: Context, { print = false }: { print?: boolean }): Promise<Conclusion> {
  const { world, flags } = context;
  world.signals.outcome ??= "not_sent";
  const account = await resolveAccount(world, flags);
  const { site, email, profile } = account;
  const keyLocation = await keyLocationOf(world, account);
  checkPrint(context, keyLocation, account, print);
  if (keyLocation && !flags.dryRun) await testLocation(world, keyLocation, await account.key());
  const fetchKey = `zulipctl fetch-key --site ${site} --username ${email}${profile === undefined ? "" : ` --profile ${profile}`}`;
  const words = { target: email, of: email, verifyWith: "zulipctl auth status", retry: fetchKey };
  const result = await commit(context, { changes: [regeneration(context, regenerateKey, {}, words)] });
  if (result.kind !== "change") return result;
  const hint = `Get the new key with: ${fetchKey}`;
  const key = newKeyIn(result.answer, hint);
  if (!keyLocation) {
    const onlyCopy = {
      what: `the server replaced the key of ${email}, but the new key`,
      hint: `The old key no longer works. The app shows the new one in its settings, under Account & privacy. Or get it with: ${fetchKey}`,
    };
    return { ...changed(key, { site, email, api_key: key }), onlyCopy };
  }
  return save(context, account, keyLocation, new Secret(key)).catch((error: Error) => {
    throw new Partial(
      `the server replaced the key of ${email}, but the new key cannot be saved in ${account.location}: ${error.message}`,
      { hint },
    );
  });
}

async function save(
  { world, warn }: Context,
  account: Credentials,
  keyLocation: KeyTarget,
  key: Secret,
): Promise<Changed> {
  const { site, email, location } = account;
  const { profiles, others } = await replaceKey(world, keyLocation, account, key);
  for (const other of others)
    await warn(
      programLine(
        `warning: profile ${other} has the same account and still has the old key. Renew it with: zulipctl fetch-key --profile ${other}`,
      ),
    );
  return changed(
    `The API key of ${email} on ${site} is replaced; profile ${profiles[0]} has the new one in ${location}.`,
    { profile: profiles[0], site, email, store: keyLocation.store },
  );
}

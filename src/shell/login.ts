/** Making a profile: everything that can be wrong is found before a key or password is used. */
import type { Site } from "../client/account.ts";
import type { Changed } from "../output/form.ts";
import type { Secret, World } from "../world.ts";
import type { Flags } from "./flags.ts";
import { inWords, type OwnPlace, tryPlace } from "./keyplace.ts";
import { listProfiles, placeFor, profileName, saveProfile, tryProfiles } from "./profiles.ts";

export interface Login {
  email: string;
  key: Secret;
  userId: number | null;
}

/** `--profile`, else the host name of the site. */
export const nameFor = ({ profile }: Pick<Flags, "profile">, { site }: Site): string =>
  profile === undefined
    ? profileName(new URL(site).hostname.replace(/^\[|\]$/g, ""), "--profile")
    : profileName(profile, "--profile");

/** The e-mail address of the profile that `--profile` names, where there is one. */
export async function knownEmail(world: World, { profile }: Pick<Flags, "profile">): Promise<string | undefined> {
  return (await listProfiles(world)).find(({ name }) => name === profile)?.profile.email;
}

/** Tries where the key is to be kept, then has it obtained, then keeps it under `name`, which becomes current. */
export async function makeProfile(
  world: World,
  name: string,
  { site, tls }: Site,
  store: OwnPlace["store"],
  obtain: () => Promise<Login>,
): Promise<Changed> {
  const place = await placeFor(world, name, site, store);
  await tryProfiles(world);
  await tryPlace(world, place);
  const { email, key, userId } = await obtain();
  await saveProfile(world, { name, site, email, tls, place }, key);
  return {
    kind: "change",
    sentence: `Profile ${name}: ${email} on ${site}, the key in ${inWords(world, place)}. It is the current profile now.`,
    answer: { profile: name, site, email, user_id: userId, store },
    ids: [],
  };
}

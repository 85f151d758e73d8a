import { choosing, listProfiles, removeProfile } from "../../credentials/profiles.ts";
import { NeedsLogin } from "../../errors.ts";
import type { Changed } from "../../output/form.ts";
import { type Context, DryRun } from "../../run/context.ts";

/** Forgets the profile of `--profile`, else of ZULIPCTL_PROFILE, else the current one. */
export async function logout({ world, flags, note }: Context): Promise<Changed> {
  const [given, name] =
    flags.profile !== undefined
      ? ["--profile", flags.profile]
      : world.env.ZULIPCTL_PROFILE
        ? ["ZULIPCTL_PROFILE", world.env.ZULIPCTL_PROFILE]
        : ["auth logout", (await listProfiles(world)).find(({ current }) => current)?.name];
  if (name === undefined) {
    const names = (await listProfiles(world)).map(({ name }) => name);
    const hint = names.length ? choosing(names) : "See: zulipctl profile list";
    throw new NeedsLogin("there is no current profile to forget", { hint });
  }
  if (flags.dryRun) throw new DryRun([]);
  const left = await removeProfile(world, name, given);
  if (left.length) await note(choosing(left));
  return { kind: "change", sentence: `Profile ${name} and its key are forgotten.`, answer: { profile: name }, ids: [] };
}

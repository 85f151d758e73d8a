import { choosing, listProfiles } from "../../credentials/profiles.ts";
import { NeedsLogin } from "../../errors.ts";
import { type LocalChange, local } from "../../run/conclusion.ts";
import type { Context } from "../../run/context.ts";
import { remove } from "../profile/edit.ts";

/** Forgets the profile of `--profile`, else of ZULIPCTL_PROFILE, else the current one. */
export async function logout({ world, flags, note }: Context): Promise<LocalChange> {
  const [given, name] =
    flags.profile !== undefined
      ? ["--profile", flags.profile]
      : world.env.ZULIPCTL_PROFILE
        ? ["ZULIPCTL_PROFILE", world.env.ZULIPCTL_PROFILE]
        : ["auth logout", (await listProfiles(world)).find(({ current }) => current)?.name];
  if (name === undefined) {
    const names = (await listProfiles(world)).map(({ name }) => name);
    const hint = names.length ? choosing(names) : "List them with: zulipctl profile list";
    throw new NeedsLogin("there is no current profile", { hint });
  }
  return local(async () => {
    const left = await remove(world, name, given);
    if (left.length) await note(choosing(left));
    const sentence = `Removed profile ${name} and its key.`;
    return { kind: "change", sentence, answer: { profile: name }, ids: [] };
  });
}

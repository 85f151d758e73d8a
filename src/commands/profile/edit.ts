import { choosing, findProfile, profileName, renameProfile, useProfile } from "../../credentials/profiles.ts";
import type { Changed } from "../../output/form.ts";
import { type LocalChange, local } from "../../run/conclusion.ts";
import type { Context } from "../../run/context.ts";
import { remove } from "./remove.ts";

const changed = (sentence: string, profile: string): Changed => ({
  kind: "change",
  sentence,
  answer: { profile },
  ids: [profile],
});

type Options = Record<string, unknown>;

export async function use({ world }: Context, _: Options, name: string): Promise<LocalChange> {
  await findProfile(world, name, "profile use");
  return local(async () => {
    await useProfile(world, name);
    return changed(`Now using profile ${name}.`, name);
  });
}

export async function rename({ world }: Context, _: Options, old: string, name: string): Promise<LocalChange> {
  profileName(name, "profile rename");
  await findProfile(world, old, "profile rename");
  return local(async () => {
    await renameProfile(world, old, name);
    return changed(`Renamed profile ${old} to ${name}.`, name);
  });
}

export async function rm({ world, note }: Context, _: Options, name: string): Promise<LocalChange> {
  await findProfile(world, name, "profile rm");
  return local(async () => {
    const left = await remove(world, name, "profile rm");
    if (left.length) await note(choosing(left));
    return changed(`Removed profile ${name} and its key.`, name);
  });
}

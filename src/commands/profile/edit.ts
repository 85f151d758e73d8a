import {
  choosing,
  findProfile,
  profileName,
  removeProfile,
  renameProfile,
  useProfile,
} from "../../credentials/profiles.ts";
import type { Changed } from "../../output/form.ts";
import { type Context, DryRun } from "../../run/context.ts";

const changed = (sentence: string, profile: string): Changed => ({
  kind: "change",
  sentence,
  answer: { profile },
  ids: [profile],
});

type Options = Record<string, unknown>;

/** Nothing of this goes to a server, so that a dry run shows no request. */
const dry = ({ flags }: Context) => {
  if (flags.dryRun) throw new DryRun([]);
};

export async function use(context: Context, _: Options, name: string): Promise<Changed> {
  await findProfile(context.world, name, "profile use");
  dry(context);
  await useProfile(context.world, name);
  return changed(`Profile ${name} is the current one.`, name);
}

export async function rename(context: Context, _: Options, old: string, name: string): Promise<Changed> {
  profileName(name, "profile rename");
  await findProfile(context.world, old, "profile rename");
  dry(context);
  await renameProfile(context.world, old, name);
  return changed(`Profile ${old} is ${name} now.`, name);
}

export async function rm(context: Context, _: Options, name: string): Promise<Changed> {
  await findProfile(context.world, name, "profile rm");
  dry(context);
  const left = await removeProfile(context.world, name, "profile rm");
  if (left.length) await context.note(choosing(left));
  return changed(`Profile ${name} and its key are removed.`, name);
}

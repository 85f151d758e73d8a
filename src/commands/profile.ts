import { acts, actsWith } from "../cli/conversation.ts";
import { offered, text } from "../cli/kinds.ts";
import { noun } from "../cli/noun.ts";
import {
  choiceHint,
  findProfile,
  listProfiles,
  type Profile,
  profileName,
  removeProfile,
  renameProfile,
  useProfile,
} from "../credentials/profiles.ts";
import { NeedsLogin } from "../errors.ts";
import type { Changed, Listing } from "../output/form.ts";
import { forgetNames } from "../resolve/saved-names.ts";
import { type Context, type LocalChange, localChange } from "../run/context.ts";

const changed = (sentence: string, profile: string): Changed => ({
  kind: "change",
  sentence,
  answer: { profile },
  ids: [profile],
});

/** Removes the key, and saved names that no other profile needs. */
const removal = ({ world, note }: Context, name: string, origin: string): LocalChange =>
  localChange(async () => {
    const all = await listProfiles(world);
    const remaining = await removeProfile(world, name, origin);
    const removed = all.find((listed) => listed.name === name)?.profile;
    const same = all.filter(({ profile }) => profile.site === removed?.site && profile.email === removed.email);
    // Old names are removed later anyway.
    if (removed && same.length === 1) await forgetNames(world, removed).catch(() => undefined);
    if (remaining.length) await note(choiceHint(remaining));
    return changed(`Removed profile ${name} and its key.`, name);
  });

type ProfileRow = Pick<Profile, "site" | "email" | "store"> & { name: string; current: boolean };

async function list({ world }: Context): Promise<Listing<ProfileRow>> {
  const all = await listProfiles(world);
  return {
    kind: "listing",
    records: all.map(({ name, current, profile: { site, email, store } }) => ({ name, site, email, store, current })),
    allFields: ["name", "site", "email", "store", "current"],
    id: "name",
    columns: [
      { head: "NAME", value: ({ name }) => name, style: ({ current }) => (current ? "good" : undefined) },
      { head: "SITE", value: ({ site }) => site },
      { head: "EMAIL", value: ({ email }) => email },
      { head: "STORE", value: ({ store }) => store },
      { head: "CURRENT", value: ({ current }) => (current ? "yes" : "") },
    ],
  };
}

/** Removes the profile of `--profile`, else of ZULIPCTL_PROFILE, else the current one. */
export async function logout(context: Context): Promise<LocalChange> {
  const { world, flags } = context;
  const [origin, name] =
    flags.profile !== undefined
      ? ["--profile", flags.profile]
      : world.env.ZULIPCTL_PROFILE
        ? ["ZULIPCTL_PROFILE", world.env.ZULIPCTL_PROFILE]
        : ["auth logout", (await listProfiles(world)).find(({ current }) => current)?.name];
  if (name === undefined) {
    const names = (await listProfiles(world)).map(({ name }) => name);
    const hint = names.length ? choiceHint(names) : "List them with: zulipctl profile list";
    throw new NeedsLogin("no current profile", { hint });
  }
  return removal(context, name, origin);
}

const name = offered("profile", text("", "name"));

export const profile = noun("Saved accounts", {
  list: acts({
    doc: "List the profiles, and which is current",
    examples: ["zulipctl profile list"],
    run: async () => list,
  }),

  use: actsWith({
    doc: "Switch to a profile",
    operands: { name },
    examples: ["zulipctl profile use work"],
    run:
      async () =>
      async ({ world }, { name }) => {
        await findProfile(world, name, "profile use");
        return localChange(() => useProfile(world, name).then(() => changed(`Now using profile ${name}.`, name)));
      },
  }),

  rename: actsWith({
    doc: "Rename a profile",
    operands: { old: offered("profile", text("", "old")), new: text("", "new") },
    examples: ["zulipctl profile rename chat.example.com chat"],
    run:
      async () =>
      async ({ world }, { old, new: to }) => {
        profileName(to, "profile rename");
        await findProfile(world, old, "profile rename");
        return localChange(() =>
          renameProfile(world, old, to).then(() => changed(`Renamed profile ${old} to ${to}.`, to)),
        );
      },
  }),

  rm: actsWith({
    doc: "Remove a profile and its stored key",
    operands: { name },
    examples: ["zulipctl profile rm work"],
    run:
      async () =>
      async (context, { name }) => {
        await findProfile(context.world, name, "profile rm");
        return removal(context, name, "profile rm");
      },
  }),
});

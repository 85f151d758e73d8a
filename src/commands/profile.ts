import { noun } from "../cli/noun.ts";
import { offered, text } from "../cli/value-parameters.ts";
import { customVerb, rawCustomVerb } from "../cli/verbs-with-code.ts";
import {
  findProfile,
  listProfiles,
  type Profile,
  profileName,
  renameProfile,
  useProfile,
} from "../credentials/profiles.ts";
import { changed, type Listing } from "../output/form.ts";
import { type Context, localChange } from "../run/context.ts";

type ProfileRow = Pick<Profile, "site" | "email" | "store"> & {
  name: string;
  current: boolean;
  read_only: boolean;
};

async function list({ world }: Context): Promise<Listing<ProfileRow>> {
  const all = await listProfiles(world);
  return {
    kind: "listing",
    records: all.map(({ name, current, profile: { site, email, store, read_only = false } }) => ({
      name,
      site,
      email,
      store,
      current,
      read_only,
    })),
    allFields: ["name", "site", "email", "store", "current", "read_only"],
    id: "name",
    columns: [
      { head: "NAME", value: ({ name }) => name, style: ({ current }) => (current ? "good" : undefined) },
      { head: "SITE", value: ({ site }) => site },
      { head: "EMAIL", value: ({ email }) => email },
      { head: "STORE", value: ({ store }) => store },
      { head: "CURRENT", value: ({ current }) => (current ? "yes" : "") },
      { head: "READ ONLY", value: ({ read_only }) => (read_only ? "yes" : "") },
    ],
  };
}

const name = offered("profile", text("the name of a profile", "name"));

export const profileNoun = noun("Saved accounts", {
  list: rawCustomVerb({
    doc: "List the profiles, and which is current",
    examples: ["zulipctl profile list"],
    run: async () => list,
  }),

  use: customVerb({
    doc: "Switch to a profile",
    local: true,
    operands: { name },
    examples: ["zulipctl profile use work"],
    run:
      async () =>
      async ({ world }, { name }) => {
        await findProfile(world, name, "<name>");
        return localChange(async () => {
          await useProfile(world, name);
          return changed(`Now using profile ${name}.`, { profile: name }, [name]);
        });
      },
  }),

  rename: customVerb({
    doc: "Rename a profile",
    local: true,
    operands: { old: offered("profile", text("the profile", "old")), new: text("its new name", "new") },
    examples: ["zulipctl profile rename chat.example.com chat"],
    run:
      async () =>
      async ({ world }, { old, new: to }) => {
        profileName(to, "profile rename");
        await findProfile(world, old, "<old>");
        return localChange(async () => {
          await renameProfile(world, old, to);
          return changed(`Renamed profile ${old} to ${to}.`, { profile: to }, [to]);
        });
      },
  }),

  rm: customVerb({
    doc: "Remove a profile and its stored key",
    asks: "sometimes",
    local: true,
    operands: { name },
    examples: ["zulipctl profile rm work"],
    run:
      async () =>
      async (context, { name }) => {
        await findProfile(context.world, name, "<name>");
        return (await import("./profile/remove.ts")).profileRemoval(context, name, "<name>");
      },
  }),
});

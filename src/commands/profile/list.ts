import { listProfiles } from "../../credentials/profiles.ts";
import type { Listing } from "../../output/form.ts";
import type { Context } from "../../run/context.ts";

interface ProfileRow {
  name: string;
  site: string;
  email: string;
  store: string;
  current: boolean;
}

export async function list({ world }: Context): Promise<Listing<ProfileRow>> {
  const records = (await listProfiles(world)).map(({ name, current, profile: { site, email, store } }) => ({
    name,
    site,
    email,
    store,
    current,
  }));
  return {
    kind: "listing",
    records,
    known: ["name", "site", "email", "store", "current"],
    id: ({ name }) => name,
    columns: [
      { head: "NAME", value: ({ name }) => name, style: ({ current }) => (current ? "good" : undefined) },
      { head: "SITE", value: ({ site }) => site },
      { head: "EMAIL", value: ({ email }) => email },
      { head: "STORE", value: ({ store }) => store },
      { head: "CURRENT", value: ({ current }) => (current ? "yes" : "") },
    ],
  };
}
